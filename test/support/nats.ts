import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildProcess } from 'node:child_process';
import { createConnection } from 'node:net';
import { freePort } from '../../scripts/free-port.mjs';
import { until } from './product.js';
import { endProgram, startProgram } from './programs.js';

export interface NatsServer {
  /** `127.0.0.1:port`, of this server alone. */
  host: string;
  folder: string;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  isRunning(): boolean;
  /** All that it has printed. */
  output(): string;
  /** Stops it and removes its folder. */
  dispose(): Promise<void>;
}

export interface NatsOptions {
  /** Where it stores streams; by default a folder of its own. */
  folder?: string;
  /** False: without JetStream. */
  jetStream?: boolean;
  /** More lines of its configuration file. */
  config?: string;
}

/** A real nats-server with JetStream, started. */
export async function natsServer(options: NatsOptions = {}): Promise<NatsServer> {
  const server = await prepare(await freePort(), options);
  await server.start();
  return server;
}

/** So many servers that are one cluster, started. */
export async function natsCluster(size: number): Promise<NatsServer[]> {
  const ports = await freePorts(2 * size);
  const routes = ports.slice(size).map((port) => `nats-route://127.0.0.1:${String(port)}`);
  const servers = await Promise.all(
    Array.from({ length: size }, (_, i) =>
      prepare(ports[i]!, {
        config: [
          `server_name: n${String(i)}`,
          `cluster { name: test, listen: "127.0.0.1:${String(ports[size + i])}", routes: [${routes.join(', ')}] }`,
        ].join('\n'),
      }),
    ),
  );
  await Promise.all(servers.map((server) => server.start()));
  return servers;
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

async function prepare(port: number, { folder, jetStream = true, config = '' }: NatsOptions): Promise<NatsServer> {
  const own = await mkdtemp(join(tmpdir(), 'plumbline-nats-'));
  const store = folder ?? join(own, 'store');
  const file = join(own, 'nats.conf');
  const lines = [`listen: "127.0.0.1:${String(port)}"`, config];
  if (jetStream) lines.push(`jetstream { store_dir: "${store}", max_file_store: 4GB }`);
  await writeFile(file, lines.join('\n'));
  let child: ChildProcess | undefined;
  let output = '';
  return {
    host: `127.0.0.1:${String(port)}`,
    folder: store,
    async start() {
      const started = startProgram('nats-server', ['-c', file], { stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      }
      await until('nats-server to listen', async () => {
        if (started.exitCode !== null) throw new Error(`nats-server ended:\n${output}`);
        return isListening(port);
      });
    },
    async stop(signal = 'SIGTERM') {
      await endProgram(child, { signal });
    },
    isRunning: () => child?.exitCode === null && child.signalCode === null,
    output: () => output,
    async dispose() {
      await endProgram(child, { signal: 'SIGKILL' });
      await rm(own, { recursive: true, force: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
