import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { backUpEmbeddedPostgres } from './backup.js';
import { INCOMPLETE_FILE, MANIFEST_FILE, readManifest } from './backup-manifest.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';
import { restoreEmbeddedPostgres } from './restore.js';

const silent = (): void => undefined;

describe('a backup of the embedded database', () => {
  let root: string;
  let dataFolder: string;
  let database: EmbeddedPostgres;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'plumbline-backup-'));
    dataFolder = join(root, 'data');
    database = await startEmbeddedPostgres({ dataFolder, log: silent, durable: false });
    await query(database.url, 'CREATE TABLE migrations (id serial, name text)');
    await query(database.url, `INSERT INTO migrations (name) VALUES ('First1')`);
    await query(database.url, 'CREATE TABLE tally (number int PRIMARY KEY, filler text)');
    await writeFile(join(dataFolder, 'secret.key'), 'the key\n', { mode: 0o600 });
  });
  afterAll(async () => {
    await database.stop();
    await rm(root, { recursive: true, force: true });
  });

  async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  const backUp = (folder: string, more: Partial<Parameters<typeof backUpEmbeddedPostgres>[0]> = {}) =>
    backUpEmbeddedPostgres({
      ...{ dataFolder, folder: join(root, folder), productVersion: '1.2.3', secretKey: 'included', log: silent },
      ...more,
    });
  const restore = (folder: string, into: string, migrations = ['First1']) =>
    restoreEmbeddedPostgres({ folder: join(root, folder), dataFolder: join(root, into), migrations, log: silent });

  it('contains and restores everything that was committed before its end, while rows are written', async () => {
    const over = new AbortController();
    /** Latest possible commit time of each row, in milliseconds. */
    const committed: number[] = [];
    const writer = (async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      while (!over.signal.aborted) {
        await client.query(`INSERT INTO tally VALUES ($1, repeat('x', 2000))`, [committed.length + 1]);
        committed.push(Date.now());
        if (committed.length % 100 === 0) {
          await client.query('CREATE TABLE passing (a int); DROP TABLE passing');
        }
      }
      await client.end();
    })();
    const manifest = await backUp('first').finally(() => over.abort());
    await writer;
    const before = committed.filter((at) => at < Date.parse(manifest.endedAt)).length;

    expect(manifest).toMatchObject({ productVersion: '1.2.3', migrations: ['First1'], secretKey: 'included' });
    expect(await readManifest(join(root, 'first'))).toEqual(manifest);
    await restore('first', 'restored');
    expect(await readFile(join(root, 'restored/secret.key'), 'utf8')).toBe('the key\n');
    const restored = await startEmbeddedPostgres({ dataFolder: join(root, 'restored'), log: silent, durable: false });
    try {
      const sql = 'SELECT count(*)::int AS count, max(number) AS last FROM tally';
      const [found] = await query<{ count: number; last: number }>(restored.url, sql);
      expect(before).toBeGreaterThan(0);
      expect(found!.last).toBeGreaterThanOrEqual(before);
      expect(found!.count).toBe(found!.last);
      expect(await query(restored.url, 'SELECT pg_is_in_recovery() AS is')).toEqual([{ is: false }]);
    } finally {
      await restored.stop();
    }
    // The backup leaves no replication slot in the running server.
    expect(await query(database.superuserUrl!, 'SELECT slot_name FROM pg_replication_slots')).toEqual([]);
  });

  it('can be read by its owner only', async () => {
    const folder = join(root, 'private');
    const manifest = await backUp('private');
    for (const path of ['', ...manifest.folders]) {
      expect([path, (await stat(join(folder, path))).mode & 0o077]).toEqual([path, 0]);
    }
    const modes = await Promise.all(
      [MANIFEST_FILE, ...manifest.files.map(({ path }) => path)].map(
        async (path) => (await stat(join(folder, path))).mode & 0o777,
      ),
    );
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  it('can omit the secret key', async () => {
    const manifest = await backUp('keyless', { secretKey: 'left out' });
    expect(manifest.files.filter(({ path }) => path.includes('secret'))).toEqual([]);
    expect(await readdir(join(root, 'keyless'))).toEqual([MANIFEST_FILE, 'postgres']);
    await restore('keyless', 'restored-keyless');
    expect(await readdir(join(root, 'restored-keyless'))).toEqual(['postgres']);
  });

  it('requires a database and an empty folder outside the data folder', async () => {
    await mkdir(join(root, 'full'));
    await writeFile(join(root, 'full/of'), 'things');
    await expect(backUp('full')).rejects.toThrow(/is not empty/);
    expect(await readdir(join(root, 'full'))).toEqual(['of']);
    await expect(backUp('data/backup')).rejects.toThrow(/lost with it/);
    await expect(backUp('unused', { dataFolder: join(root, 'nowhere') })).rejects.toThrow(/There is no database in/);
  });

  it('leaves its folder empty when it is aborted', async () => {
    const stop = new AbortController();
    const given = backUp('given-up', { signal: stop.signal, onStart: () => () => stop.abort() });
    await expect(given).rejects.toThrow(/aborted/);
    expect(await readdir(join(root, 'given-up'))).toEqual([]);
    await backUp('given-up');
  });

  it('is rejected by the next backup and by a restore if it was interrupted', async () => {
    await backUp('killed');
    await rm(join(root, 'killed', MANIFEST_FILE));
    await writeFile(join(root, 'killed', INCOMPLETE_FILE), '');
    await expect(backUp('killed')).rejects.toThrow(/holds an interrupted backup: delete the folder/);
    await expect(restore('killed', 'restored-killed')).rejects.toThrow(/was interrupted and cannot be restored/);
    await expect(restore('full', 'restored-killed')).rejects.toThrow(/holds no backup/);
  });

  describe('when restored', () => {
    beforeAll(async () => {
      await backUp('sound');
    });

    it('rejects a folder that is not empty', async () => {
      await mkdir(join(root, 'occupied'));
      await writeFile(join(root, 'occupied/secret.key'), 'another key\n');
      await expect(restore('sound', 'occupied')).rejects.toThrow(/is not empty \(secret\.key\)/);
      await expect(restore('sound', 'data')).rejects.toThrow(/is not empty \(postgres\)/);
      expect(await readFile(join(root, 'occupied/secret.key'), 'utf8')).toBe('another key\n');
    });

    it('rejects an older version of the product', async () => {
      await expect(restore('sound', 'older', [])).rejects.toThrow(
        /which Plumbline 1\.2\.3 made, was migrated by a newer version than this one \(First1\)/,
      );
    });

    it('rejects a changed or missing file, and a changed manifest', async () => {
      const manifest = await readManifest(join(root, 'sound'));
      const { path } = manifest.files.find(({ bytes }) => bytes > 8192)!;
      const file = join(root, 'sound', path);
      const content = await readFile(file);
      const damaged = Buffer.from(content);
      damaged[100] = damaged[100]! ^ 1;
      await writeFile(file, damaged);
      await expect(restore('sound', 'damaged')).rejects.toThrow(`${path} is not what was backed up`);
      await rm(file);
      await expect(restore('sound', 'damaged')).rejects.toThrow(/is missing: the backup is damaged/);
      expect(await readdir(join(root, 'damaged'))).toEqual([]);
      await writeFile(file, content);

      const list = join(root, 'sound', MANIFEST_FILE);
      const text = await readFile(list, 'utf8');
      await writeFile(list, text.replace('1.2.3', '1.2.4'));
      await expect(restore('sound', 'damaged')).rejects.toThrow(/plumbline-backup\.json is damaged/);
      await writeFile(list, text.slice(0, -20));
      await expect(restore('sound', 'damaged')).rejects.toThrow(/plumbline-backup\.json is damaged/);
      await writeFile(list, text.replace('"format": 1', '"format": 2'));
      await expect(restore('sound', 'damaged')).rejects.toThrow(/whose backups this version does not know/);
      await writeFile(list, text);
    });

    it('accepts a folder in which an earlier restore was killed', async () => {
      await mkdir(join(root, 'again/postgres.new-999999999'), { recursive: true });
      await writeFile(join(root, 'again/secret.key'), 'the key\n', { mode: 0o600 });
      await restore('sound', 'again');
      expect((await readdir(join(root, 'again'))).sort()).toEqual(['postgres', 'secret.key']);
    });
  });
});
