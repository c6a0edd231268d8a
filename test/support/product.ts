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

/** A start that creates a database takes ten seconds, but many times as long on a busy machine. */
export const START_MS = 115_000;

/** A running product from the view of its users. */
export interface ProductClient {
  url: string;
  /** Creates a token of the organisation through the API. */
  createToken(permissions: PermissionName[]): Promise<string>;
  /** Calls a GET of the API with a token; returns the `data` member. */
  api(path: string, token: string): Promise<unknown>;
  /** Makes an API call with a token; returns the `data` member, and throws for an error. */
  call<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, token: string, body?: object): Promise<T>;
}

/** The built product in a separate process with its own embedded database, as `npm start` runs it. */
export interface Product extends ProductClient {
  managementUrl: string;
  /** Everything that the process has printed. */
  output(): string;
  /** Stops it with SIGTERM or the given signal. Resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null }>;
  /** Starts again on the same data folder and ports; resolves when it is ready. */
  restart(): Promise<void>;
  /** Folder of the embedded database. */
  dataFolder: string;
  /** Id of the running or last process. */
  pid(): number;
  /** True until the process has ended. */
  isRunning(): boolean;
  /** The answer of GET /readyz; null without an answer. */
  readiness(): Promise<Readiness | null>;
  /** Stops the product and removes the data folder. */
  dispose(): Promise<void>;
}

export interface Readiness {
  status: number;
  checks: { name: string; ok: boolean; message: string | null }[];
}

/** Thrown by a probe when its condition can no longer occur: `until` rejects with it. */
export class PermanentError extends Error {}

/**
 * Repeats `probe` until it returns something other than undefined or false. After the timeout, the last error is the
 * cause.
 */
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
  /** Where it runs; by default on this machine. */
  place?: Place;
  /** The root of another build than that of the repository. */
  root?: string | undefined;
  /** Data folder of a stopped product; the new one starts on a copy of it. */
  dataOf?: string;
}

export async function startProduct(
  env: Record<string, string> = {},
  { place = HERE, root = ROOT, dataOf }: Where = {},
): Promise<Product> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'plumbline-test-'));
  // If the tests run as root, the database belongs to another account, which `cp -a` preserves.
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
        // The warm-up takes as long as the rest of the start; test/e2e/first-start.e2e-spec.ts tests it.
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

/** Resolves when the history of the demo shop has been learnt, or a restart has found it. */
export async function untilDemoIsReady(product: Product): Promise<void> {
  const isReady = (): Promise<boolean> => Promise.resolve(product.output().includes('Demo: ready'));
  await until('the demo shop', isReady, { timeoutMs: 240_000 });
}

/** A client of the product at `url` with the administrator of the tests. */
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
