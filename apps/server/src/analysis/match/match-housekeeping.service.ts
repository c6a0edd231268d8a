import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { MatchRepository } from './match.repository.js';

const EVERY_MS = 3_600_000;
const STEP = 10_000;

/** Drops matches that are older than their organisation keeps its data, once an hour. */
@Injectable()
export class MatchHousekeeping extends RecurringWork {
  constructor(
    private readonly matches: MatchRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Old matches could not be dropped', role: 'detect' });
  }

  async run(): Promise<void> {
    await this.repeat(STEP, () => this.matches.forgetExpired(this.clock.now(), STEP));
  }
}
