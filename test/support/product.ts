import { type ChildProcess, execFile, type SpawnOptions } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type PermissionName } from '#libs/contracts';
import { freePort } from '../../scripts/free-port.mjs';
import { endProgram, HERE, type Place, startProgramAt } from './programs.js';

const ROOT = resolve(import.meta.dirname, '../..');
const ADMIN_EMAIL = 'admin@example.org';
const ADMIN_PASSWORD = 'correct horse battery staple';

/** The first administrator of products that tests start. */
export const ADMIN = { PLUMBLINE_ADMIN_EMAIL: ADMIN_EMAIL, PLUMBLINE_ADMIN_PASSWORD: ADMIN_PASSWORD };

/** A start with a database to make takes ten seconds; other work on the machine may make it many times as long. */
export const START_MS = 115_000;

/** A running product as its users see it. */
export interface ProductClient {
  url: string;
  /** A new token of the organisation, made through the API. */
  createToken(permissions: PermissionName[]): Promise<string>;
  /** GET of the API with a token; answers the `data` member. */
  api(path: string, token: string): Promise<unknown>;
  /** A call of the API with a token; answers the `data` member, and throws for what was refused. */
  call<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, token: string, body?: object): Promise<T>;
}

/** The built product as its own process with its own embedded database, as `npm start` runs it. */
export interface Product extends ProductClient {
  managementUrl: string;
  /** All that the process has printed. */
  output(): string;
  /** Clean stop (SIGTERM), or as given. Resolves when the process is gone. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null }>;
  /** Starts again on the same data folder and ports; resolves when it is ready. */
  restart(): Promise<void>;
  /** Folder of the embedded database. */
  dataFolder: string;
  /** Process id of the running, or last run, process. */
  pid(): number;
  /** True until the process has ended. */
  isRunning(): boolean;
  /** What GET /readyz answers; null when it does not answer. */
  readiness(): Promise<Readiness | null>;
  /** Stops and removes the data folder. */
  dispose(): Promise<void>;
}

export interface Readiness {
  status: number;
  checks: { name: string; ok: boolean; message: string | null }[];
}

/** What is waited for will never come: `until` ends with it. */
export class PermanentError extends Error {}

/** Asks until `probe` answers something other than undefined or false; the last error explains a time-out. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  { timeoutMs = 60_000, everyMs = 100 } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      if (error instanceof PermanentError) throw error;
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`Waited ${String(timeoutMs)} ms for ${what}`, { cause: last });
    await new Promise((next) => setTimeout(next, everyMs));
  }
}

interface Where {
  /** Where it runs; here unless given. */
  place?: Place;
  /** Of another build than that of the repository. */
  root?: string | undefined;
  /** Data folder of a product that was stopped: it starts on a copy of it. */
  dataOf?: string;
}

export async function startProduct(
  env: Record<string, string> = {},
  { place = HERE, root = ROOT, dataOf }: Where = {},
): Promise<Product> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'plumbline-test-'));
  // The database belongs to another account where the tests run as root.
  if (dataOf !== undefined) await promisify(execFile)('cp', ['-a', `${dataOf}/.`, dataFolder]);
  const [port, managementPort] = [await freePort(), await freePort()];
  const url = `http://${place.address}:${String(port)}`;
  const managementUrl = `http://${place.address}:${String(managementPort)}`;
  let child: ChildProcess | undefined;
  let output = '';

  async function start(): Promise<void> {
    const main = join(root, 'dist/apps/server/src/main.js');
    const options: SpawnOptions = {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: String(port),
        MANAGEMENT_PORT: String(managementPort),
        PLUMBLINE_MANAGEMENT_HOST: place.address,
        PUBLIC_URL: url,
        PLUMBLINE_DATA: dataFolder,
        PLUMBLINE_DEMO: 'off',
        // Costs as much as the rest of the start; test/e2e/first-start.e2e-spec.ts has it.
        PLUMBLINE_WARM_UP: 'off',
        ...ADMIN,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    };
    const started = startProgramAt(place, process.execPath, [main], options, dataFolder);
    child = started;
    started.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    started.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(
      'the product to be ready',
      async () => {
        if (started.exitCode !== null) throw new PermanentError(`The product ended with ${String(started.exitCode)}`);
        const answer = await fetch(`${managementUrl}/readyz`, { signal: AbortSignal.timeout(10_000) });
        return answer.ok ? true : undefined;
      },
      { timeoutMs: START_MS },
    ).catch(async (error: unknown) => {
      await endProgram(started).catch(() => undefined);
      throw new Error(`The product did not start:\n${output}`, { cause: error });
    });
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null }> {
    const code = await endProgram(child, { signal }).catch((error: unknown) => {
      throw new Error(`The product did not stop:\n${output}`, { cause: error });
    });
    return { code };
  }

  await start();
  return {
    ...clientOf(url),
    managementUrl,
    output: () => output,
    stop,
    restart: start,
    dataFolder,
    pid: () => child!.pid!,
    isRunning: () => child?.exitCode === null && child.signalCode === null,
    async readiness() {
      const answer = await fetch(`${managementUrl}/readyz`).catch(() => null);
      if (answer === null) return null;
      return { status: answer.status, checks: (await answer.json()) as Readiness['checks'] };
    },
    async dispose() {
      try {
        await stop();
      } finally {
        await rm(dataFolder, { recursive: true, force: true });
      }
    },
  };
}

/** Resolves when the history of the demo shop is learnt, or when a start has found it. */
export async function untilDemoIsReady(product: Product): Promise<void> {
  const isReady = (): Promise<boolean> => Promise.resolve(product.output().includes('Demo: ready'));
  await until('the demo shop', isReady, { timeoutMs: 240_000 });
}

/** The way to a product that runs at `url` and has the administrator of the tests. */
export function clientOf(url: string): ProductClient {
  async function login(): Promise<string> {
    const answer = await fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
    });
    const body = (await answer.json()) as { data: { session: { id: string } } };
    return body.data.session.id;
  }

  const call: ProductClient['call'] = async <T>(method: string, path: string, token: string, body?: object) => {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data } = (await answer.json()) as { data: T };
    if (!answer.ok) throw new Error(`${path} answered ${String(answer.status)}: ${JSON.stringify(data)}`);
    return data;
  };

  return {
    url,
    async createToken(permissions) {
      const answer = await fetch(`${url}/api/org/tokens`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Session-Id': await login() },
        body: JSON.stringify({ name: `test ${permissions.join(' ')}`, permissions }),
      });
      const body = (await answer.json()) as { data: { token: { id: string } } };
      return body.data.token.id;
    },
    api: (path, token) => call('GET', path, token),
    call,
  };
}
