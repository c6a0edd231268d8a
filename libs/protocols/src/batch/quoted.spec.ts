import { excerpt, quoted, quotedBytes, quotedValue } from './quoted.js';

const TOKEN = `pl_${'aB3_-'.repeat(8)}xyz`;

describe('a quoted value', () => {
  it.each<[string, string]>([
    ['', '""'],
    ['12,5', '"12,5"'],
    ['a"b\\\n', '"a\\"b\\\\\\n"'],
    ['x'.repeat(40), `"${'x'.repeat(40)}"`],
    ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
    ['x'.repeat(5_000_000), `"${'x'.repeat(40)}…"`],
    [`${'x'.repeat(39)}😀y`, `"${'x'.repeat(39)}…"`],
  ])('has at most 40 characters: %#', (text, expected) => {
    expect(quoted(text)).toBe(expected);
  });

  it.each([TOKEN, `${TOKEN}.web-1.cpu`, `key=${TOKEN}`, TOKEN.slice(0, 30), `${'x'.repeat(30)}${TOKEN}`])(
    'contains no token: %s',
    (text) => {
      expect(quoted(text)).not.toContain('aB3_-aB3_-');
      expect(quoted(text)).toContain('pl_…');
      expect(quotedBytes(Buffer.from(text), 0, text.length)).toBe(quoted(text));
    },
  );

  it('keeps names that only begin like a token', () => {
    expect(quoted('pl_temperature')).toBe('"pl_temperature"');
  });

  it.each<[unknown, string]>([
    ['a', '"a"'],
    [1.5, '1.5'],
    [true, 'true'],
    [null, 'null'],
    [[1], 'a list'],
    [{ a: 1 }, 'an object'],
  ])('is a member of JSON: %j', (value, expected) => {
    expect(quotedValue(value)).toBe(expected);
  });

  it('is a part of a body, cut at a whole character', () => {
    const bytes = Buffer.from(`é${'é'.repeat(200)}`);
    expect(quotedBytes(bytes, 2, bytes.length)).toBe(`"${'é'.repeat(40)}…"`);
    expect(excerpt('abc', 2)).toBe('ab…');
  });
});
