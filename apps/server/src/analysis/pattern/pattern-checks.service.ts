import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RecurringWork } from '../../common/recurring-work.js';
import { PatternRepository } from './pattern.repository.js';

const EVERY_MS = 30_000;
/**
 * Counting ten thousand patterns in one statement would make verdicts wait for its locks, and requests for the
 * database.
 */
const AT_ONCE = 250;

/**
 * Counts how often patterns were compared. A check compares all patterns of a metric: an immediate write for each would
 * cost more than the check. A killed process loses half a minute of counts.
 */
@Injectable()
export class PatternChecksService extends RecurringWork {
  private counts = new Map<number, Map<number, number>>();

  constructor(private readonly patterns: PatternRepository) {
    super({ everyMs: EVERY_MS, failure: 'Checks of patterns could not be counted', role: 'detect' });
  }

  note(orgId: number, ids: Iterable<number>): void {
    const counts = this.counts.get(orgId) ?? new Map<number, number>();
    this.counts.set(orgId, counts);
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  }

  async run(): Promise<void> {
    const taken = this.counts;
    this.counts = new Map();
    for (const [orgId, counts] of taken) {
      const rows = [...counts];
      for (let first = 0; first < rows.length; first += AT_ONCE) {
        const began = performance.now();
        await this.patterns.addChecks(orgId, new Map(rows.slice(first, first + AT_ONCE)));
        // A pause as long as the write: at most half of the time of a database connection.
        if (!this.isStopping) await pause(performance.now() - began);
      }
    }
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.runAndLog();
  }
}
