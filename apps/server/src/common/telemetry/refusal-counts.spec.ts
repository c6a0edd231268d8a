import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MetricsRegistry } from './metrics.js';
import { RefusalCounts } from './refusal-counts.js';

function aCount() {
  const metrics = new MetricsRegistry();
  const counts = new RefusalCounts(metrics);
  const series = async () => {
    const { values } = await metrics.prometheus.getSingleMetric('plumbline_refusals_total')!.get();
    return values.map(({ labels, value }) => [labels.org, labels.reason, value]);
  };
  return { counts, series };
}

describe('RefusalCounts', () => {
  it('counts refusals by organisation and reason, and ignores client mistakes', async () => {
    const { counts, series } = aCount();
    counts.record(7, 'rate_limited');
    counts.record(7, 'rate_limited');
    counts.record(7, 'permission_denied');
    counts.record(null, 'login_failed');
    counts.record(7, 'validation_failed');
    counts.record(7, 'not_found');
    expect(await series()).toEqual([
      ['7', 'rate_limited', 2],
      ['7', 'permission_denied', 1],
      ['none', 'login_failed', 1],
    ]);
  });

  it('has series for at most 200 organisations', async () => {
    const { counts, series } = aCount();
    counts.record(null, 'login_failed');
    for (let orgId = 1; orgId <= 250; orgId++) {
      counts.record(1, 'rate_limited');
      counts.record(orgId, 'too_large');
    }
    const found = await series();
    expect(new Set(found.map(([org]) => org)).size).toBe(201);
    expect(found).toContainEqual(['none', 'login_failed', 1]);
    expect(found).toContainEqual(['1', 'rate_limited', 250]);
    expect(found.map(([org]) => org)).not.toContain('2');
  });

  it('logs a line per organisation for refusals by limits', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    try {
      const { counts } = aCount();
      for (let i = 0; i < 3; i++) counts.record(7, 'rate_limited');
      counts.record(8, 'too_large');
      counts.record(null, 'rate_limited');
      await counts.flush();
      expect(warn.mock.calls).toEqual([
        ['The organisation 7 is at its limits: 3 of its requests were refused within a minute'],
      ]);
      await counts.flush();
      expect(warn).toHaveBeenCalledTimes(1);
    } finally {
      warn.mockRestore();
    }
  });
});
