import { type Schema } from '../../lib/api.js';
import { stretchOf } from './stretch-of.js';

describe('the mark of an anomaly in a chart', () => {
  const limits = { expected_range_lower: 1, expected_range_upper: 1.5 };
  const anomaly = { kind: 'spike', value: 2, peak_value: 3.8, ...limits } as Schema<'AnomalyDto'>;

  it('shows the peak value, which the line next to it also shows', () => {
    expect(stretchOf(anomaly).value).toBe(3.8);
  });

  it('shows the first value when there is no peak value', () => {
    expect(stretchOf({ ...anomaly, peak_value: null }).value).toBe(2);
  });
});
