import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { messageOf } from '../../common/errors/message-of.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { type Backlog, DetectionBacklogRepository } from './detection-backlog.repository.js';

const LOOK_MS = 1000;
/** Looking may cost at most this share of the time. */
const LOOK_SHARE = 0.05;

/**
 * How far detection is behind what was accepted, in the whole installation: what `ingest` bounds so that a machine that
 * receives more than it can detect says so to its senders. At most a second or so old; while the database is away the
 * last figures stay.
 */
@Injectable()
export class DetectionBacklog implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DetectionBacklog.name);
  private latest: Backlog = { points: 0, oldestAppendedAt: null };
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private isStopped = false;
  private isFailing = false;

  constructor(
    private readonly repository: DetectionBacklogRepository,
    private readonly clock: Clock,
    private readonly server: ServerConfig,
    metrics: MetricsRegistry,
  ) {
    const points = (): number => this.points;
    new Gauge({
      name: 'plumbline_detection_backlog_points',
      help: 'Points accepted and not yet detected on, in the whole installation',
      registers: [metrics.prometheus],
      collect() {
        this.set(points());
      },
    });
  }

  /** Points accepted whose effects are not stored yet. */
  get points(): number {
    return this.latest.points;
  }

  /** Age of the oldest of them in seconds; 0 when there is none. */
  get lagSeconds(): number {
    const { oldestAppendedAt } = this.latest;
    return oldestAppendedAt === null ? 0 : Math.max(0, this.clock.now() - oldestAppendedAt);
  }

  onApplicationBootstrap(): void {
    const { roles } = this.server;
    if (roles.includes('ingest') || roles.includes('detect')) this.lookIn(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  /** Asks the database now. Keeps the last figures when it does not answer. */
  async refresh(): Promise<void> {
    try {
      this.latest = await this.repository.read();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.warn(`The backlog of detection cannot be read: ${messageOf(error)}`);
      this.isFailing = true;
    }
  }

  private lookIn(milliseconds: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      const started = performance.now();
      this.looking = this.refresh().then(() => {
        this.lookIn(Math.max(LOOK_MS, (performance.now() - started) / LOOK_SHARE));
      });
    }, milliseconds);
    this.timer.unref();
  }
}
