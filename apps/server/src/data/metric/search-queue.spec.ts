import { setImmediate as nextRound } from 'node:timers/promises';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { SearchQueue } from './search-queue.js';

it('SearchQueue runs one search per organisation at a time, without blocking other organisations', async () => {
  const turns = new SearchQueue(new FairQueueRegistry(new MetricsRegistry()));
  const running: number[] = [];
  const ends: (() => void)[] = [];
  const search = (orgId: number) =>
    turns.run(orgId, async () => {
      running.push(orgId);
      await new Promise<void>((end) => ends.push(end));
    });
  const all = Promise.all([search(1), search(1), search(1), search(2)]);
  await nextRound();
  expect(running).toEqual([1, 2]);
  ends.shift()!();
  await nextRound();
  expect(running).toEqual([1, 2, 1]);
  ends.shift()!();
  ends.shift()!();
  await nextRound();
  ends.shift()!();
  await all;
  expect(running).toEqual([1, 2, 1, 1]);
});
