import { jest } from '@jest/globals';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { WarmUp } from '../../common/telemetry/warm-up.js';
import { ReplayExecutor } from './replay-executor.js';

describe('ReplayExecutor', () => {
  it('computes the expected range of one day during warm-up', async () => {
    const warmUp = new WarmUp(new ReadinessRegistry());
    const executor = new ReplayExecutor(warmUp);
    const replay = jest.spyOn(executor, 'replay');
    await warmUp.run();
    const { lower, upper } = await (replay.mock.results[0]!.value as ReturnType<typeof executor.replay>);
    expect(lower).toHaveLength(1440);
    expect(lower.every((bound, row) => bound < upper[row]!)).toBe(true);
    await executor.beforeApplicationShutdown();
  });
});
