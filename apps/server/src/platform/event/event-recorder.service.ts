import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { sqlState } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
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
  private waiting: TimedEvent[] = [];
  private lost = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly events: EventRecordingRepository,
    private readonly clock: Clock,
  ) {}

  /** Takes an event; never throws and never waits. To be called after the change it tells of is committed. */
  record(event: OrgEvent): void {
    if (this.waiting.length >= MOST_WAITING) {
      this.lost++;
      return;
    }
    this.waiting.push({ ...event, timestamp: event.timestamp ?? this.clock.now() });
    this.schedule(WRITE_AFTER_MS);
  }

  /** Resolves when all that was recorded is written, or could not be. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.writeAll());
    return this.writing;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** What other areas recorded while they stopped. */
  async onApplicationShutdown(): Promise<void> {
    if (this.waiting.length > 0) await this.flush();
    clearTimeout(this.timer);
  }

  private schedule(milliseconds: number): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => void this.flush(), milliseconds);
    this.timer.unref();
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, BATCH);
      try {
        await this.write(batch);
      } catch (error) {
        this.logger.warn(`${String(this.waiting.length)} events wait, they could not be written: ${messageOf(error)}`);
        this.schedule(TRY_AGAIN_AFTER_MS);
        return;
      }
      this.waiting = this.waiting.slice(batch.length);
    }
    if (this.lost > 0) {
      this.logger.warn(`${String(this.lost)} events were not recorded: too many came while they could not be written`);
      this.lost = 0;
    }
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
