import fc from 'fast-check';
import { MalformedBodyError } from './http.errors.js';
import { parsedMultipart, readMultipart } from './multipart.js';

const TYPE = 'multipart/form-data; boundary=----x';
const END = '------x--\r\n';
const part = (head: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`------x\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
const disposition = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`;
const file = (name: string, content: string | Buffer) => part(disposition(name, '; filename="a.csv"'), content);
const body = (...parts: (string | Buffer)[]) => Buffer.concat(parts.map((one) => Buffer.from(one)));
const refused = (bytes: Buffer, type = TYPE) => expect(() => parsedMultipart(bytes, type)).toThrow(MalformedBodyError);

describe('a multipart form', () => {
  it('returns texts and files, and a list for a repeated name', () => {
    const bytes = body(part(disposition('a'), 'ä'), file('f', '1,2'), part(disposition('a'), 'b'), END);
    expect(parsedMultipart(bytes, TYPE)).toEqual({ a: ['ä', 'b'], f: Buffer.from('1,2') });
  });

  it('accepts names in UTF-8 and the name __proto__', () => {
    const bytes = body(part(disposition('größe'), '1'), part(disposition('__proto__'), '2'), END);
    expect(Object.entries(parsedMultipart(bytes, TYPE))).toEqual([
      ['größe', '1'],
      ['__proto__', '2'],
    ]);
  });

  it('returns large files and texts whole, and files as views of the body', () => {
    const content = Buffer.alloc(3 * 1024 * 1024, '1,2\r\n------\r\n');
    const bytes = body(file('f', content), part(disposition('t'), content), file('g', ''), END);
    const { parts, fault } = readMultipart(bytes, TYPE);
    expect(fault).toBeNull();
    expect(parts.map(({ content: { length } }) => length)).toEqual([content.length, content.length, 0]);
    expect(content.equals(parts[0]!.content as Buffer)).toBe(true);
    expect((parts[0]!.content as Buffer).buffer).toBe(bytes.buffer);
  });

  it('is rejected without its end', () => {
    refused(body(part(disposition('a'), '1')));
    refused(body(part(disposition('a'), '1'), '------x'));
    refused(body(file('a', '1'), '------x\r\n', disposition('b'), '\r\n\r\n2'));
    refused(body(file('a', Buffer.alloc(1_000_000, '1')).subarray(0, -2)));
    refused(body(part(disposition('a'), '1'), '------x\r\n', disposition('b')));
  });

  it('is rejected with a header that does not end or is longer than 16 KB', () => {
    const name = (length: number) => part(disposition('a', `; filename="${'x'.repeat(length)}"`), '1');
    expect(parsedMultipart(body(name(16_000), END), TYPE)).toEqual({ a: Buffer.from('1') });
    refused(body(name(16_384), END));
    refused(body(name(1024 * 1024), END));
    refused(body('------x\r\n', Buffer.alloc(1024 * 1024, 'x'), END));
    refused(body('------x\r\n', Buffer.from('x: y\r\n'.repeat(10_000)), END));
  });

  it('is limited to the first hundred parts', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => part(disposition(`p${String(i)}`), '1'));
    expect(Object.keys(parsedMultipart(body(...many, END), TYPE))).toEqual(
      Array.from({ length: 100 }, (_, i) => `p${String(i)}`),
    );
  });

  it.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['no media type', ';;;'],
    ['an overlong boundary', `multipart/form-data; boundary=${'x'.repeat(300)}`],
  ])('is rejected with %s', (_, type) => {
    refused(body(part(disposition('a'), '1'), END), type);
  });

  it('is rejected in time proportional to its length when every line looks like a boundary', () => {
    const type = `multipart/form-data; boundary=${'-'.repeat(70)}`;
    refused(Buffer.alloc(1024 * 1024, '\r\n-'), type);
    refused(Buffer.alloc(1024 * 1024, '\n-'), type);
    refused(body('x', Buffer.alloc(1024 * 1024, '-')), type);
  });

  it('returns or throws MalformedBodyError for random bytes, and throws nothing later', async () => {
    const good = body(part(disposition('a'), '1'), file('f', 'abc'), END);
    const cut = fc.nat(good.length - 1);
    const bytes = fc
      .tuple(cut, cut, fc.uint8Array({ maxLength: 8 }))
      .map(([from, to, middle]) => Buffer.concat([good.subarray(0, from), middle, good.subarray(to)]));
    fc.assert(
      fc.property(bytes, (text) => {
        try {
          parsedMultipart(text, TYPE);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBodyError);
        }
      }),
      { numRuns: 1000, seed: 20_261_128 },
    );
    await new Promise(setImmediate);
  });
});
