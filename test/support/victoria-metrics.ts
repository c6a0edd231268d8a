import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { until } from './product.js';
import { endProgram, startProgram } from './programs.js';

/** A separate single-node VictoriaMetrics. */
export interface VictoriaMetrics {
  url: string;
  /** Kills it before it can write to disk; `start` continues with the data on disk. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  dispose(): Promise<void>;
}

/** @param folder for its data; by default a temporary one, removed by `dispose` */
export async function startVictoriaMetrics(
  flags: readonly string[] = [],
  folder?: string,
  address = '127.0.0.1',
): Promise<VictoriaMetrics> {
  const data = folder ?? (await mkdtemp(join(tmpdir(), 'plumbline-vm-')));
  const port = await freePort();
  const url = `http://${address}:${String(port)}`;
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const given = [
      `-storageDataPath=${join(data, 'data')}`,
      `-httpListenAddr=${address}:${String(port)}`,
      ...(flags.some((flag) => flag.startsWith('-retentionPeriod')) ? [] : ['-retentionPeriod=100y']),
      '-loggerLevel=ERROR',
      ...flags,
    ];
    child = startProgram('victoria-metrics', given, { stdio: 'ignore' });
    await until('VictoriaMetrics to answer', async () => (await fetch(`${url}/health`)).ok);
  };
  await start();
  return {
    url,
    start,
    kill: async () => void (await endProgram(child, { signal: 'SIGKILL' })),
    stop: async () => void (await endProgram(child)),
    dispose: async () => {
      await endProgram(child);
      if (folder === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}

export interface ClusterFront {
  url: string;
  /** Sides and tenants of the requests so far. */
  tenants: Set<string>;
  close(): Promise<void>;
}

/**
 * The paths of a cluster (vminsert and vmselect) in front of a single server. The tenant of a path becomes a label of
 * written points and a condition on reads and deletes, so that tenants are separate.
 */
export async function clusterInFrontOf(serverUrl: string): Promise<ClusterFront> {
  const tenants = new Set<string>();
  const answer = async (request: IncomingMessage): Promise<{ status: number; body: Buffer }> => {
    const [, side, tenant, path] =
      /^\/(insert|select|delete)\/(\d+)\/prometheus(\/api\/v1\/.+)$/.exec(request.url ?? '') ?? [];
    if (side === undefined || tenant === undefined || path === undefined) return { status: 400, body: Buffer.alloc(0) };
    tenants.add(`${side} ${tenant}`);
    const body = await buffer(request);
    const url = new URL(serverUrl + path);
    let sent: Buffer | URLSearchParams = body;
    if (side === 'insert') url.searchParams.set('extra_label', `vm_account_id=${tenant}`);
    else if (side === 'select') url.searchParams.set('extra_label', `vm_account_id=${tenant}`);
    else {
      sent = new URLSearchParams(body.toString());
      sent.set('match[]', sent.get('match[]')!.replace('}', `,vm_account_id="${tenant}"}`));
    }
    const encoding = request.headers['content-encoding'];
    const got = await fetch(url, {
      method: 'POST',
      body: sent,
      headers: {
        ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
        ...(side === 'delete' ? {} : { 'Content-Type': request.headers['content-type'] ?? 'text/plain' }),
      },
    });
    return { status: got.status, body: Buffer.from(await got.arrayBuffer()) };
  };
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => response.writeHead(status).end(body),
      () => response.writeHead(502).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    tenants,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
