import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY } from '../../common/time.js';
import { IncidentGroupingRepository } from './incident-grouping.repository.js';

const EVERY_MS = 3_600_000;
const STEP = 1000;
/** For so long an incident without anomalies is still found by its id. */
const EMPTY_KEPT_SECONDS = 30 * DAY;

/** Incidents go with their anomalies: drops those that have had none for long, once an hour. */
@Injectable()
export class IncidentHousekeeping extends RecurringWork {
  constructor(
    private readonly incidents: IncidentGroupingRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Incidents without anomalies could not be dropped', role: 'detect' });
  }

  async run(): Promise<void> {
    const before = this.clock.now() - EMPTY_KEPT_SECONDS;
    await this.repeat(STEP, () => this.incidents.dropEmptyBefore(before, STEP));
  }
}
