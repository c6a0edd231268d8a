import { detectSeries } from '../../detect-series.js';
import { autoregressive, during, series, white } from '../../testing/generators.js';
import { anomalyAt, opened } from '../../testing/verdicts.js';

describe('detection by the range of seen values', () => {
  it('reports a drift of small steps', () => {
    const drift = during(autoregressive(8, 0.9), 9.1, 1200, (x, minute) => x - minute / 20);
    const { timestamps, values } = series(10, 60, drift);
    const result = detectSeries(timestamps, values, { type: 'gauge' });
    expect(anomalyAt(result, 9.1, 500)).toBeDefined();
  });

  it('reports nothing on noise', () => {
    const { timestamps, values } = series(12, 60, white(9));
    expect(opened(detectSeries(timestamps, values, { type: 'gauge' }), 3)).toEqual([]);
  });
});
