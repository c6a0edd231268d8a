import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { until } from './until.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
export const ADMIN_EMAIL = 'admin@example.org';
export const ADMIN_PASSWORD = 'correct horse battery staple';

/**
 * Limits per token protect a service from its users; here there is only one user, which may send all that the machine
 * accepts.
 */
const UNLIMITED = {
  PLUMBLINE_LIMIT_API: '1000000',
  PLUMBLINE_LIMIT_INGEST_REQUESTS: '10000000',
  PLUMBLINE_LIMIT_INGEST_POINTS: '1000000000',
};

/**
 * The built product as `npm start` runs it, with its embedded database in a temporary folder.
 * @param options `dist`: build to run; `env`: settings; `profileFolder`: where `node --cpu-prof` writes
 */
export async function startProduct({ dist = join(ROOT, 'dist'), env = {}, profileFolder } = {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'plumbline-load-'));
  const [port, managementPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const managementUrl = `http://127.0.0.1:${managementPort}`;
  let child;
  let output = '';

  async function start() {
    const flags = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
    const started = spawn(process.execPath, [...flags, join(dist, 'apps/server/src/main.js')], {
      cwd: ROOT,
      env: {
        ...process.env,
        PORT: String(port),
        MANAGEMENT_PORT: String(managementPort),
        PUBLIC_URL: url,
        PLUMBLINE_DATA: dataFolder,
        PLUMBLINE_DEMO: 'off',
        PLUMBLINE_ADMIN_EMAIL: ADMIN_EMAIL,
        PLUMBLINE_ADMIN_PASSWORD: ADMIN_PASSWORD,
        ...UNLIMITED,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-1_000_000)));
    }
    await until('the product to listen', async () => {
      if (started.exitCode !== null) throw new Error(`The product ended with ${started.exitCode}:\n${output}`);
      return (await fetch(`${managementUrl}/livez`)).ok ? true : undefined;
    });
  }

  /** GET, or POST with a body; returns the `data` member. */
  async function call(path, { token, session, body } = {}) {
    const headers = { 'Content-Type': 'application/json' };
    if (token) headers['X-Auth-Token'] = token;
    if (session) headers['X-Session-Id'] = session;
    const answer = await fetch(`${url}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = await answer.json();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(data)}`);
    return data;
  }

  async function isReady() {
    return (await fetch(`${managementUrl}/readyz`)).ok ? true : undefined;
  }

  await start();
  await until('the product to be ready', isReady);
  return {
    url,
    managementUrl,
    dataFolder,
    get pid() {
      return child.pid;
    },
    output: () => output,
    call,
    isReady,
    /** Resolves when the product listens; a replay may still be running. */
    start,
    /** Ends the product with a signal; resolves when it has ended. */
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
    async dispose() {
      await this.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
    /** A new token of the organisation. */
    async createToken(permissions) {
      const { session } = await call('/login', { body: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } });
      const body = { name: `load ${permissions.join(' ')}`, permissions };
      const { token } = await call('/org/tokens', { session: session.id, body });
      return token.id;
    },
    /** Sum of a figure of the management port over its labels; 0 if there is none. */
    async telemetry(name) {
      const text = await (await fetch(`${managementUrl}/metrics`)).text();
      let sum = 0;
      for (const [, value] of text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))) sum += Number(value);
      return sum;
    },
  };
}
