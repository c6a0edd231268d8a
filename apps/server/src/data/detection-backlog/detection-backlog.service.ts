import { Inject, Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { type WaitingPoints } from '#libs/point-log';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { POINT_LOG, type PointLog } from '../../platform/storage/storage.types.js';
import { DetectionBacklogRepository } from './detection-backlog.repository.js';

const LOOK_MS = 1000;
/** Maximum share of the time that these queries may take. */
const LOOK_SHARE = 0.05;

/**
 * How far detection is behind the accepted points, in the whole installation. `ingest` limits it, so that a machine
 * that receives more than it can detect reports this to its senders. The figures are at most about a second old; while
 * the database or the log is unavailable, the last ones stay.
 */
@Injectable()
export class DetectionBacklogService extends RecurringWork {
  private latest: WaitingPoints = { points: 0, oldestAppendedAt: null };
  private tookMs = 0;

  constructor(
    private readonly repository: DetectionBacklogRepository,
    @Inject(POINT_LOG) private readonly log: Pick<PointLog, 'partitions' | 'waiting'>,
    private readonly clock: Clock,
    private readonly config: ServerConfig,
    metrics: MetricsRegistry,
  ) {
    super({
      everyMs: LOOK_MS,
      firstAfterMs: 0,
      failure: 'The backlog of detection cannot be read',
      logEvery: Infinity,
    });
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

  /** Queries database and log now. Keeps the last figures if one does not answer. */
  refresh(): Promise<void> {
    return this.runAndLog();
  }

  async run(): Promise<void> {
    const startedAt = performance.now();
    try {
      this.latest = await this.log.waiting(await this.repository.appliedPositions(this.log.partitions));
    } finally {
      this.tookMs = performance.now() - startedAt;
    }
  }

  protected override isWanted(): boolean {
    const { roles } = this.config;
    return roles.includes('ingest') || roles.includes('detect');
  }

  protected override pauseMs(): number {
    return Math.max(LOOK_MS, this.tookMs / LOOK_SHARE);
  }
}
