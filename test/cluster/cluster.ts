import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type ExternalPostgres, externalPostgres } from '../support/external-postgres.js';
import { type NatsServer, natsClusterAt } from '../support/nats.js';
import { ADMIN, type Product, startProduct, until } from '../support/product.js';
import { startVictoriaMetrics } from '../support/victoria-metrics.js';
import { type Front, startFront } from './front.js';
import { createNetwork, type Host, type Network } from './network.js';

/** Roles by host. Each role is on two hosts, so that any one host may fail. */
const ROLES = [
  ['detect', 'ingest', 'notify'],
  ['detect', 'api'],
  ['ingest', 'api', 'notify'],
] as const;

export interface ClusterOptions {
  /**
   * Whether each role of a host has its own process. Otherwise one process has all roles, which needs fewer resources.
   */
  isSplit: boolean;
}

/** With these limits one token suffices for everything that a test sends and reads. */
const SETTINGS = {
  ...ADMIN,
  PLUMBLINE_LIMIT_API: '1000000',
  PLUMBLINE_LIMIT_INGEST_REQUESTS: '10000000',
  PLUMBLINE_LIMIT_INGEST_POINTS: '1000000000',
  PLUMBLINE_SECRET_KEY: 'ab'.repeat(32),
  PLUMBLINE_OUTGOING: 'any',
  SERIES_STORE_DELAY_SECONDS: '2',
};

type Role = (typeof ROLES)[number][number];

interface Process {
  roles: readonly Role[];
  product: Product;
}

/** A host of the cluster, with a nats-server and some processes of the product. */
export class Machine {
  constructor(
    readonly host: Host,
    readonly processes: readonly Process[],
    private readonly nats: NatsServer,
  ) {}

  get what(): string {
    return `${this.host.name} (${this.processes.flatMap(({ roles }) => roles).join(', ')})`;
  }

  /** Kills all programs of the host. */
  async kill(): Promise<void> {
    await Promise.all([this.nats, ...this.processes.map(({ product }) => product)].map((one) => one.stop('SIGKILL')));
  }

  /** Writes the output of all its programs into a folder. */
  async writeOutputs(folder: string): Promise<void> {
    await writeFile(join(folder, `${this.host.name}-nats.log`), this.nats.output());
    for (const { roles, product } of this.processes) {
      await writeFile(join(folder, `${this.host.name}-${roles.join('-')}.log`), product.output());
    }
  }

  /** Starts all programs again. Resolves when they are ready. */
  async start(): Promise<void> {
    await this.nats.start();
    await Promise.all(this.processes.map(({ product }) => product.restart()));
  }

  /** Resolves when all processes are ready. */
  async ready(timeoutMs: number): Promise<void> {
    await until(
      `${this.what} to be ready`,
      async () => {
        const answers = await Promise.all(
          this.processes.map(({ product }) =>
            fetch(`${product.managementUrl}/readyz`, { signal: AbortSignal.timeout(2000) }),
          ),
        );
        return answers.every(({ ok }) => ok);
      },
      { timeoutMs },
    );
  }
}

/** Three hosts. PostgreSQL, VictoriaMetrics and haproxy run outside of them and never fail. */
export class Cluster {
  private constructor(
    readonly network: Network,
    readonly machines: readonly Machine[],
    readonly front: Front,
    readonly database: pg.Client,
    private readonly disposals: readonly (() => Promise<unknown>)[],
  ) {}

  static async start(options: ClusterOptions): Promise<Cluster> {
    const disposals: (() => Promise<unknown>)[] = [];
    try {
      return await this.startAll(options, disposals);
    } catch (error) {
      await disposeAll(disposals);
      throw error;
    }
  }

  private static async startAll({ isSplit }: ClusterOptions, disposals: (() => Promise<unknown>)[]): Promise<Cluster> {
    const network = await createNetwork(ROLES.length);
    disposals.push(() => network.dispose());
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-cluster-'));
    disposals.push(() => rm(folder, { recursive: true, force: true }));
    const postgres = await postgresFor(network, folder);
    disposals.push(() => postgres.dispose());
    const victoria = await startVictoriaMetrics([], undefined, network.outside);
    disposals.push(() => victoria.dispose());
    const servers = await natsClusterAt(network.hosts);
    disposals.push(...servers.map((server) => () => server.dispose()));
    const database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    disposals.push(() => database.end());
    const url = new URL(postgres.url);
    url.hostname = network.outside;
    const env = {
      ...SETTINGS,
      DATABASE_URL: url.href,
      SERIES_STORE_URL: victoria.url,
      POINT_LOG_URL: `${servers.map(({ host }) => `nats://${host}`).join()}?replicas=3`,
    };
    await until('the servers of NATS to have a leader', async () =>
      servers.some((server) => server.output().includes('metadata leader')),
    );
    const processes: Process[][] = network.hosts.map(() => []);
    const groups = ROLES.flatMap((roles, host) =>
      (isSplit ? roles.map((role) => [role]) : [roles]).map((group) => [host, group] as const),
    );
    // Sequentially: the first migrates the database, and a concurrent start of all would exceed the time limit.
    for (const [host, roles] of groups) {
      const named = { ...env, PLUMBLINE_ROLES: roles.join(), NODE_NAME: `${roles[0]}-${String(host + 1)}` };
      const product = await startProduct(named, { place: network.hosts[host] });
      disposals.push(() => product.dispose());
      processes[host]!.push({ roles, product });
    }
    const ofRole = (role: Role): Product[] =>
      processes.flat().flatMap(({ roles, product }) => (roles.includes(role) ? [product] : []));
    const front = await startFront(ofRole('ingest'), ofRole('api'));
    disposals.push(() => front.dispose());
    const machines = network.hosts.map((host, index) => new Machine(host, processes[index]!, servers[index]!));
    return new Cluster(network, machines, front, database, disposals);
  }

  /** Stops and removes everything in reverse order. */
  async dispose(): Promise<void> {
    await disposeAll(this.disposals);
  }
}

async function disposeAll(disposals: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const dispose of disposals.toReversed()) await dispose().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'The cluster could not be removed');
}

async function postgresFor({ outside, subnet }: Network, folder: string): Promise<ExternalPostgres> {
  const rules = join(folder, 'pg_hba.conf');
  const from = ['127.0.0.1/32', subnet].map((network) => `host all all ${network} scram-sha-256\n`);
  await writeFile(rules, from.join(''), { mode: 0o644 });
  // The database is not under test, so it runs without fsync, which would cost most of the time.
  return externalPostgres(folder, {
    listen_addresses: `127.0.0.1,${outside}`,
    hba_file: rules,
    fsync: 'off',
    max_connections: '300',
  });
}
