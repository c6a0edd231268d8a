import { parseInflux, parseJsonMetrics, parseLimits, readJsonBody } from '#libs/protocols';
import { mergeTestResults, testResultOf } from './test-result.js';

const NOW = 1_760_000_000;

function resultOf(body: object, source = 'http') {
  const result = parseJsonMetrics(readJsonBody(Buffer.from(JSON.stringify(body))), parseLimits(NOW));
  return testResultOf(result, source, 60);
}

const slot = NOW - (NOW % 60);

describe('the result of a test send', () => {
  it('lists metrics with their points, last value, and number of merged points', () => {
    const result = resultOf({
      metrics: [
        {
          metric: 'a{host="x"}',
          timestamps: [slot - 1, slot - 60, slot, slot - 2],
          values: [1, 2, 3, 4],
          type: 'counter',
        },
        { metric: 'b', timestamp: slot, value: 5 },
      ],
    });
    const shared = { source: 'http', lastTimestamp: slot };
    expect(result.metrics).toEqual([
      {
        ...shared,
        name: 'a{host="x"}',
        labels: { host: 'x' },
        type: 'counter',
        points: 4,
        lastValue: 3,
        mergedPoints: 2,
      },
      { ...shared, name: 'b', labels: {}, type: 'gauge', points: 1, lastValue: 5, mergedPoints: 0 },
    ]);
  });

  it('lists dropped metrics by reason, and separately metrics without values', () => {
    const result = resultOf({
      metrics: [
        { metric: 'old', timestamp: NOW - 90_000, value: 1 },
        { metric: 'mixed', timestamps: [NOW, NOW + 3600, NOW - 90_000], values: [1, 1, 1] },
        { metric: 'text', timestamp: NOW, value: 'high' },
        { metric: 'empty', timestamps: [NOW], values: [null] },
      ],
    });
    expect(result.metrics.map(({ name }) => name)).toEqual(['mixed']);
    expect(result.dropped).toEqual([
      { metric: 'old', reason: 'too_old' },
      { metric: 'mixed', reason: 'in_future' },
      { metric: 'mixed', reason: 'too_old' },
    ]);
    expect(result.withoutValues).toEqual(['empty', 'text']);
  });

  it('lists text fields of line protocol as metrics without a value', () => {
    const bytes = Buffer.from('system uptime=5i,uptime_format="5 s"\nsystem os="linux"');
    const parsed = parseInflux(bytes, { precision: 'ns', onBadLine: 'skip' }, parseLimits(NOW));
    const { metrics, dropped, withoutValues } = testResultOf(parsed, 'influx', 60);
    expect(metrics.map(({ name }) => name)).toEqual(['system_uptime']);
    expect([dropped, withoutValues]).toEqual([[], ['system_uptime_format', 'system_os']]);
  });

  it('merges several sends', () => {
    const first = resultOf({
      metrics: [
        { metric: 'a', timestamp: slot, value: 1 },
        { metric: 'b', timestamp: 1, value: 1 },
      ],
    });
    const second = resultOf(
      {
        metrics: [
          { metric: 'a', timestamp: slot - 60, value: 2 },
          { metric: 'b', timestamp: 1, value: 1 },
        ],
      },
      'csv',
    );
    const third = resultOf({ metric: 'a', timestamp: slot, value: 'none' });
    const { metrics, dropped, withoutValues } = mergeTestResults([first, second, third]);
    expect(metrics).toEqual([
      expect.objectContaining({ name: 'a', points: 2, lastValue: 1, lastTimestamp: slot, source: 'csv' }),
    ]);
    expect(dropped).toEqual([{ metric: 'b', reason: 'too_old' }]);
    expect(withoutValues).toEqual([]);
  });

  it('is empty without sends', () => {
    expect(mergeTestResults([])).toEqual({ metrics: [], dropped: [], withoutValues: [] });
  });
});
