import { chipOfMetric, metricOfChip } from './metric-chip';

describe('the chip of a metric', () => {
  it('preserves quotes in the name', () => {
    const name = 'http_error_percent{job="shop"}';
    expect(chipOfMetric(name)).toBe('@name:"http_error_percent{job=\\"shop\\"}"');
    expect(metricOfChip(chipOfMetric(name))).toBe(name);
  });

  it('is distinguished from other chips', () => {
    expect(metricOfChip('job:api')).toBeNull();
    expect(metricOfChip('@name:"broken')).toBeNull();
  });
});
