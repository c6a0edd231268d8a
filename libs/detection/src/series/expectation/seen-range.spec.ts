import { detectSeries } from '../../detect-series.js';
import { autoregressive, during, series, white } from '../../testing/generators.js';
import { anomalyAt, opened } from '../../testing/verdicts.js';

describe('the range kept to', () => {
  it('is left by a drift of small steps, which is reported before it has gone far', () => {
    const drift = during(autoregressive(8, 0.9), 9.1, 1200, (x, minute) => x - minute / 20);
    const { timestamps, values } = series(10, 60, drift);
    const result = detectSeries(timestamps, values, { type: 'gauge' });
    expect(anomalyAt(result, 9.1, 500)).toBeDefined();
  });

  it('is not left by noise that keeps to it', () => {
    const { timestamps, values } = series(12, 60, white(9));
    expect(opened(detectSeries(timestamps, values, { type: 'gauge' }), 3)).toEqual([]);
  });
});
