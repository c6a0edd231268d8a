import { createServer, type Server, type Socket } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { ServerConfig } from '../../common/config/server.config.js';
import { addressKey, plainAddress } from '../../common/http/client-address.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { BodyBudgetService } from './body-budget.service.js';
import { GraphiteConnection } from './graphite-connection.js';
import { GraphiteStoreService } from './graphite-store.service.js';
import { GraphiteConfig } from './graphite.config.js';

/** Time within which lines that were read must be stored when the process stops. */
const STOP_SECONDS = 5;

/** Accepts Graphite plaintext over TCP if the operator enables it. */
@Injectable()
export class GraphiteServerService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Graphite');
  private readonly connections = new Map<Socket, GraphiteConnection>();
  private readonly perAddress = new Map<string, number>();
  private readonly giveUp = new AbortController();
  private readonly refused: Counter<'reason'>;
  private server: Server | undefined;

  constructor(
    private readonly serverConfig: ServerConfig,
    private readonly config: GraphiteConfig,
    private readonly store: GraphiteStoreService,
    private readonly budget: BodyBudgetService,
    registry: MetricsRegistry,
  ) {
    const registers = [registry.prometheus];
    const { connections } = this;
    new Gauge({
      name: 'plumbline_graphite_connections',
      help: 'Open Graphite connections',
      registers,
      collect() {
        this.set(connections.size);
      },
    });
    this.refused = new Counter({
      name: 'plumbline_graphite_refused_connections_total',
      help: 'Graphite connections closed immediately, by reason',
      labelNames: ['reason'],
      registers,
    });
  }

  /** The port of the listener; undefined without one. */
  get port(): number | undefined {
    const address = this.server?.address();
    return typeof address === 'object' ? address?.port : undefined;
  }

  async onApplicationBootstrap(): Promise<void> {
    const listener = this.serverConfig.graphiteListener;
    if (!listener) return;
    const server = createServer((socket) => this.accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: listener.host ?? '::', port: listener.port }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    server.on('error', (error) => this.logger.error(`The listener has failed: ${error.message}`));
    this.server = server;
  }

  /** Stops reading, and stores the lines that were read, within a bounded time. */
  async onModuleDestroy(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const timer = setTimeout(() => this.giveUp.abort(), STOP_SECONDS * 1000);
    await Promise.all([...this.connections.values()].map((connection) => connection.finish()));
    clearTimeout(timer);
    await closed;
  }

  private accept(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    const key = addressKey(address);
    const open = this.perAddress.get(key) ?? 0;
    const reason =
      open >= this.config.connectionsPerAddress
        ? 'too_many_of_address'
        : this.connections.size >= this.config.connections
          ? 'too_many'
          : undefined;
    if (reason !== undefined) {
      this.refused.inc({ reason });
      socket.on('error', () => undefined).destroy();
      return;
    }
    this.perAddress.set(key, open + 1);
    const { idleSeconds } = this.config;
    const { signal } = this.giveUp;
    const share = this.budget.open(`address:${key}`);
    const connection = new GraphiteConnection(socket, address, this.store, share, idleSeconds, signal);
    this.connections.set(socket, connection);
    socket.once('close', () => {
      void connection.finish().then(() => this.connections.delete(socket));
      const left = (this.perAddress.get(key) ?? 1) - 1;
      if (left > 0) this.perAddress.set(key, left);
      else this.perAddress.delete(key);
    });
  }
}
