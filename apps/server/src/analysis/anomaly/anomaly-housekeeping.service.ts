import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { AnomalyRecordingRepository } from './anomaly-recording.repository.js';

const EVERY_MS = 3_600_000;
const STEP = 10_000;

/**
 * Drops anomalies that have been over for longer than their organisation keeps its data, once an hour. Two processes may be
 * at it: each row is dropped once.
 */
@Injectable()
export class AnomalyHousekeeping extends RecurringWork {
  constructor(
    private readonly anomalies: AnomalyRecordingRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Old anomalies could not be dropped', role: 'detect' });
  }

  async run(): Promise<void> {
    await this.repeat(STEP, () => this.anomalies.forgetExpired(this.clock.now(), STEP));
  }
}
