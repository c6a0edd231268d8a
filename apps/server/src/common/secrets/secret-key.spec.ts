import { inspect } from 'node:util';
import { InvalidSecretKeyError, SecretKey } from './secret-key.js';

const HEX = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const BASE64 = Buffer.from(HEX, 'hex').toString('base64');

describe('SecretKey', () => {
  it.each([HEX, HEX.toUpperCase(), BASE64, BASE64.replace('=', ''), ` ${BASE64}\n`])('parses %j', (text) => {
    expect(SecretKey.parse(text, 'KEY').exportText()).toBe(BASE64);
  });

  it('parses the url-safe alphabet', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    expect(SecretKey.parse(bytes.toString('base64url'), 'KEY').exportText()).toBe(bytes.toString('base64'));
  });

  it.each(['', 'secret', HEX.slice(2), `${HEX}00`, BASE64.slice(4), 'x'.repeat(44), '!'.repeat(43)])(
    'rejects %j and names its source, but not its text',
    (text) => {
      const attempt = () => SecretKey.parse(text, 'PLUMBLINE_SECRET_KEY');
      expect(attempt).toThrow(InvalidSecretKeyError);
      expect(attempt).toThrow(/^PLUMBLINE_SECRET_KEY must contain 32 bytes/);
      if (text !== '') expect(attempt).not.toThrow(text);
    },
  );

  it('derives a key for each purpose with HKDF-SHA256', () => {
    // Computed from RFC 5869 in Python: prk = hmac(b"plumbline", bytes(range(32))); okm = hmac(prk,
    // b"plumbline/1/hash/token\\x01")
    expect(SecretKey.parse(HEX, 'KEY').subKey('hash/token').toString('hex')).toBe(
      'b5c7386351facd3b52a949b9a939da1d8f7cd5794e8c172c8cc03b77027d597b',
    );
  });

  it('derives different sub keys for different purposes and keys', () => {
    const key = SecretKey.parse(HEX, 'KEY');
    expect(key.subKey('a')).toEqual(key.subKey('a'));
    expect(key.subKey('a')).not.toEqual(key.subKey('b'));
    expect(key.subKey('a')).not.toEqual(SecretKey.generate().subKey('a'));
  });

  it('does not reveal the key in logs', () => {
    const key = SecretKey.parse(HEX, 'KEY');
    const shown = inspect(key, { showHidden: true, depth: 5 }) + JSON.stringify(key) + inspect({ key });
    expect(shown).toContain(`SecretKey ${key.id}`);
    expect(shown).not.toContain(BASE64);
    expect(shown).not.toContain('00 01 02');
  });
});
