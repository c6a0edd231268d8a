import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { InvalidSecretKeyError, loadOrCreateSecretKey, SecretKey } from './secret-key.js';

const HEX = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const BASE64 = Buffer.from(HEX, 'hex').toString('base64');

describe('SecretKey', () => {
  it.each([HEX, HEX.toUpperCase(), BASE64, BASE64.replace('=', ''), ` ${BASE64}\n`])('reads %j', (text) => {
    expect(SecretKey.parse(text, 'KEY').exportText()).toBe(BASE64);
  });

  it('reads the url-safe alphabet', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    expect(SecretKey.parse(bytes.toString('base64url'), 'KEY').exportText()).toBe(bytes.toString('base64'));
  });

  it.each(['', 'secret', HEX.slice(2), `${HEX}00`, BASE64.slice(4), 'x'.repeat(44), '!'.repeat(43)])(
    'refuses %j and says where it came from, not what it was',
    (text) => {
      const attempt = () => SecretKey.parse(text, 'PLUMBLINE_SECRET_KEY');
      expect(attempt).toThrow(InvalidSecretKeyError);
      expect(attempt).toThrow(/^PLUMBLINE_SECRET_KEY must hold 32 bytes/);
      if (text !== '') expect(attempt).not.toThrow(text);
    },
  );

  it('derives a key for each purpose as HKDF-SHA256 does', () => {
    // RFC 5869 by hand in Python: prk = hmac(b"plumbline", bytes(range(32))); okm = hmac(prk, b"plumbline/1/hash/token\\x01")
    expect(SecretKey.parse(HEX, 'KEY').subKey('hash/token').toString('hex')).toBe(
      'b5c7386351facd3b52a949b9a939da1d8f7cd5794e8c172c8cc03b77027d597b',
    );
  });

  it('gives different purposes and different keys different sub keys', () => {
    const key = SecretKey.parse(HEX, 'KEY');
    expect(key.subKey('a')).toEqual(key.subKey('a'));
    expect(key.subKey('a')).not.toEqual(key.subKey('b'));
    expect(key.subKey('a')).not.toEqual(SecretKey.generate().subKey('a'));
  });

  it('never shows itself in logs', () => {
    const key = SecretKey.parse(HEX, 'KEY');
    const shown = inspect(key, { showHidden: true, depth: 5 }) + JSON.stringify(key) + inspect({ key });
    expect(shown).toContain(`SecretKey ${key.id}`);
    expect(shown).not.toContain(BASE64);
    expect(shown).not.toContain('00 01 02');
  });
});

describe('loadOrCreateSecretKey', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secret-key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes a file that only its owner may read, folder included', async () => {
    const path = join(folder, 'new', 'secret.key');
    const key = await loadOrCreateSecretKey(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(SecretKey.parse(await readFile(path, 'utf8'), path).id).toBe(key.id);
    expect(await readdir(join(folder, 'new'))).toEqual(['secret.key']);
  });

  it('uses the key that is there', async () => {
    const path = join(folder, 'secret.key');
    await writeFile(path, `${HEX}\n`);
    expect((await loadOrCreateSecretKey(path)).exportText()).toBe(BASE64);
  });

  it('gives all of several starting processes the same key', async () => {
    const path = join(folder, 'secret.key');
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateSecretKey(path)));
    expect(new Set(keys.map((key) => key.id)).size).toBe(1);
    expect(await readdir(folder)).toEqual(['secret.key']);
  });

  it('refuses a damaged file instead of replacing it', async () => {
    const path = join(folder, 'secret.key');
    await writeFile(path, 'half a k');
    await expect(loadOrCreateSecretKey(path)).rejects.toThrow(InvalidSecretKeyError);
    expect(await readFile(path, 'utf8')).toBe('half a k');
  });
});
