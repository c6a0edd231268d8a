import { type ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { compressSync } from 'snappy';
import { composeRemoteWrite } from '#libs/protocols';
import { freePort } from '../../scripts/free-port.mjs';
import { externalPostgres } from './external-postgres.js';
import { until } from './product.js';
import { endProgram, startProgram } from './programs.js';

const run = promisify(execFile);

/** Data of a store: the value of the series at each step. */
export interface StoredSeries {
  host: string;
  from: number;
  until: number;
  step: number;
  valueAt: (timestamp: number) => number;
}

/** A real store with given data. */
export interface Store {
  url: string;
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** Stops the store and removes its files. */
  dispose(): Promise<void>;
}

export function* pointsOf({ from, until: last, step, valueAt }: StoredSeries): Generator<[number, number]> {
  for (let at = from; at <= last; at += step) yield [at, valueAt(at)];
}

const newFolder = (name: string): Promise<string> => mkdtemp(join(tmpdir(), `plumbline-${name}-`));

async function serving(
  folder: string,
  url: string,
  path: string,
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Store> {
  let child: ChildProcess | undefined;
  let output = '';
  const start = async (): Promise<void> => {
    const started = startProgram(command, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-5000)));
    }
    await until(`${command} to answer`, async () => {
      if (started.exitCode !== null) throw new Error(`${command} ended:\n${output}`);
      return (await fetch(`${url}${path}`)).status < 500 ? true : undefined;
    });
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    await endProgram(child, { signal });
  };
  await start();
  const dispose = async (): Promise<void> => {
    await stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  return { url, start, stop, dispose };
}

/** Prometheus on blocks that promtool creates from the series. */
export async function prometheusWith(name: string, series: readonly StoredSeries[]): Promise<Store> {
  const folder = await newFolder('prometheus');
  const lines = series.flatMap((one) =>
    [...pointsOf(one)].map(([at, value]) => `${name}{host="${one.host}"} ${String(value)} ${String(at)}`),
  );
  await writeFile(join(folder, 'data.txt'), `# TYPE ${name} gauge\n${lines.join('\n')}\n# EOF\n`);
  await run('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'data.txt'), join(folder, 'data')]);
  return prometheusOn(folder);
}

/** Prometheus that accepts remote write, and has received the series that way. */
export async function receivingPrometheusWith(name: string, series: readonly StoredSeries[]): Promise<Store> {
  const store = await prometheusOn(await newFolder('prometheus'), ['--web.enable-remote-write-receiver']);
  for (const one of series) {
    const labels = [['__name__', name] as const, ['host', one.host] as const];
    const samples = [...pointsOf(one)].map(([at, value]) => ({ labels, value, milliseconds: at * 1000 }));
    const body = new Uint8Array(compressSync(Buffer.from(composeRemoteWrite(samples))));
    const headers = { 'Content-Encoding': 'snappy', 'Content-Type': 'application/x-protobuf' };
    const answer = await fetch(`${store.url}/api/v1/write`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  }
  return store;
}

async function prometheusOn(folder: string, flags: readonly string[] = []): Promise<Store> {
  await writeFile(join(folder, 'prometheus.yml'), 'scrape_configs: []\n');
  const port = String(await freePort());
  return serving(folder, `http://127.0.0.1:${port}`, '/-/ready', 'prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    ...flags,
  ]);
}

export async function victoriaMetricsWith(data: Readonly<Record<string, readonly StoredSeries[]>>): Promise<Store> {
  const folder = await newFolder('victoria');
  const port = String(await freePort());
  const store = await serving(folder, `http://127.0.0.1:${port}`, '/health', 'victoria-metrics', [
    `-storageDataPath=${join(folder, 'data')}`,
    `-httpListenAddr=127.0.0.1:${port}`,
    '-retentionPeriod=10y',
    // Makes written points visible to queries after a second.
    '-search.latencyOffset=1s',
  ]);
  const lines = Object.entries(data).flatMap(([name, series]) =>
    series.map((one) => {
      const points = [...pointsOf(one)];
      return JSON.stringify({
        metric: { __name__: name, host: one.host },
        timestamps: points.map(([at]) => at * 1000),
        values: points.map(([, value]) => value),
      });
    }),
  );
  await fetch(`${store.url}/api/v1/import`, { method: 'POST', body: lines.join('\n') });
  await fetch(`${store.url}/internal/force_flush`);
  return store;
}

/** InfluxDB 1.x with a database `test`, in which the measurement has a field `idle`. */
export async function influxWith(name: string, series: readonly StoredSeries[]): Promise<Store> {
  const folder = await newFolder('influx');
  const [http, rpc] = [String(await freePort()), String(await freePort())];
  await writeFile(
    join(folder, 'influxdb.conf'),
    `reporting-disabled = true
bind-address = "127.0.0.1:${rpc}"
[meta]
  dir = "${join(folder, 'meta')}"
[data]
  dir = "${join(folder, 'data')}"
  wal-dir = "${join(folder, 'wal')}"
[http]
  bind-address = "127.0.0.1:${http}"
[monitor]
  store-enabled = false
`,
  );
  const url = `http://127.0.0.1:${http}`;
  const store = await serving(folder, url, '/ping', 'influxd', ['-config', join(folder, 'influxdb.conf')]);
  await fetch(`${url}/query`, { method: 'POST', body: new URLSearchParams({ q: 'CREATE DATABASE test' }) });
  const lines = series.flatMap((one) =>
    [...pointsOf(one)].map(([at, value]) => `${name},host=${one.host} idle=${String(value)} ${String(at)}`),
  );
  const written = await fetch(`${url}/write?db=test&precision=s`, { method: 'POST', body: lines.join('\n') });
  if (!written.ok) throw new Error(await written.text());
  return { ...store, url: `${url}/?db=test` };
}

const GRAPHITE_SETTINGS = `from graphite.settings import *
import os
HERE = os.path.dirname(os.path.abspath(__file__))
SECRET_KEY = 'test'
ALLOWED_HOSTS = ['*']
STORAGE_DIR = LOG_DIR = HERE
WHISPER_DIR = os.path.join(HERE, 'whisper')
STANDARD_DIRS = [WHISPER_DIR]
INDEX_FILE = os.path.join(HERE, 'index')
CARBONLINK_HOSTS = []
TAGDB = ''
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': os.path.join(HERE, 'db.sqlite')}}
`;
const WRITE_WHISPER = `import json, os, sys, whisper
for path, points in json.load(sys.stdin).items():
    os.makedirs(os.path.dirname(path), exist_ok=True)
    whisper.create(path, [(60, 10000)])
    whisper.update_many(path, points)
`;
/** The Python of Debian, which has graphite among its packages. */
const PYTHON = '/usr/bin/python3';

/** graphite-web on whisper files `servers.HOST.cpu`. */
export async function graphiteWith(series: readonly StoredSeries[]): Promise<Store> {
  const folder = await newFolder('graphite');
  await mkdir(join(folder, 'whisper'));
  await writeFile(join(folder, 'own_settings.py'), GRAPHITE_SETTINGS);
  const files = series.map((one) => [join(folder, 'whisper/servers', one.host, 'cpu.wsp'), [...pointsOf(one)]]);
  const writing = run(PYTHON, ['-c', WRITE_WHISPER]);
  writing.child.stdin!.end(JSON.stringify(Object.fromEntries(files)));
  await writing;
  const env = { PYTHONPATH: folder, DJANGO_SETTINGS_MODULE: 'own_settings' };
  await run(PYTHON, ['-m', 'django', 'migrate', '--run-syncdb'], { cwd: folder, env: { ...process.env, ...env } });
  const address = `127.0.0.1:${String(await freePort())}`;
  const args = ['-m', 'django', 'runserver', '--noreload', address];
  return serving(folder, `http://${address}`, '/render', PYTHON, args, env);
}

/** PostgreSQL with a table `load (at, host, value)`. */
export async function postgresWith(series: readonly StoredSeries[]): Promise<Pick<Store, 'url' | 'dispose'>> {
  const server = await externalPostgres();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('CREATE TABLE load (at timestamptz, host text, value double precision)');
  for (const one of series) {
    const points = [...pointsOf(one)];
    await client.query(
      'INSERT INTO load SELECT to_timestamp(p.at), $1, p.value FROM unnest($2::float8[], $3::float8[]) AS p (at, value)',
      [one.host, points.map(([at]) => at), points.map(([, value]) => value)],
    );
  }
  await client.end();
  return { url: server.url, dispose: () => server.dispose() };
}

/** MariaDB with a table `load_of_hosts (at, host, value)`, `at` as DATETIME in UTC, and the login `reader`. */
export async function mariadbWith(series: readonly StoredSeries[]): Promise<Pick<Store, 'url' | 'dispose'>> {
  const folder = await newFolder('mariadb');
  const data = join(folder, 'data');
  // If the tests run as root, the server and its files belong to root as well.
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  await run('mariadb-install-db', ['--no-defaults', `--datadir=${data}`, '--skip-test-db', ...user]);
  const port = await freePort();
  const socketPath = join(folder, 'socket');
  const child = startProgram(
    'mariadbd',
    [
      ...['--no-defaults', `--datadir=${data}`, `--socket=${socketPath}`, `--port=${String(port)}`, ...user],
      ...['--bind-address=127.0.0.1', '--innodb-flush-log-at-trx-commit=0', `--pid-file=${join(folder, 'pid')}`],
    ],
    { stdio: 'ignore' },
  );
  const root = await until('MariaDB to answer', () => mysql.createConnection({ socketPath, user: 'root' }));
  for (const statement of [
    'CREATE DATABASE test',
    'CREATE TABLE test.load_of_hosts (at DATETIME, host VARCHAR(50), value DOUBLE)',
    `CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'read me'`,
    `GRANT SELECT, INSERT ON test.* TO reader@'127.0.0.1'`,
  ]) {
    await root.query(statement);
  }
  const rows = series.flatMap((one) =>
    [...pointsOf(one)].map(([at, value]) => [new Date(at * 1000).toISOString().slice(0, 19), one.host, value]),
  );
  await root.query('INSERT INTO test.load_of_hosts VALUES ?', [rows]);
  await root.end();
  const dispose = async (): Promise<void> => {
    await endProgram(child, { signal: 'SIGKILL' });
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `mysql://127.0.0.1:${String(port)}/test`, dispose };
}
