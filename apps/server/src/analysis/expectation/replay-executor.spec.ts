import { jest } from '@jest/globals';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { WarmUp } from '../../common/telemetry/warm-up.js';
import { ReplayExecutor } from './replay-executor.js';

describe('ReplayExecutor', () => {
  it('has found the expected range of a day before the process is ready', async () => {
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
