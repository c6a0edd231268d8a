import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { sqlState } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { FlushBuffer } from '../../common/flush-buffer.js';
import { EventRecordingRepository, type TimedEvent } from './event-recording.repository.js';
import { type OrgEvent } from './event.types.js';

const WRITE_AFTER_MS = 500;
const TRY_AGAIN_AFTER_MS = 5000;
/** Events per statement. */
const BATCH = 1000;
/** Events kept while the database is away; what comes on top is lost, and counted in the log. */
const MOST_WAITING = 20_000;
/** data_exception, integrity_constraint_violation: the same event would be refused for ever. */
const REFUSED = /^2[23]/;

/** Collects what happens in organisations and writes it within a second, many events at a time. */
@Injectable()
export class EventRecorder implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(EventRecorder.name);
  private readonly waiting = new FlushBuffer<number, TimedEvent>({
    write: (batch) => this.writeBatch([...batch.values()]),
    afterMs: WRITE_AFTER_MS,
    retryAfterMs: TRY_AGAIN_AFTER_MS,
    batch: BATCH,
    max: MOST_WAITING,
    onFailure: (error) =>
      this.logger.warn(`${String(this.waiting.size)} events wait, they could not be written: ${messageOf(error)}`),
  });
  private recorded = 0;
  private lost = 0;

  constructor(
    private readonly events: EventRecordingRepository,
    private readonly clock: Clock,
  ) {}

  /** Takes an event; never throws and never waits. To be called after the change it tells of is committed. */
  record(event: OrgEvent): void {
    const isTaken = this.waiting.add(this.recorded++, { ...event, timestamp: event.timestamp ?? this.clock.now() });
    if (!isTaken) this.lost++;
  }

  /** Resolves when all that was recorded is written, or could not be. */
  flush(): Promise<void> {
    return this.waiting.tryFlush();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.waiting.close();
  }

  /** What other areas recorded while they stopped. */
  onApplicationShutdown(): Promise<void> {
    return this.waiting.close();
  }

  private async writeBatch(events: readonly TimedEvent[]): Promise<void> {
    await this.write(events);
    if (this.lost === 0) return;
    this.logger.warn(
      `${String(this.lost)} events were not recorded: too many arrived while the database was unavailable`,
    );
    this.lost = 0;
  }

  /** An event that the database refuses for what it is does not hold up the others. */
  private async write(events: readonly TimedEvent[]): Promise<void> {
    try {
      await this.events.insert(events);
    } catch (error) {
      if (!REFUSED.test(sqlState(error) ?? '')) throw error;
      if (events.length > 1) for (const event of events) await this.write([event]);
      else this.logger.error(`An event of type ${events[0]!.type} cannot be recorded: ${messageOf(error)}`);
    }
  }
}
