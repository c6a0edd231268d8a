import { type ChartAnomaly, DEFAULT_CHART_DISPLAY, type MetricChart } from './metric-chart.js';
import { metricChartOption } from './option.js';

const HOUR = 3600;

function stretchesOf(anomaly: Partial<ChartAnomaly>, values: readonly number[]): number[][] {
  const chart: MetricChart = {
    title: '',
    unit: '',
    timezone: 'UTC',
    from: 0,
    until: 24 * HOUR,
    series: { name: 'a', timestamps: values.map((_, hour) => hour * HOUR), values },
    anomalies: [{ from: 2 * HOUR, until: null, label: '', kind: 'missing_data', ...anomaly }],
    matches: [],
    display: DEFAULT_CHART_DISPLAY,
    theme: 'light',
    width: 600,
    height: 240,
  };
  const text = JSON.stringify(metricChartOption(chart));
  return [...text.matchAll(/"xAxis":(\d+)[^\]]*?"xAxis":(\d+)/g)].map(([, from, until]) => [
    Number(from),
    Number(until),
  ]);
}

describe('the drawn span of an anomaly', () => {
  const silence = [1, 1, NaN, NaN, NaN, 1, 1];

  it('ends where data returned for missing data, also if the anomaly is open or ended later', () => {
    expect(stretchesOf({}, silence)).toContainEqual([2 * HOUR, 5 * HOUR]);
    expect(stretchesOf({ until: 20 * HOUR }, silence)).toContainEqual([2 * HOUR, 5 * HOUR]);
  });

  it('reaches the end of the window for missing data that has not returned', () => {
    expect(stretchesOf({}, [1, 1, NaN])).toContainEqual([2 * HOUR, 24 * HOUR]);
  });

  it('is as long as the anomaly for other kinds', () => {
    expect(stretchesOf({ kind: 'spike', until: 20 * HOUR }, silence)).toContainEqual([2 * HOUR, 20 * HOUR]);
  });
});
