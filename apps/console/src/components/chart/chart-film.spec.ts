import { DEFAULT_CHART_DISPLAY, layoutChart, type MetricChart } from '#libs/charts/browser';
import { filmOf, filmPlace } from './chart-film.js';

const HOUR = 3600;

function aChart(width: number): MetricChart {
  const timestamps = Array.from({ length: 60 }, (_, i) => i * 60);
  return {
    title: '',
    unit: 'ms',
    timezone: 'UTC',
    from: 0,
    until: HOUR,
    series: { name: 'latency', timestamps, values: timestamps },
    anomalies: [],
    matches: [],
    valueRange: { min: 0, max: HOUR },
    display: DEFAULT_CHART_DISPLAY,
    theme: 'light',
    width,
    height: 320,
    hasHeader: false,
  };
}

describe.each([1100, 340, 120])('the film of a chart of %d pixels', (width) => {
  const chart = aChart(width);
  const { plot } = layoutChart(chart, []);
  const film = filmOf(chart, plot);

  it('has the scale of the chart and half a window of margin on each side', () => {
    const pixelsPerSecond = film.plot.width / (film.chart.until - film.chart.from);
    expect(pixelsPerSecond).toBeCloseTo(plot.width / HOUR, 6);
    expect(film.chart.from).toBeCloseTo(-HOUR / 2, -2);
    expect(film.chart.until).toBeCloseTo(1.5 * HOUR, -2);
  });

  it('places a view where the chart itself draws it', () => {
    const view = { from: -600, until: HOUR - 600 };
    const { left } = filmPlace(film, plot, view)!;
    const began =
      film.plot.left + ((view.from - film.chart.from) / (film.chart.until - film.chart.from)) * film.plot.width;
    expect(Math.abs(began + left)).toBeLessThanOrEqual(0.5);
  });
});

describe('a film', () => {
  const chart = aChart(1100);
  const { plot } = layoutChart(chart, []);

  it('has no place for a view beyond its ends', () => {
    const film = filmOf(chart, plot);
    expect(filmPlace(film, plot, { from: 2000, until: HOUR + 2000 })).toBeNull();
    expect(filmPlace(film, plot, { from: -2000, until: HOUR - 2000 })).toBeNull();
  });

  it('has no place for a view of a different length', () => {
    expect(filmPlace(filmOf(chart, plot), plot, { from: 0, until: HOUR / 2 })).toBeNull();
  });

  it('equals the chart with a reach of 0', () => {
    expect(filmOf(chart, plot, 0).chart).toEqual(chart);
  });
});
