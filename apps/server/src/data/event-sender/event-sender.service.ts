import { Injectable } from '@nestjs/common';
import { canonicalName } from '#libs/protocols';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { rateLimit, RateLimitedError, RateLimits } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { type GeneratedPoint, PointIntakeService } from '../ingest/point-intake.service.js';
import { type EventsAcceptedDto } from './dto/event-sender.dto.js';
import { type SendEventsParams, type SentEventParams } from './dto/event-sender.params.js';

/** Large enough that the difference survives in a float of Unix seconds. */
const STEP_SECONDS = 1e-6;
/** Processes start at different microseconds: two points with the same time would be one point. */
const MAX_OFFSET_SECONDS = 1e-3;
/** Far more points than a process accepts in one call. */
const MAX_AHEAD_SECONDS = 1;

/** Current times, each used once: two points of a metric with the same time would be one point. */
class DistinctTimes {
  private last = -Infinity;
  private readonly offset = Math.random() * MAX_OFFSET_SECONDS;

  /** @param now Unix seconds */
  constructor(private readonly now: () => number) {}

  /** Unix seconds, a little before now. */
  next(): number {
    const time = this.now() - this.offset;
    const following = this.last + STEP_SECONDS;
    // Follows a clock that was set back.
    this.last = following > time + MAX_AHEAD_SECONDS ? time : Math.max(time, following);
    return this.last;
  }
}

/** Limit of stored events of kind `custom` per organisation. Events beyond it only count in the metrics. */
const CUSTOM_EVENTS = rateLimit({
  name: 'customEvents',
  config: RateLimitConfig,
  points: () => 60,
  windowSeconds: MINUTE,
});

/** Counts the reports of web pages. */
@Injectable()
export class EventSenderService {
  private readonly times: DistinctTimes;

  constructor(
    private readonly intake: PointIntakeService,
    clock: Clock,
    private readonly events: EventRecorderService,
    private readonly rates: RateLimits,
  ) {
    this.times = new DistinctTimes(() => clock.now());
  }

  /**
   * Resolves when the counts are stored; events whose metric is excluded or over the quota are not accepted.
   * @throws IngestBusyError, RateLimitedError, PointsNotStoredError
   */
  async send(caller: KnownCaller, params: SendEventsParams): Promise<EventsAcceptedDto> {
    const sent = eventsOf(params);
    const sender = caller.kind === 'token' ? `token:${String(caller.tokenRef)}` : `user:${String(caller.userId)}`;
    const limitKey = `${sender}:${String(caller.org.id)}`;
    const refused = await this.intake.take(
      { caller, limitKey },
      sent.flatMap((one) => this.pointsOf(one)),
    );
    const accepted = sent.filter(
      ({ event, properties }) => !refused.has(canonicalName(nameOf(event), properties ?? {})),
    );
    await this.recordCustom(caller, accepted);
    return { accepted: accepted.reduce((sum, { count }) => sum + count, 0), message: 'OK' };
  }

  /** The points of a slot are summed, whichever processes receive them. */
  private pointsOf({ event, count, value, properties = {} }: SentEventParams): GeneratedPoint[] {
    const name = nameOf(event);
    const times = { metric: name, labels: properties, type: 'rate', aggregation: 'sum' } as const;
    const counted: GeneratedPoint = { ...times, timestamp: this.times.next(), value: count };
    if (value === undefined) return [counted];
    const values = { metric: `${name}.value`, labels: properties, type: 'gauge', aggregation: 'avg' } as const;
    return [counted, { ...values, timestamp: this.times.next(), value }];
  }

  /** As events of kind `custom`, while they are not too many to read. */
  private async recordCustom(caller: KnownCaller, sent: readonly SentEventParams[]): Promise<void> {
    for (const { event, count, value, properties } of sent) {
      if (!(await this.hasRoom(caller.org.id))) return;
      const times = count === 1 ? 'once' : `${String(count)} times`;
      const valueText = value === undefined ? '' : `, with the value ${String(value)}`;
      this.events.record({
        orgId: caller.org.id,
        type: 'custom',
        level: 'info',
        title: event,
        message: `A page has reported ${event} ${times}${valueText}.`,
        details: { event, count, value: value ?? null, properties: properties ?? {} },
        ...byCaller(caller),
      });
    }
  }

  private async hasRoom(orgId: number): Promise<boolean> {
    try {
      await this.rates.consume(CUSTOM_EVENTS, String(orgId));
      return true;
    } catch (error) {
      if (error instanceof RateLimitedError) return false;
      throw error;
    }
  }
}

const nameOf = (event: string): string => `events.${event}`;

function eventsOf({ event, events, count = 1, value, properties }: SendEventsParams): readonly SentEventParams[] {
  // The parameters are validated: exactly one of the two forms is present.
  return events ?? [{ event: event!, count, value, properties }];
}
