import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { ExampleExecutor } from './example-executor.js';

describe('ExampleExecutor', () => {
  it('runs one preview at a time, alternating between organisations', async () => {
    const examples = new ExampleExecutor(new FairQueueRegistry(new MetricsRegistry()));
    const startedOrgs: number[] = [];
    let running = 0;
    let most = 0;
    const ask = (orgId: number) =>
      examples.inTurn(orgId, async () => {
        startedOrgs.push(orgId);
        most = Math.max(most, ++running);
        await new Promise((resume) => setImmediate(resume));
        running--;
      });
    await Promise.all([1, 1, 1, 1, 1, 2].map(ask));
    expect(most).toBe(1);
    expect(startedOrgs.indexOf(2)).toBeLessThanOrEqual(2);
  });
});
