import {
  DEFAULT_CHART_DISPLAY,
  matchChart,
  multiplesHeight,
  multiplesRows,
  type MatchPicture,
  type MetricChart,
  type MultiplesChart,
  patternChart,
  type PatternPicture,
  renderMultiplesHtml,
  renderMultiplesSvg,
  renderPng,
  renderSvg,
} from './index.js';

const FROM = 1_760_000_000;
const HOUR = 3600;
const DAY = 86_400;
const LONG = 'http_request_duration_seconds_bucket{instance="10.0.0.1:9100",job="shop",le="0.5",route="/r/1"}';

const times = (from: number): Float64Array => Float64Array.from({ length: 240 }, (_, row) => from + row * 60);
const wave = (from: number, size = 1): Float64Array =>
  times(from).map((time) => size * (100 + 20 * Math.sin((2 * Math.PI * (time - from)) / (4 * HOUR))));
const textsOf = (svg: string): string[] => Array.from(svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g), ([, text]) => text!);

const match = (overrides: Partial<MatchPicture> = {}): MatchPicture => ({
  title: 'web-1.cpu',
  unit: 'ms',
  timezone: 'Europe/Oslo',
  matched: { name: 'matched window', at: FROM, timestamps: times(FROM), values: wave(FROM) },
  pattern: { name: 'nightly backup', at: FROM - 3 * DAY, timestamps: times(FROM - 3 * DAY), values: wave(FROM) },
  display: DEFAULT_CHART_DISPLAY,
  theme: 'light',
  width: 800,
  height: 300,
  ...overrides,
});

const row = (title: string, size: number, unit = 's') => ({
  title,
  unit,
  series: { name: title, timestamps: times(FROM), values: wave(FROM, size) },
  anomalies: [{ from: FROM + HOUR, until: null, kind: 'spike' as const, label: 'spike' }],
});

const incident = (overrides: Partial<MultiplesChart> = {}): MultiplesChart => ({
  title: '12 metrics of instance=db-1 since 14:02, first: disk_latency',
  timezone: 'Europe/Oslo',
  from: FROM,
  until: FROM + 4 * HOUR,
  rows: [row('db-1.disk', 1e-3), row('db-1.queue', 3000, ''), row('web-1.latency', 1)],
  theme: 'light',
  width: 800,
  height: 400,
  ...overrides,
});

/** Left and right ends of the horizontal lines (of the grid and below the plots), in pixels. */
function plotEdges(svg: string): string[] {
  const lines = Array.from(svg.matchAll(/d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"/g));
  return [
    ...new Set(lines.filter(([, , top, , bottom]) => top === bottom).map(([, left, , right]) => `${left!} ${right!}`)),
  ];
}

describe('the picture of a match', () => {
  it('overlays the match with its pattern, moved to the time of the match', () => {
    const { from, until, series, others } = matchChart(match());
    expect([from, until]).toEqual([FROM, FROM + 239 * 60]);
    expect(series).toMatchObject({ name: 'nightly backup', tone: 'match' });
    expect(Array.from(series.timestamps)).toEqual(Array.from(others![0]!.timestamps));
    expect(textsOf(renderSvg(matchChart(match())))).toEqual(
      expect.arrayContaining(['matched window', 'nightly backup', 'ms', '9 Oct 2025']),
    );
  });

  it('shows the matched part as an anomaly, and a window that ends after the pattern', () => {
    const part = { from: FROM + HOUR, until: FROM + 2 * HOUR, kind: 'spike', label: 'spike' } as const;
    const longer = { ...match().matched, timestamps: times(FROM + HOUR), values: wave(FROM) };
    const chart = matchChart(match({ part, matched: longer }));
    expect([chart.from, chart.until]).toEqual([FROM, FROM + HOUR + 239 * 60]);
    expect(textsOf(renderSvg(chart))).toContain('spike');
  });

  it('shows a text when there are no values', () => {
    const nothing = { name: 'matched window', at: FROM, timestamps: [], values: [] };
    const svg = renderSvg(matchChart(match({ matched: nothing, pattern: { ...nothing, name: 'pattern' } })));
    expect(textsOf(svg)).toContain('No data in this window');
  });
});

describe('the picture of a pattern', () => {
  const pattern = (overrides: Partial<PatternPicture> = {}): PatternPicture => ({
    title: 'nightly backup: web-1.cpu',
    unit: 'ms',
    timezone: 'Europe/Oslo',
    from: FROM,
    until: FROM + 239 * 60,
    shape: { name: 'shape', timestamps: times(FROM), values: wave(FROM) },
    level: 95,
    spread: 5,
    compared: { from: FROM + HOUR, until: FROM + 3 * HOUR },
    part: { from: FROM + HOUR, until: FROM + 2 * HOUR, kind: 'spike', label: 'expected' },
    display: DEFAULT_CHART_DISPLAY,
    theme: 'light',
    width: 800,
    height: 300,
    ...overrides,
  });

  it('shows the shape, the level, the part, and a band of the values that count as alike', () => {
    const chart = patternChart(pattern());
    const { timestamps, lower, upper } = chart.expected!;
    expect([timestamps[0], timestamps[timestamps.length - 1]]).toEqual([FROM + HOUR, FROM + 3 * HOUR]);
    expect(upper[0]! - lower[0]!).toBeCloseTo(10);
    expect(textsOf(renderSvg(chart))).toEqual(
      expect.arrayContaining(['shape', 'level', 'counts as alike', 'expected', 'ms']),
    );
  });

  it('is drawn when the part has no values', () => {
    const gap = pattern({ shape: { name: 'shape', timestamps: times(FROM), values: times(FROM).fill(Number.NaN) } });
    expect(textsOf(renderSvg(patternChart(gap)))).toContain('level');
  });
});

describe('the picture of several metrics', () => {
  it('shows the names with units, and one time axis', () => {
    const texts = textsOf(renderMultiplesSvg(incident()));
    expect(texts[0]).toBe('12 metrics of instance=db-1 since 14:02, first: disk_latency');
    expect(texts).toEqual(expect.arrayContaining(['db-1.disk (s)', 'db-1.queue', 'web-1.latency (s)']));
    expect(texts.filter((text) => text.startsWith('11:00'))).toHaveLength(1);
  });

  it('aligns all plots, however long their axis labels are', () => {
    expect(plotEdges(renderMultiplesSvg(incident()))).toHaveLength(1);
  });

  it('counts the metrics that do not fit into a small picture', () => {
    const rows = Array.from({ length: 12 }, (_, i) => row(`${String(i)} ${LONG}`, 10 ** i));
    const svg = renderMultiplesSvg(incident({ rows, width: 300, height: 300, theme: 'dark' }));
    expect(textsOf(svg)).toContain('and 9 more');
    expect(Buffer.from(renderPng(svg)).readUInt32BE(16)).toBe(300);
  });

  it.each(['light', 'dark'] as const)('is the same %s picture each time, with escaped names', (theme) => {
    const evil = incident({ theme, title: '<script>"&', rows: [row('<b>$&', 1)] });
    const svg = renderMultiplesSvg(evil);
    expect(svg).toBe(renderMultiplesSvg(evil));
    expect(svg).not.toMatch(/<script|<b>/);
    expect(svg).toContain('&lt;script&gt;&quot;&amp;');
  });

  it('breaks a long title into two lines and keeps the units when narrow', () => {
    const texts = textsOf(renderMultiplesSvg(incident({ rows: [row(LONG, 1, 'ms')], width: 300 })));
    expect(texts.slice(0, 2).join(' ')).toBe('12 metrics of instance=db-1 since 14:02, first: disk_latency');
    expect(texts.find((text) => text.endsWith('… (ms)'))).toBeDefined();
  });

  it('counts the metrics that the caller has left out', () => {
    expect(textsOf(renderMultiplesSvg(incident({ more: 4 })))).toContain('and 4 more');
  });

  it('fits at least as many rows as its height was computed for', () => {
    for (const rows of [1, 3, 8]) expect(multiplesRows(multiplesHeight(rows))).toBeGreaterThanOrEqual(rows);
    expect(multiplesRows(100)).toBe(1);
  });

  it('has unique ids on a page that follows the colour scheme of the reader', () => {
    const page = renderMultiplesHtml({ ...incident(), theme: 'auto' });
    const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id!);
    expect(page).toContain('prefers-color-scheme:dark');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('can be drawn without rows', () => {
    expect(textsOf(renderMultiplesSvg(incident({ rows: [] })))).toHaveLength(2);
  });
});

describe('the picture of a metric', () => {
  it('shows unit and kind as text when it is too low for a legend', () => {
    const low: MetricChart = {
      ...matchChart(match()),
      title: LONG,
      anomalies: [{ from: FROM + HOUR, until: FROM + 2 * HOUR, kind: 'level_shift_up', label: 'level shift up' }],
      display: DEFAULT_CHART_DISPLAY,
      width: 300,
      height: 150,
    };
    expect(textsOf(renderSvg(low))).toContain('ms · level shift up');
  });
});
