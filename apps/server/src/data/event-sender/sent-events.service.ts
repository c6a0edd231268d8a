import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { rateLimit, RateLimitedError, RateLimits } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { type SentEventParams } from './dto/event-sender.params.js';

/** Limit of events of kind `custom` of one organisation: further ones are only counted in the metrics. */
const CUSTOM_EVENTS = rateLimit({
  name: 'customEvents',
  config: RateLimitConfig,
  points: () => 60,
  windowSeconds: MINUTE,
});

/** Records reports of web pages as events of kind `custom`, while they are not too many to read. */
@Injectable()
export class SentEventsService {
  constructor(
    private readonly events: EventRecorderService,
    private readonly rates: RateLimits,
  ) {}

  async record(caller: KnownCaller, sent: readonly SentEventParams[]): Promise<void> {
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
