import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { StreamLogRepository } from './stream-log.repository.js';
import { STREAM_KEPT_SECONDS } from './stream-log.types.js';

const EVERY_MS = 60_000;
const STEP = 10_000;

/** Drops events that are too old to be resent, once a minute. Two processes may be at it. */
@Injectable()
export class StreamLogHousekeeping extends RecurringWork {
  constructor(
    private readonly events: StreamLogRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Old events of the stream could not be dropped', role: 'detect' });
  }

  async run(): Promise<void> {
    const before = this.clock.now() - STREAM_KEPT_SECONDS;
    await this.repeat(STEP, () => this.events.dropBefore(before, STEP));
  }
}
