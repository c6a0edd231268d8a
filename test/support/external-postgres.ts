import { type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { commandOf, openCluster, readSuperuserUrl } from '#libs/embedded-postgres';
import { until } from './product.js';
import { endProgram, startProgram } from './programs.js';

export interface ExternalPostgres {
  /** Value of DATABASE_URL. */
  url: string;
  /** Starts the server; resolves when it accepts connections. */
  start(): Promise<void>;
  /** Fast or immediate shutdown, or a kill. Resolves when the server has ended. */
  stop(how?: 'fast' | 'immediate' | 'kill'): Promise<void>;
  /** True until the server has ended for any reason. */
  isRunning(): boolean;
  /** Everything that the server has printed. */
  output(): string;
  /** Stops the server and removes its files. */
  dispose(): Promise<void>;
}

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

/**
 * A PostgreSQL server as an operator would run it: the product neither starts nor stops it. Uses the programs of the
 * npm package.
 * @param folder existing folder for its files; a temporary one by default
 */
export async function externalPostgres(
  folder?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ExternalPostgres> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'plumbline-postgres-')));
  // The server may run as another user.
  await chmod(home, 0o711);
  const cluster = await openCluster(home, { durable: true, log: () => undefined });
  const url = await readSuperuserUrl(cluster.home);
  let child: ChildProcess | undefined;
  let output = '';
  const isRunning = () => child?.exitCode === null && child.signalCode === null;

  async function start(): Promise<void> {
    const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: url.port, ...settings };
    const command = commandOf(cluster.account, cluster.binaries.postgres, [
      ...['-D', cluster.folder],
      ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    const options: SpawnOptions = { ...command.options, stdio: ['ignore', 'pipe', 'pipe'] };
    const started = startProgram(command.command, command.args, options);
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    await until('PostgreSQL to start', async () => {
      if (!isRunning()) throw new Error(`PostgreSQL ended:\n${output.slice(-2000)}`);
      await query(url.href.replace(/\/[^/]*$/, '/postgres'), 'SELECT 1');
      return true;
    });
  }

  async function stop(how: keyof typeof SIGNALS = 'fast'): Promise<void> {
    await endProgram(child, { signal: SIGNALS[how] });
  }

  await start();
  await query(url.href.replace(/\/[^/]*$/, '/postgres'), `CREATE DATABASE ${url.pathname.slice(1)}`);
  return {
    url: url.href,
    start,
    stop,
    isRunning,
    output: () => output,
    async dispose() {
      await stop('immediate');
      await rm(join(home, 'postgres'), { recursive: true, force: true });
      if (folder === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

async function query(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000 });
  // A server that stops ends the query, which already rejects.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end().catch(() => undefined);
  }
}
