import { type ChildProcess, execFile, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { endProgram, startProgram } from '../../../test/support/programs.js';
import {
  attachOrStartEmbeddedPostgres,
  DataFolderInUseError,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.js';
import { readPostmaster } from './postmaster.js';

const BUILT = resolve(import.meta.dirname, '../../../dist/libs/embedded-postgres/src/index.js');

/** A separate process that starts the database, prints the result as one line, and stops on SIGTERM. */
const INSTANCE = `
  const { startEmbeddedPostgres } = await import(process.argv[1]);
  try {
    const database = await startEmbeddedPostgres({ dataFolder: process.argv[2], log: () => undefined, durable: process.argv[3] === 'true' });
    process.on('SIGTERM', () => void database.stop().then(() => process.exit(0)));
    console.log('up ' + database.url);
  } catch (error) {
    console.log(error.name + ' ' + error.message);
    process.exit(1);
  }
`;

/** Prints its port, closes two connections without an answer, and ends with the second. */
const DYING_SERVER = `
  let connections = 0;
  const server = require('node:net').createServer((socket) => {
    socket.once('data', () => {
      socket.destroy();
      if (++connections === 2) server.close();
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const run = promisify(execFile);

describe('embedded PostgreSQL', () => {
  let template: string;
  let dataFolder: string;
  let running: EmbeddedPostgres[];
  let instances: ChildProcess[];
  const lines: string[] = [];

  beforeAll(async () => {
    template = await newFolder();
    const database = await startEmbeddedPostgres({ dataFolder: template, log: () => undefined, durable: false });
    await database.stop();
  });
  afterAll(() => rm(template, { recursive: true, force: true }));

  beforeEach(async () => {
    // As root, this is a folder that the user of the database cannot enter.
    dataFolder = await newFolder();
    running = [];
    instances = [];
    lines.length = 0;
  });

  afterEach(async () => {
    await Promise.all(running.map((database) => database.stop()));
    await Promise.all(instances.map((instance) => endProgram(instance)));
    await rm(dataFolder, { recursive: true, force: true });
  });

  const start = async (folder = dataFolder): Promise<EmbeddedPostgres> => {
    const database = await startEmbeddedPostgres({
      dataFolder: folder,
      log: (line) => lines.push(line),
      durable: false,
    });
    running.push(database);
    return database;
  };

  /** Starts another process on the folder; resolves with the line it prints. */
  const startInstance = async (durable = false): Promise<{ instance: ChildProcess; line: string }> => {
    const args = ['--input-type=module', '-e', INSTANCE, BUILT, dataFolder, String(durable)];
    const options: SpawnOptions = { stdio: ['ignore', 'pipe', 'inherit'] };
    const instance = startProgram(process.execPath, args, options, dataFolder);
    instances.push(instance);
    const output = createInterface({ input: instance.stdout! });
    const [line] = (await once(output, 'line')) as [string];
    return { instance, line };
  };

  /** Copies a stopped database into the folder, which is faster than creating one. */
  const useTemplate = (folder = dataFolder) => run('cp', ['-a', `${template}/.`, folder]);

  const cluster = () => join(dataFolder, 'postgres', 'cluster');

  it('creates a database that has the same content and address after a restart', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();

    const second = await start();

    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(second.url).toBe(first.url);
    expect(lines).toEqual([`Creating the database in ${join(dataFolder, 'postgres')}`]);
  });

  it('listens on 127.0.0.1 only, requires a password, and stores it readable by its owner only', async () => {
    await useTemplate();
    const { url, superuserUrl } = await start();

    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await query(superuserUrl!, 'SHOW unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
    const wrong = new URL(url);
    wrong.password = 'guessed';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    const file = join(dataFolder, 'postgres', 'url');
    expect((await readFile(file, 'utf8')).trim()).toBe(url);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(cluster())).mode & 0o777).toBe(0o700);
  });

  it('gives the application a role that owns its database and has no other rights', async () => {
    await useTemplate();
    const { url, superuserUrl } = await start();

    const rights =
      'SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user';
    const none = {
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
    };
    expect(await query(url, rights)).toEqual([none]);
    expect(await query(superuserUrl!, rights)).toMatchObject([{ rolsuper: true }]);
    await query(url, 'CREATE EXTENSION pg_trgm; CREATE TABLE own AS SELECT 1');
    await expect(query(url, 'CREATE ROLE other')).rejects.toThrow(/permission denied/);
    await expect(query(url, `COPY (SELECT 1) TO PROGRAM 'true'`)).rejects.toThrow(/permission denied/);
    const file = join(dataFolder, 'postgres', 'superuser-url');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('transfers objects of an older version to the role of the application, also after a killed start', async () => {
    await useTemplate();
    const created = await start();
    const home = join(dataFolder, 'postgres');
    // The state of an older version: one role for everything, whose address is in the only file.
    await query(created.superuserUrl!, `REASSIGN OWNED BY plumbline TO postgres`);
    await query(
      created.superuserUrl!,
      `CREATE EXTENSION pg_trgm;
       CREATE TABLE kept (id integer GENERATED ALWAYS AS IDENTITY, old serial, day date) PARTITION BY RANGE (day);
       CREATE TABLE kept_today PARTITION OF kept FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
       CREATE SEQUENCE alone;
       CREATE TYPE mood AS ENUM ('calm');
       CREATE VIEW seen AS SELECT * FROM kept;
       CREATE FUNCTION answer() RETURNS integer LANGUAGE sql AS 'SELECT 42';
       INSERT INTO kept (day) VALUES ('2026-02-01')`,
    );
    await created.stop();
    await rename(join(home, 'superuser-url'), join(home, 'url'));

    const first = await start();
    await first.stop();
    // The state after a kill before the address of the application was written.
    await writeFile(join(home, 'url'), await readFile(join(home, 'superuser-url'), 'utf8'), { mode: 0o600 });
    const { url } = await start();

    expect(new URL(url).username).toBe('plumbline_application');
    expect(await query(url, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([
      { rolsuper: false },
    ]);
    expect(await query(url, 'SELECT id, answer() FROM seen')).toEqual([{ id: 1, answer: 42 }]);
    await query(
      url,
      `ALTER TABLE kept ADD COLUMN more text; DROP TABLE kept_today; ALTER SEQUENCE alone RESTART;
         ALTER TYPE mood ADD VALUE 'cross'; DROP FUNCTION answer(); DROP VIEW seen; CREATE TABLE new_one ()`,
    );
    expect(
      await query(
        url,
        `SELECT relname FROM pg_class WHERE relowner <> current_user::regrole AND relnamespace = 'public'::regnamespace`,
      ),
    ).toEqual([]);
  });

  it('reports an expected exit after stop', async () => {
    await useTemplate();
    const database = await start();

    await database.stop();

    expect((await database.exited).expected).toBe(true);
    await expect(query(database.url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('reports an unexpected exit of the server with its last log lines', async () => {
    await useTemplate();
    const database = await start();
    const { pid } = (await readPostmaster(cluster()))!;

    process.kill(pid, 'SIGQUIT');

    const { expected, description } = await database.exited;
    expect(expected).toBe(false);
    expect(description).toMatch(/immediate shutdown/);
  });

  it('reports only log lines of the ended run, without those of connections', async () => {
    await useTemplate();
    await (await start()).stop();
    const database = await start();
    const client = new pg.Client(database.url);
    client.on('error', () => undefined);
    await client.connect();
    process.kill((await readPostmaster(cluster()))!.pid, 'SIGKILL');

    const { description } = await database.exited;
    expect(description).toMatch(/SIGKILL.*\n.*starting PostgreSQL/);
    expect(description).not.toMatch(/shutdown request|terminating connection/);
    await client.end();
  });

  it('rejects a second instance on the folder and names the process of the first', async () => {
    await useTemplate();
    const { line } = await startInstance();

    const second = start();

    await expect(second).rejects.toThrow(DataFolderInUseError);
    await expect(second).rejects.toThrow(
      `Plumbline is already running on the data folder ${dataFolder} (process ${String(instances[0]!.pid)})`,
    );
    expect(await query(line.slice('up '.length), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('lets tools attach to a running instance without stopping it', async () => {
    await useTemplate();
    const { line } = await startInstance();

    const attached = await attachOrStartEmbeddedPostgres({ dataFolder, log: (text) => lines.push(text) });
    await attached.stop();

    expect(`up ${attached.url}`).toBe(line);
    expect(await query(attached.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts only one of several simultaneous instances on a new folder', async () => {
    const outcomes = await Promise.all([startInstance(), startInstance(), startInstance()]);

    const words = outcomes.map(({ line }) => line.split(' ')[0]).sort();
    expect(words).toEqual(['DataFolderInUseError', 'DataFolderInUseError', 'up']);
  });

  it('starts only one of several simultaneous instances on a folder with a database', async () => {
    await useTemplate();

    const outcomes = await Promise.all(Array.from({ length: 4 }, () => startInstance()));

    const words = outcomes.map(({ line }) => line.split(' ')[0]).sort();
    expect(words).toEqual(['DataFolderInUseError', 'DataFolderInUseError', 'DataFolderInUseError', 'up']);
  });

  it('waits for a server that closes connections while it shuts down', async () => {
    await useTemplate();
    const dying = spawn(process.execPath, ['-e', DYING_SERVER], {
      cwd: cluster(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    instances.push(dying);
    const [port] = (await once(createInterface({ input: dying.stdout }), 'line')) as [string];
    const started = String(Math.floor(Date.now() / 1000));
    const record = [String(dying.pid), cluster(), started, port, '', '127.0.0.1', '', 'ready', ''];
    await writeFile(join(cluster(), 'postmaster.pid'), record.join('\n'));

    const database = await start();

    expect(dying.exitCode).toBe(0);
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('restarts the server of a killed instance', async () => {
    await useTemplate();
    const { instance, line } = await startInstance();
    await query(line.slice('up '.length), 'CREATE TABLE kept AS SELECT 42 AS answer');
    await endProgram(instance, { signal: 'SIGKILL' });
    expect((await readPostmaster(cluster()))?.process).toBe('running');

    const database = await start();

    expect(await query(database.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(lines).toEqual(['The database of an earlier run that was killed is still running: restarting it']);
  });

  it('recovers when the server was killed together with the instance', async () => {
    await useTemplate();
    const { instance, line } = await startInstance(true);
    await query(line.slice('up '.length), 'CREATE TABLE kept AS SELECT 42 AS answer');
    const { pid } = (await readPostmaster(cluster()))!;
    process.kill(pid, 'SIGKILL');
    await endProgram(instance, { signal: 'SIGKILL' });

    const database = await start();

    expect(await query(database.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('ignores a stale process id that belongs to another process', async () => {
    await useTemplate();
    const first = await start();
    const pidFile = await readFile(join(cluster(), 'postmaster.pid'), 'utf8');
    await first.stop();
    await writeFile(join(cluster(), 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.pid)));

    const second = await start();

    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('uses another port when its own is taken', async () => {
    await useTemplate();
    const elsewhere = await newFolder();
    await useTemplate(elsewhere);
    try {
      const [first, second] = [await start(), await start(elsewhere)];

      // Both folders have the port of the template.
      expect(new URL(first.url).port).not.toBe(new URL(second.url).port);
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await second.stop();
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  it('removes the folder of a killed first start', async () => {
    const abandoned = join(dataFolder, 'postgres.new-999999999');
    await mkdir(join(abandoned, 'cluster'), { recursive: true });

    await start();

    await expect(stat(abandoned)).rejects.toThrow(/ENOENT/);
  });

  it('includes the output of PostgreSQL in the error when it does not start', async () => {
    await useTemplate();
    const first = await start();
    await first.stop();
    await writeFile(join(cluster(), 'postgresql.auto.conf'), `shared_preload_libraries = 'no_such_library'\n`);

    await expect(start()).rejects.toThrow(/did not start:[^]*no_such_library/);
  });

  it('rejects a database of another major version and suggests pg_dump', async () => {
    await mkdir(cluster(), { recursive: true });
    await writeFile(join(cluster(), 'PG_VERSION'), '17\n');

    await expect(start()).rejects.toThrow(/made by PostgreSQL 17; .*pg_dump/);
  });

  it('rejects a folder without a database', async () => {
    await mkdir(join(dataFolder, 'postgres'));

    await expect(start()).rejects.toThrow(/holds no database/);
  });
});

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'plumbline-data-'));
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
