import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { FlushBuffer } from '../../common/flush-buffer.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { DAY, HOUR } from '../../common/time.js';
import { OrgPointCountRepository, type PointCount } from './org-point-count.repository.js';

/** Length of the periods in which points are counted, in seconds... */
export const POINT_COUNT_SECONDS = 300;
/** ...and the age at which they are combined into hours. */
export const POINT_COUNTS_FINE_SECONDS = 8 * DAY;
const POINT_COUNTS_KEPT_SECONDS = 2 * 366 * DAY;

const WRITE_AFTER_MS = 10_000;

/**
 * Counts the points that each organisation sends. Sums are kept in memory and written together after ten seconds: a
 * process that is killed loses up to ten seconds of counts, but no points.
 */
@Injectable()
export class PointCountsService implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(PointCountsService.name);
  /** By organisation and start of the five minutes. */
  private readonly waiting = new FlushBuffer<string, PointCount>({
    write: (batch) => this.counts.addCounts([...batch.values()]),
    merge: (present, added) => ({ ...present, points: present.points + added.points }),
    afterMs: WRITE_AFTER_MS,
    onFailure: (error) => this.logger.warn(`Counts of points wait, they could not be written: ${messageOf(error)}`),
  });

  constructor(
    private readonly counts: OrgPointCountRepository,
    private readonly clock: Clock,
  ) {}

  /** Counts points that were just stored; neither waits nor throws. */
  record(orgId: number, points: number): void {
    if (points === 0) return;
    const timestamp = Math.floor(this.clock.now() / POINT_COUNT_SECONDS) * POINT_COUNT_SECONDS;
    this.waiting.add(`${String(orgId)} ${String(timestamp)}`, { orgId, timestamp, points });
  }

  /** Sums by periods of `seconds` that start within [from, until]; Unix seconds. */
  sumByStretch(
    orgId: number,
    from: number,
    until: number,
    seconds: number,
  ): Promise<{ timestamp: number; count: number }[]> {
    return this.counts.sumByStretch(orgId, from, until, seconds);
  }

  /** Compacts the counts. Several processes may do it: each step is idempotent. */
  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Counts of points could not be merged', role: 'detect' })
  async tidyUp(now: number): Promise<void> {
    await this.counts.dropBefore(now - POINT_COUNTS_KEPT_SECONDS);
    await this.counts.mergeBefore(now - POINT_COUNTS_FINE_SECONDS);
  }

  /** Resolves when all counts are written, or the write has failed; it is then retried. */
  flush(): Promise<void> {
    return this.waiting.tryFlush();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.waiting.close();
  }

  /** Of requests that were in progress. */
  onApplicationShutdown(): Promise<void> {
    return this.waiting.close();
  }
}
