import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY } from '../../common/time.js';
import { BENCHMARK_KEPT_SECONDS } from './benchmark-presenter.js';
import { BenchmarkRepository } from './benchmark.repository.js';

const EVERY_MS = 600_000;
/** So long it is still known that there was a benchmark: its address answers that it is over. */
const TRACE_SECONDS = 30 * DAY;

/** Erases benchmarks that are over. */
@Injectable()
export class BenchmarkHousekeeping extends RecurringWork {
  constructor(
    private readonly benchmarks: BenchmarkRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Old benchmarks could not be erased', role: 'api' });
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    await this.benchmarks.eraseContents(new Date((now - BENCHMARK_KEPT_SECONDS) * 1000));
    await this.benchmarks.forgetMadeBefore(new Date((now - BENCHMARK_KEPT_SECONDS - TRACE_SECONDS) * 1000));
  }
}
