import { rateLimit } from '../../common/http/rate-limits.js';
import { HOUR } from '../../common/time.js';
import { BenchmarkConfig } from './benchmark.config.js';

export const BENCHMARKS_OF_ADDRESS = rateLimit({
  name: 'benchmarksOfAddress',
  config: BenchmarkConfig,
  points: (config) => config.startsOfAddress,
  windowSeconds: HOUR,
});

export const BENCHMARKS_OF_CALLER = rateLimit({
  name: 'benchmarksOfCaller',
  config: BenchmarkConfig,
  points: (config) => config.starts,
  windowSeconds: HOUR,
});

/** Addresses for mails, from one address of the network. */
export const BENCHMARK_MAILS = rateLimit({
  name: 'benchmarkMails',
  config: BenchmarkConfig,
  points: (config) => config.mails,
  windowSeconds: HOUR,
});
