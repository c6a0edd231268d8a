import { ConfigError, loadConfig } from '../../common/config/load-config.js';
import { StorageConfig } from './storage.config.js';

const load = (env: Record<string, string>): StorageConfig => loadConfig([StorageConfig], env).get(StorageConfig);

function problemsOf(env: Record<string, string>): string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => `${problem.env}: ${problem.message}`);
  }
}

describe('the number of partitions', () => {
  it('is 8 by default, and at most 1024', () => {
    expect(load({}).partitions).toBe(8);
    expect(load({ PLUMBLINE_PARTITIONS: '1024' }).partitions).toBe(1024);
    expect(problemsOf({ PLUMBLINE_PARTITIONS: '1025' })).toEqual([
      'PLUMBLINE_PARTITIONS: "1025" must be a whole number 1..1024',
    ]);
  });

  it('is at most 256 with JetStream, which needs a stream for each', () => {
    const log = { POINT_LOG_URL: 'nats://nats:4222' };
    expect(load({ ...log, PLUMBLINE_PARTITIONS: '256' }).partitions).toBe(256);
    expect(problemsOf({ ...log, PLUMBLINE_PARTITIONS: '257' })).toEqual([
      expect.stringMatching(
        /^PLUMBLINE_PARTITIONS: must be at most 256 with POINT_LOG_URL, got 257: .*leave POINT_LOG_URL out$/,
      ),
    ]);
  });
});
