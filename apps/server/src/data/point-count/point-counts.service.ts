import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { OrgPointCountRepository, type PointCount } from './org-point-count.repository.js';
import { POINT_COUNT_SECONDS } from './point-counts.types.js';

const WRITE_EVERY_MS = 10_000;

/**
 * Counts the points that each organisation sends. Sums are kept in memory and written together every ten seconds: a
 * process that is killed loses so much of the counts, never of the points.
 */
@Injectable()
export class PointCounts implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(PointCounts.name);
  /** By organisation and beginning of the five minutes. */
  private waiting = new Map<string, PointCount>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly counts: OrgPointCountRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), WRITE_EVERY_MS);
    this.timer.unref();
  }

  /** Points that were stored just now; neither waits nor throws. */
  note(orgId: number, points: number): void {
    if (points === 0) return;
    const timestamp = Math.floor(this.clock.now() / POINT_COUNT_SECONDS) * POINT_COUNT_SECONDS;
    this.keep({ orgId, timestamp, points });
  }

  /** Sums by stretches of `seconds`, of those that begin within [from, until]; Unix seconds. */
  sums(orgId: number, from: number, until: number, seconds: number): Promise<{ timestamp: number; count: number }[]> {
    return this.counts.sums(orgId, from, until, seconds);
  }

  /** Resolves when all that was counted is written, or could not be; then it is tried again. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Of requests that were under way. */
  onApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  private async write(): Promise<void> {
    if (this.waiting.size === 0) return;
    const batch = [...this.waiting.values()];
    this.waiting = new Map();
    try {
      await this.counts.add(batch);
    } catch (error) {
      for (const count of batch) this.keep(count);
      this.logger.warn(`Counts of points wait, they could not be written: ${messageOf(error)}`);
    }
  }

  private keep({ orgId, timestamp, points }: PointCount): void {
    const key = `${String(orgId)} ${String(timestamp)}`;
    const present = this.waiting.get(key);
    if (present) present.points += points;
    else this.waiting.set(key, { orgId, timestamp, points });
  }
}
