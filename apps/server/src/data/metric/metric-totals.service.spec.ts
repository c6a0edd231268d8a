import { setImmediate as nextRound } from 'node:timers/promises';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { MAX_TOTAL_AGE_SECONDS, MetricTotalsService } from './metric-totals.service.js';
import { SearchQueue } from './search-queue.js';

const ALL = { chips: [], states: [] };

let clock: HandClock;
let stored: number | Error;
let counted: number;
let totals: MetricTotalsService;

beforeEach(() => {
  clock = new HandClock();
  stored = 250_000;
  counted = 0;
  const count = () => {
    counted++;
    return stored instanceof Error ? Promise.reject(stored) : Promise.resolve(stored);
  };
  totals = new MetricTotalsService(
    { count } as never,
    new SearchQueue(new FairQueueRegistry(new MetricsRegistry())),
    clock,
  );
});

it('MetricTotalsService counts a small number of metrics for every list', async () => {
  stored = 99_999;
  expect(await totals.count(1, ALL)).toBe(99_999);
  stored = 12;
  expect(await totals.count(1, ALL)).toBe(12);
});

it('MetricTotalsService caches a large total per organisation and filter', async () => {
  expect(await totals.count(1, ALL)).toBe(250_000);
  stored = 300_000;
  expect(await totals.count(1, ALL)).toBe(250_000);
  expect(await totals.count(2, ALL)).toBe(300_000);
  expect(await totals.count(1, { ...ALL, type: 'counter' })).toBe(300_000);
  expect(counted).toBe(3);
});

it('MetricTotalsService refreshes a cached total once in the background', async () => {
  await totals.count(1, ALL);
  stored = 300_000;
  clock.seconds += 10;
  expect(await Promise.all([totals.count(1, ALL), totals.count(1, ALL)])).toEqual([250_000, 250_000]);
  await nextRound();
  expect(await totals.count(1, ALL)).toBe(300_000);
  expect(counted).toBe(2);
});

it('MetricTotalsService returns no total older than half a minute', async () => {
  await totals.count(1, ALL);
  stored = 300_000;
  clock.seconds += MAX_TOTAL_AGE_SECONDS + 1;
  expect(await totals.count(1, ALL)).toBe(300_000);
});

it('MetricTotalsService counts again after the clock was set back', async () => {
  await totals.count(1, ALL);
  stored = 300_000;
  clock.seconds -= 3600;
  expect(await totals.count(1, ALL)).toBe(300_000);
});

it('MetricTotalsService reports a failed refresh with the next list', async () => {
  await totals.count(1, ALL);
  stored = new Error('the database is gone');
  clock.seconds += 10;
  expect(await totals.count(1, ALL)).toBe(250_000);
  await nextRound();
  await expect(totals.count(1, ALL)).rejects.toThrow('the database is gone');
});
