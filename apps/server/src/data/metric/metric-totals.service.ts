import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../common/clock.js';
import { type MetricFilter, MetricRepository } from './metric.repository.js';
import { SearchQueue } from './search-queue.js';

/** Fewer metrics than this are counted for every list. */
const MIN_REMEMBERED_TOTAL = 100_000;
/** An older cached total is still returned, but counted again in the background. */
const RECOUNT_AFTER_SECONDS = 10;
/** An older cached total is not returned. */
export const MAX_TOTAL_AGE_SECONDS = 30;
const MAX_REMEMBERED = 500;

interface RememberedTotal {
  total: number;
  countedAt: number;
  isRecounting: boolean;
}

/**
 * Number of metrics that a filter selects. A page is found by an index, but its total requires reading every row: with
 * a million metrics that takes ten times as long as the page. Large totals are therefore cached; the states that they
 * count may be half a minute old too.
 */
@Injectable()
export class MetricTotalsService {
  private readonly remembered = new LRUCache<string, RememberedTotal>({ max: MAX_REMEMBERED });

  constructor(
    private readonly metrics: MetricRepository,
    private readonly turns: SearchQueue,
    private readonly clock: Clock,
  ) {}

  /** Call it within a turn of the search queue. */
  async count(orgId: number, filter: MetricFilter): Promise<number> {
    const key = JSON.stringify([orgId, filter]);
    const known = this.remembered.get(key);
    // A clock that was set back makes the age negative.
    const age = known === undefined ? Infinity : Math.abs(this.clock.now() - known.countedAt);
    if (known === undefined || age > MAX_TOTAL_AGE_SECONDS) return this.countNow(key, orgId, filter);
    if (age >= RECOUNT_AFTER_SECONDS && !known.isRecounting) {
      known.isRecounting = true;
      // The error is not lost: without a cached total, the next list counts and reports it.
      this.turns.run(orgId, () => this.countNow(key, orgId, filter)).catch(() => this.remembered.delete(key));
    }
    return known.total;
  }

  private async countNow(key: string, orgId: number, filter: MetricFilter): Promise<number> {
    const countedAt = this.clock.now();
    const total = await this.metrics.count(orgId, filter);
    if (total >= MIN_REMEMBERED_TOTAL) this.remembered.set(key, { total, countedAt, isRecounting: false });
    else this.remembered.delete(key);
    return total;
  }
}
