import fc from 'fast-check';
import { MalformedBodyError } from '../../common/http/http.errors.js';
import { multipartFile } from './parse-body.js';

const TYPE = 'multipart/form-data; boundary=----x';

const part = (head: string, content: string) => `------x\r\n${head}\r\n\r\n${content}\r\n`;
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv';
const OTHER = 'content-disposition: form-data; name="other"';
const END = '------x--\r\n';

const read = (text: string, type = TYPE) => Buffer.from(multipartFile(Buffer.from(text), type, 'file')).toString();

describe('multipartFile', () => {
  it.each([
    ['the only part', part(FILE, 'a,b\r\n1,2') + END, 'a,b\r\n1,2'],
    ['after other parts', part(OTHER, 'x') + part(FILE, 'a') + END, 'a'],
    ['before other parts', part(FILE, 'a') + part(OTHER, 'x') + END, 'a'],
    ['after a preamble', `to be ignored\r\n${part(FILE, 'a')}${END}`, 'a'],
    ['with text that resembles a boundary', part(FILE, '--x\r\n----x') + END, '--x\r\n----x'],
    ['with an empty line at its start', part(FILE, '\r\n\r\na') + END, '\r\n\r\na'],
    ['empty', part(FILE, '') + END, ''],
    ['with a name without quotes', part('Content-Disposition: form-data; name=file', 'a') + END, 'a'],
    ['whose file name contains another name', part(FILE.replace('a.csv', 'x; name=other'), 'a') + END, 'a'],
    ['without a final delimiter', part(FILE, 'a') + '------x', 'a'],
  ])('returns the file: %s', (_, text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('returns a view of the body, not a copy', () => {
    const body = Buffer.from(part(FILE, 'abc') + END);
    expect(multipartFile(body, TYPE, 'file').buffer).toBe(body.buffer);
  });

  it('accepts a quoted boundary', () => {
    expect(read(part(FILE, 'a') + END, 'multipart/form-data; charset=utf-8; boundary="----x"')).toBe('a');
  });

  it.each([
    ['no boundary', part(FILE, 'a') + END, 'multipart/form-data'],
    ['a boundary that is too long', part(FILE, 'a') + END, `multipart/form-data; boundary=${'x'.repeat(71)}`],
    ['an empty body', '', TYPE],
    ['no delimiter', 'hello', TYPE],
    ['no end', '------x\r\n' + FILE + '\r\n\r\nabc', TYPE],
    ['no head', '------x\r\nabc', TYPE],
    ['only other fields', part(OTHER, 'x') + END, TYPE],
    ['too many parts', part(OTHER, 'x').repeat(101) + part(FILE, 'a') + END, TYPE],
  ])('throws MalformedBodyError for %s', (_, text, type) => {
    expect(() => read(text, type)).toThrow(MalformedBodyError);
  });

  it('throws only MalformedBodyError for random bytes', () => {
    const good = Buffer.from(part(OTHER, 'x') + part(FILE, 'abc') + END);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .tuple(fc.nat(good.length - 1), fc.nat(good.length - 1), fc.uint8Array({ maxLength: 8 }))
        .map(([from, to, middle]) => Buffer.concat([good.subarray(0, from), middle, good.subarray(to)])),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        try {
          multipartFile(body, TYPE, 'file');
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBodyError);
        }
      }),
      { numRuns: 2000, seed: 20_261_121 },
    );
  });
});
