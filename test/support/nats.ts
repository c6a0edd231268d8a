import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildProcess } from 'node:child_process';
import { freePort } from '../../scripts/free-port.mjs';
import { until } from './product.js';
import { endProgram, HERE, isListening, type Place, startProgramAt } from './programs.js';

export interface NatsServer {
  /** `address:port` of this server only. */
  host: string;
  folder: string;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** SIGSTOP keeps the connections but stops all answers until SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  isRunning(): boolean;
  /** Everything that the server has printed. */
  output(): string;
  /** Stops the server and removes its folder. */
  dispose(): Promise<void>;
}

export interface NatsOptions {
  /** Folder for streams; by default a temporary one. */
  folder?: string;
  /** False disables JetStream. */
  jetStream?: boolean;
  /** Additional lines of its configuration file. */
  config?: string;
  place?: Place;
}

/** Starts a real nats-server with JetStream. */
export async function natsServer(options: NatsOptions = {}): Promise<NatsServer> {
  const server = await prepare(await freePort(), options);
  await server.start();
  return server;
}

/** Starts this number of servers as one cluster. */
export function natsCluster(size: number): Promise<NatsServer[]> {
  return natsClusterAt(Array.from({ length: size }, () => HERE));
}

/** Starts one server at each place, as one cluster. */
export async function natsClusterAt(places: readonly Place[]): Promise<NatsServer[]> {
  const size = places.length;
  const ports = await freePorts(2 * size);
  const listening = places.map(({ address }, i) => `${address}:${String(ports[size + i])}`);
  const routes = listening.map((at) => `nats-route://${at}`).join(', ');
  const servers = await Promise.all(
    places.map((place, i) =>
      prepare(ports[i]!, {
        place,
        config: [
          `server_name: n${String(i)}`,
          `cluster { name: test, listen: "${listening[i]!}", routes: [${routes}] }`,
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

async function prepare(
  port: number,
  { folder, jetStream = true, config = '', place = HERE }: NatsOptions,
): Promise<NatsServer> {
  const host = `${place.address}:${String(port)}`;
  const own = await mkdtemp(join(tmpdir(), 'plumbline-nats-'));
  const store = folder ?? join(own, 'store');
  const file = join(own, 'nats.conf');
  const lines = [`listen: "${host}"`, config];
  if (jetStream) lines.push(`jetstream { store_dir: "${store}", max_file_store: 4GB }`);
  await writeFile(file, lines.join('\n'));
  let child: ChildProcess | undefined;
  let output = '';
  return {
    host,
    folder: store,
    async start() {
      const started = startProgramAt(place, 'nats-server', ['-c', file], { stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      }
      await until('nats-server to listen', async () => {
        if (started.exitCode !== null) throw new Error(`nats-server ended:\n${output}`);
        return isListening(place.address, port);
      });
    },
    async stop(signal = 'SIGTERM') {
      await endProgram(child, { signal });
    },
    signal(signal) {
      child!.kill(signal);
    },
    isRunning: () => child?.exitCode === null && child.signalCode === null,
    output: () => output,
    async dispose() {
      await endProgram(child, { signal: 'SIGKILL' });
      await rm(own, { recursive: true, force: true });
    },
  };
}
