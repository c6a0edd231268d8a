import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { KeyFile } from './key-file.js';
import { KeyFileWatch } from './key-file-watch.js';
import { type KeyRing } from './key-ring.js';
import { InvalidSecretKeyError, SecretKey } from './secret-key.js';
import { Secrets } from './secrets.js';

const HEX = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const BASE64 = Buffer.from(HEX, 'hex').toString('base64');

const idOf = (ring: KeyRing): string => ring.currentAt(Infinity).id;

describe('KeyFile', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'key-file-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('creates the file and its folder, readable only by the owner', async () => {
    const path = join(folder, 'new', 'secret.key');
    const ring = await new KeyFile(path).readOrCreate();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(SecretKey.parse(await readFile(path, 'utf8'), path).id).toBe(idOf(ring));
    expect(await readdir(join(folder, 'new'))).toEqual(['secret.key']);
  });

  it('uses an existing key', async () => {
    const path = join(folder, 'secret.key');
    await writeFile(path, `${HEX}\n`);
    expect((await new KeyFile(path).readOrCreate()).exportText()).toBe(`${BASE64}\n`);
  });

  it('returns the same key to processes that start concurrently', async () => {
    const path = join(folder, 'secret.key');
    const rings = await Promise.all(Array.from({ length: 8 }, () => new KeyFile(path).readOrCreate()));
    expect(new Set(rings.map(idOf)).size).toBe(1);
    expect(await readdir(folder)).toEqual(['secret.key']);
  });

  it('rejects a damaged file without replacing it', async () => {
    const path = join(folder, 'secret.key');
    await writeFile(path, 'half a k');
    await expect(new KeyFile(path).readOrCreate()).rejects.toThrow(InvalidSecretKeyError);
    expect(await readFile(path, 'utf8')).toBe('half a k');
  });

  it('replaces the file atomically, keeps its mode, and reads the written keys', async () => {
    const file = new KeyFile(join(folder, 'secret.key'));
    const first = await file.readOrCreate();
    const before = await file.version();
    const second = SecretKey.generate();
    await file.replace(first.with(second, 1_760_000_000));
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secret.key']);
    expect(await file.version()).not.toBe(before);
    const read = await file.read();
    expect(read?.keys.map(({ key, usedFrom }) => [key.id, usedFrom])).toEqual([
      [second.id, 1_760_000_000],
      [idOf(first), null],
    ]);
  });
});

describe('KeyFileWatch', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('loads a changed file, and keeps the keys when the file is damaged or missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'key-file-'));
    try {
      const file = new KeyFile(join(folder, 'secret.key'));
      const secrets = new Secrets(await file.readOrCreate());
      const watch = new KeyFileWatch(secrets, file);
      await watch.checkFile();
      const sealed = secrets.seal('copy', 'row', 'text');
      const next = SecretKey.generate();
      await file.replace(secrets.ring.with(next, 0));
      await watch.checkFile();
      expect(secrets.seal('copy', 'row', 'text').split('.')[1]).toBe(next.id);
      expect(secrets.open('copy', 'row', sealed)).toBe('text');
      const kept = secrets.ring;
      await writeFile(file.path, 'half a k');
      await watch.checkFile();
      await rm(file.path);
      await watch.checkFile();
      expect(secrets.ring).toBe(kept);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
