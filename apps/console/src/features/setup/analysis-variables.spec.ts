import { changesOf, costsOf, textOf, valueOf, type Variables } from './analysis-variables';

const BEFORE: Variables = {
  retention_1_resolution_seconds: 60,
  retention_1_period_seconds: 604_800,
  retention_2_resolution_seconds: 600,
  retention_2_period_seconds: 63_072_000,
  default_data_frequency_seconds: 60,
  default_analysis_period_1_seconds: 86_400,
  default_analysis_period_2_seconds: 604_800,
  long_term_pattern_length_seconds: 2_592_000,
  metric_limit: null,
};

describe('analysis variables', () => {
  it('are shown in days if they are periods', () => {
    expect(textOf('retention_1_period_seconds', 604_800)).toBe('7');
    expect(textOf('default_analysis_period_1_seconds', 21_600)).toBe('0.25');
    expect(textOf('metric_limit', null)).toBe('');
  });

  it('are parsed back to seconds', () => {
    expect(valueOf('retention_1_period_seconds', ' 14 ')).toBe(1_209_600);
    expect(valueOf('default_analysis_period_1_seconds', '0.25')).toBe(21_600);
    expect(valueOf('metric_limit', '')).toBeNull();
    expect(valueOf('retention_1_period_seconds', '')).toBeUndefined();
    expect(valueOf('metric_limit', 'many')).toBeUndefined();
    expect(valueOf('metric_limit', '1.5')).toBeUndefined();
  });

  it('describe the cost of each change, and none without changes', () => {
    const changes = changesOf(BEFORE, { ...BEFORE, retention_1_period_seconds: 172_800, metric_limit: 5000 });
    expect(changes).toEqual({ retention_1_period_seconds: 172_800, metric_limit: 5000 });
    const costs = costsOf(BEFORE, changes);
    expect(costs.map(({ name, isLoss }) => [name, isLoss])).toEqual([
      ['retention_1_period_seconds', true],
      ['metric_limit', false],
    ]);
    expect(costs[0]!.text).toMatch(/^Every slot is kept for: 7 days → 2 days\. Older slots become roll-ups/);
    expect(costs[1]!.text).toMatch(/^Maximum number of metrics: none → 5,000 metrics\. New metrics are refused/);
    expect(costsOf(BEFORE, {})).toEqual([]);
  });

  it('report no data loss when the retention grows', () => {
    const [cost] = costsOf(BEFORE, { retention_2_period_seconds: 63_072_000 * 2 });
    expect(cost!.isLoss).toBe(false);
  });
});
