import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { type Product, until } from '../support/product.js';
import { endProgram, isListening, startProgram } from '../support/programs.js';

/** haproxy in front of all processes: one address for ingest and one for the API. */
export interface Front {
  ingestUrl: string;
  apiUrl: string;
  dispose(): Promise<void>;
}

/** Two failed checks of /readyz, a second apart, take a process out of service and close its connections. */
const DEFAULTS = `
global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 1s
  retries 2
  option redispatch
  option httpchk GET /readyz
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
`;

export async function startFront(ingest: readonly Product[], api: readonly Product[]): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-front-'));
  const [ingestPort, apiPort] = [await freePort(), await freePort()];
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, DEFAULTS + listen('ingest', ingestPort, ingest) + listen('api', apiPort, api));
  const child = startProgram('haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  for (const port of [ingestPort, apiPort]) {
    await until('haproxy to listen', () => isListening('127.0.0.1', port));
  }
  return {
    ingestUrl: `http://127.0.0.1:${String(ingestPort)}`,
    apiUrl: `http://127.0.0.1:${String(apiPort)}`,
    async dispose() {
      await endProgram(child, { signal: 'SIGKILL' });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function listen(name: string, port: number, products: readonly Product[]): string {
  const servers = products.map(({ url, managementUrl }, index) => {
    const { host } = new URL(url);
    return `  server ${name}${String(index)} ${host} check port ${new URL(managementUrl).port}\n`;
  });
  return `listen ${name}\n  bind 127.0.0.1:${String(port)}\n${servers.join('')}`;
}
