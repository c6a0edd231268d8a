import { Setting } from '../../common/config/setting.decorator.js';

/** How many benchmarks ("try your own series") may be started. */
export class BenchmarkConfig {
  @Setting({
    env: 'PLUMBLINE_LIMIT_BENCHMARK_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Benchmarks started without credential from one address.',
  })
  startsOfAddress = 5;

  @Setting({
    env: 'PLUMBLINE_LIMIT_BENCHMARK',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Benchmarks started by one user or token.',
  })
  starts = 20;

  @Setting({
    env: 'PLUMBLINE_LIMIT_BENCHMARK_MAILS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Mail addresses given for benchmarks from one address.',
  })
  mails = 5;

  @Setting({
    env: 'PLUMBLINE_BENCHMARKS_KEPT',
    type: 'int',
    min: 1,
    max: 1_000_000,
    sentence: 'Benchmarks kept at the same time, in the whole installation, each for seven days.',
  })
  kept = 2000;
}
