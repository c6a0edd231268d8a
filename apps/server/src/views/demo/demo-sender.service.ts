import { Inject, Injectable, Logger } from '@nestjs/common';
import { type PointBatch, type PointLog, PointLogFullError } from '#libs/point-log';
import { Clock } from '../../common/clock.js';
import { HOUR } from '../../common/time.js';
import { PointCountsService } from '../../data/point-count/point-counts.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { floorToSlot, SLOT_SECONDS } from './demo-feed.js';
import { type Feeding } from './demo-feeds.service.js';
import { pause } from './demo-pause.js';

/** Older points are history: they are recorded, never alerted. */
export const LIVE_SECONDS = HOUR;
/** Senders report a slot a moment after its end. */
export const SENDING_DELAY_SECONDS = 1;
const FULL_LOG_PAUSE_MS = 200;

/** Sends the points of a demo like a sender, and records its simulated anomalies as events. */
@Injectable()
export class DemoSenderService {
  private readonly logger = new Logger(DemoSenderService.name);

  constructor(
    private readonly pointCounts: PointCountsService,
    private readonly events: EventRecorderService,
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends everything up to `until` (Unix seconds), however long the database is unavailable; stops when the process
   * stops.
   */
  async send(feeding: Feeding, until: number, stop: AbortSignal): Promise<void> {
    const liveFrom = floorToSlot(this.clock.now()) - LIVE_SECONDS + SLOT_SECONDS;
    await this.append(feeding.orgId, feeding.feed.nextBatch(Math.min(until, liveFrom)), 'backfill', stop);
    await this.append(feeding.orgId, feeding.feed.nextBatch(until), 'live', stop);
    this.label(feeding, until);
  }

  /** Start of the newest completed slot, Unix seconds. */
  newestSlot(): number {
    return floorToSlot(this.clock.now() - SENDING_DELAY_SECONDS) - SLOT_SECONDS;
  }

  /** Simulated anomalies are recorded as events, so that users can see whether they were detected. */
  private label(feeding: Feeding, until: number): void {
    for (const { from, until: end, text, kind, metric, metricId } of feeding.feed.labels(feeding.labelledUpTo, until)) {
      this.events.record({
        orgId: feeding.orgId,
        type: 'custom',
        level: 'info',
        title: 'Simulated anomaly',
        message: `${text.charAt(0).toUpperCase()}${text.slice(1)}: ${String(Math.round((end - from) / 60))} minutes of ${kind.replaceAll('_', ' ')} in ${metric}.`,
        metric,
        metricId,
        timestamp: from,
        ref: { kind: 'demo_trouble', id: `${String(metricId)}/${String(from)}` },
        details: { kind, from, until: end },
      });
      feeding.labelledUpTo = from;
    }
  }

  private async append(orgId: number, batch: PointBatch, kind: 'live' | 'backfill', stop: AbortSignal): Promise<void> {
    for (let failures = 0; batch.ids.length > 0 && !stop.aborted; failures++) {
      try {
        await this.log.append(batch, kind);
        this.pointCounts.record(orgId, batch.ids.length);
        return;
      } catch (error) {
        // Points that the database refused while it was unavailable are sent again, as a correct sender does.
        const isWorthSaying = failures === 0 && !(error instanceof PointLogFullError);
        if (isWorthSaying) this.logger.warn('Demo points wait for the point log', error);
        await pause(FULL_LOG_PAUSE_MS, stop);
      }
    }
  }
}
