import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { afterCommit, sqlState, type Tx } from '../../common/database/transactions.js';
import { counted } from '../../common/display/display.js';
import { messageOf } from '../../common/errors/message-of.js';
import { FlushBuffer } from '../../common/flush-buffer.js';
import { EventRecordingRepository, type TimedEvent } from './event-recording.repository.js';
import { type OrgEvent } from './event.types.js';

const WRITE_AFTER_MS = 500;
const TRY_AGAIN_AFTER_MS = 5000;
/** Events per statement. */
const BATCH = 1000;
/**
 * Maximum number of events in memory while the database is unavailable; further ones are lost, and counted in the log.
 */
const MAX_WAITING = 20_000;
/** data_exception, integrity_constraint_violation: the database would always refuse the same event. */
const REFUSED = /^2[23]/;

/** Collects the events of organisations and writes them within a second, many events at a time. */
@Injectable()
export class EventRecorderService implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(EventRecorderService.name);
  private readonly waiting = new FlushBuffer<number, TimedEvent>({
    write: (batch) => this.writeBatch([...batch.values()]),
    afterMs: WRITE_AFTER_MS,
    retryAfterMs: TRY_AGAIN_AFTER_MS,
    batch: BATCH,
    max: MAX_WAITING,
    onFailure: (error) =>
      this.logger.warn(`${String(this.waiting.size)} events wait, they could not be written: ${messageOf(error)}`),
  });
  private recorded = 0;
  /** By organisation. */
  private readonly lost = new Map<number, number>();

  constructor(
    private readonly events: EventRecordingRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Accepts an event; never throws and never waits.
   * @param tx the transaction of the change that it reports: the event is accepted after its commit
   */
  record(event: OrgEvent, tx?: Tx): void {
    if (tx === undefined) this.take(event);
    else
      afterCommit(tx, () => {
        this.take(event);
      });
  }

  private take(event: OrgEvent): void {
    const isTaken = this.waiting.add(this.recorded++, { ...event, timestamp: event.timestamp ?? this.clock.now() });
    if (!isTaken) this.lost.set(event.orgId, (this.lost.get(event.orgId) ?? 0) + 1);
  }

  /** Resolves when all recorded events are written, or could not be written. */
  flush(): Promise<void> {
    return this.waiting.tryFlush();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.waiting.close();
  }

  /** Writes the events that other areas recorded while they stopped. */
  onApplicationShutdown(): Promise<void> {
    return this.waiting.close();
  }

  private async writeBatch(events: readonly TimedEvent[]): Promise<void> {
    await this.write(events);
    if (this.lost.size === 0) return;
    const lost = [...this.lost];
    await this.write(
      lost.map(([orgId, count]) => ({
        ...missing(orgId, this.clock.now()),
        message: `${counted(count, 'event is', 'events are')} missing here: too many arrived while the database was unavailable.`,
      })),
    );
    this.lost.clear();
    const count = lost.reduce((sum, [, ofOrg]) => sum + ofOrg, 0);
    this.logger.warn(
      `${counted(count, 'event was', 'events were')} not recorded: too many arrived while the database was unavailable`,
    );
  }

  /** An event that the database refuses because of its content does not delay the others. */
  private async write(events: readonly TimedEvent[]): Promise<void> {
    try {
      await this.events.insert(events);
    } catch (error) {
      if (!REFUSED.test(sqlState(error) ?? '')) throw error;
      if (events.length > 1) for (const event of events) await this.write([event]);
      else await this.writeRefused(events[0]!, error);
    }
  }

  /** Administrators see an event about the missing event instead. */
  private async writeRefused({ orgId, type, timestamp }: TimedEvent, error: unknown): Promise<void> {
    this.logger.error(`An event of type ${type} cannot be recorded: ${messageOf(error)}`);
    const message = `An event of the type ${type} is missing here: the database refused it.`;
    try {
      await this.events.insert([{ ...missing(orgId, timestamp), message }]);
    } catch (again) {
      if (!REFUSED.test(sqlState(again) ?? '')) throw again;
    }
  }
}

const missing = (orgId: number, timestamp: number): Omit<TimedEvent, 'message'> => ({
  ...{ orgId, timestamp },
  type: 'custom',
  level: 'warning',
  title: 'Events are missing',
});
