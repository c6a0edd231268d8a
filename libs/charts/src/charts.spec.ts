import { DEFAULT_CHART_DISPLAY, renderHtml, renderPng, renderSvg, type MetricChart } from './index.js';
import { fontFilesOf } from './png.js';

const FROM = 1_657_500_000;
const DAY = 86_400;
const EVIL = `</title><script>alert("1")</script>'$&{a|b} ]]> \u0000\ud800`;

function aChart(overrides: Partial<MetricChart> = {}): MetricChart {
  const timestamps = Float64Array.from({ length: 1440 }, (_, i) => FROM + i * 60);
  const values = timestamps.map((time) => 300 + 200 * Math.sin((2 * Math.PI * time) / DAY));
  return {
    title: 'http_requests{job="api"}',
    unit: 'req/s',
    timezone: 'Europe/Oslo',
    from: FROM,
    until: FROM + DAY,
    series: { name: 'requests', timestamps, values },
    expected: { timestamps, yhat: values, lower: values.map((v) => v - 50), upper: values.map((v) => v + 50) },
    anomalies: [{ from: FROM + 42_000, until: FROM + 45_600, label: 'level shift up', kind: 'level_shift_up' }],
    matches: [{ timestamp: FROM + 18_000, label: 'nightly backup' }],
    display: DEFAULT_CHART_DISPLAY,
    theme: 'light',
    width: 1000,
    height: 320,
    ...overrides,
  };
}

/** Texts in the picture. */
function textsOf(svg: string): string[] {
  return Array.from(svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g), (match) => match[1]!);
}

function sizeOf(png: Uint8Array): [number, number] {
  const view = Buffer.from(png);
  expect(view.toString('latin1', 1, 4)).toBe('PNG');
  return [view.readUInt32BE(16), view.readUInt32BE(20)];
}

describe('renderSvg', () => {
  it('contains the names of lines, kinds of marks, and the unit as text', () => {
    expect(textsOf(renderSvg(aChart()))).toEqual(
      expect.arrayContaining([
        'requests',
        'expected range',
        'anomaly',
        'match',
        'level shift up',
        'nightly backup',
        'req/s',
      ]),
    );
  });

  it('draws counts with whole numbers on the axis, and names every line', () => {
    const timestamps = [FROM, FROM + 3600, FROM + 7200];
    const counts = aChart({
      series: { name: 'anomalies', timestamps, values: [0, 2, 1], tone: 'anomaly' },
      others: [{ name: 'alerts', timestamps, values: [1, 0, 0], tone: 'alert' }],
      counts: true,
      expected: undefined,
      anomalies: [],
      matches: [],
      unit: '',
    });
    const svg = renderSvg(counts);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['anomalies', 'alerts', '0', '1', '2', '3', '4']));
    expect(textsOf(renderSvg({ ...counts, height: 2000 })).filter((text) => /^\d\.\d$/.test(text))).toEqual([]);
    expect(svg).toContain('stroke="#c92a2a"');
  });

  it('draws anomalies as orange lines with an area, matches as green lines, and the expected range as a band', () => {
    const svg = renderSvg(aChart());
    expect(svg).toMatch(/<path d="M[\d.]+ [\d.]+L[\d.]+ [\d.]+" fill="none" stroke="#f08c00"/);
    expect(svg).toMatch(/<polygon [^>]*fill="rgb\(255,169,40\)" fill-opacity="0.2"/);
    expect(svg).toMatch(/<path d="M[\d.]+ [\d.]+L[\d.]+ [\d.]+" fill="none" stroke="#2b9a4b"/);
    expect(svg).toMatch(/<polygon [^>]*fill="#d9e5f8"/);
  });

  it.each([
    ['critical', '#c4203c', 'rgb(196,32,60)'],
    ['major', '#b45000', 'rgb(196,90,0)'],
    ['minor', '#8a6400', 'rgb(170,125,0)'],
    ['info', '#4d5d70', 'rgb(77,93,112)'],
  ] as const)(
    'draws a %s anomaly as an orange line, with area and kind in the colour of its severity',
    (severity, mark, area) => {
      const [anomaly] = aChart().anomalies;
      const svg = renderSvg(aChart({ anomalies: [{ ...anomaly!, severity }], matches: [] }));
      expect(svg).toMatch(/<path d="M[\d.]+ [\d.]+L[\d.]+ [\d.]+" fill="none" stroke="#f08c00"/);
      expect(svg).not.toMatch(new RegExp(`<path d="M[\\d.]+ [\\d.]+L[\\d.]+ [\\d.]+" fill="none" stroke="${mark}"`));
      expect(svg).toContain(`fill="${area}"`);
      expect(svg).toMatch(/<path [^>]*translate[^>]* fill="#f08c00"|<path [^>]*fill="#f08c00"[^>]*translate/);
      expect(svg).toMatch(new RegExp(`fill="${mark}">level shift up</text>`));
    },
  );

  it('uses the colour of anomaly lines in the legend when severities differ', () => {
    const [anomaly] = aChart().anomalies;
    const anomalies = [
      { ...anomaly!, severity: 'minor' as const },
      { ...anomaly!, from: FROM + 60_000, until: FROM + 62_000, severity: 'critical' as const },
    ];
    expect(renderSvg(aChart({ anomalies }))).toMatch(/fill="#f08c00"/);
  });

  it('hatches a match that began before the window up to its end', () => {
    const hatched = /<path d="(M[\d.]+ [\d.]+L[\d.]+ [\d.]+){5,}" fill="none" stroke="#2b9a4b"/;
    expect(renderSvg(aChart())).not.toMatch(hatched);
    const match = { timestamp: FROM - 600, until: FROM + 7200, label: 'expected, as on 4 Jul' };
    const svg = renderSvg(aChart({ matches: [match] }));
    expect(svg).toMatch(hatched);
    expect(textsOf(svg)).toContain('match');
  });

  it('draws a line at the current time only if it is within the window', () => {
    const line = /stroke="#5b6675"/;
    expect(renderSvg(aChart({ now: FROM + 50_000 }))).toMatch(line);
    expect(renderSvg(aChart({ now: FROM + 2 * DAY }))).not.toMatch(line);
  });

  it('draws a comparison line faint and dashed', () => {
    const { timestamps, values } = aChart().series;
    const others = [{ name: 'last week', timestamps, values, tone: 'faint' as const, dashed: true }];
    expect(renderSvg(aChart({ others }))).toMatch(/stroke="#9a8fc0"[^>]*stroke-dasharray="4,3"/);
  });

  it('uses the given range of the value axis', () => {
    expect(textsOf(renderSvg(aChart({ valueRange: { min: 0, max: 4000 } })))).toContain('4 k'.replace(' ', '\u00a0'));
  });

  it.each([
    ['legend', { legend: false }, ['requests', 'anomaly']],
    ['anomalies', { anomalies: false }, ['anomaly', 'level shift up']],
    ['matches', { matches: false }, ['match', 'nightly backup']],
    ['expected range', { expectedRange: false }, ['expected range']],
    ['time axis', { xAxis: 'none' }, ['06:00', '12 Jul 2022']],
    ['value axis', { yAxis: 'none' }, ['400', 'req/s']],
  ] as const)('omits the %s', (_, display, texts) => {
    const withAll = textsOf(renderSvg(aChart()));
    const without = textsOf(renderSvg(aChart({ display: { ...DEFAULT_CHART_DISPLAY, ...display } })));
    for (const text of texts) {
      expect(withAll).toContain(text);
      expect(without).not.toContain(text);
    }
  });

  it('writes times in the time zone of the chart', () => {
    expect(textsOf(renderSvg(aChart()))).toContain('11 Jul 2022, 02:40 – 12 Jul 2022, 02:40 · Europe/Oslo');
  });

  it('shows a text when there is no data', () => {
    const svg = renderSvg(aChart({ series: { name: 'x', timestamps: [], values: [] }, expected: undefined }));
    expect(textsOf(svg)).toContain('No data in this window');
  });

  it('interrupts the line at gaps and draws a point between gaps as a dot', () => {
    const timestamps = [FROM, FROM + 60, FROM + 120, FROM + 180, FROM + 240, FROM + 300];
    const values = [1, 2, NaN, 4, NaN, 6];
    const svg = renderSvg(
      aChart({ series: { name: 'x', timestamps, values }, expected: undefined, until: FROM + 300 }),
    );
    expect(svg).toMatch(/<path d="M[\d.]+ [\d.]+L[\d.]+ [\d.]+M[^"]*" fill="none" stroke="#2563c9"/);
    expect(svg.match(/fill="#2563c9"><\/path>/g)).toHaveLength(3); // Two dots and the line of the legend.
  });

  it('draws the area of an open anomaly to the edge, without a line if it began before the window', () => {
    const svg = renderSvg(
      aChart({ anomalies: [{ from: FROM - 9_000, until: null, label: 'spike', kind: 'spike' }], expected: undefined }),
    );
    expect(svg).toMatch(/<polygon points="963 [\d.]+ 12 |<polygon points="12 [\d.]+ 963 /);
    expect(svg).not.toMatch(/stroke="#f08c00" stroke-width="1.4"/);
    expect(textsOf(svg)).toContain('anomaly');
  });

  it('returns the same SVG for the same chart', () => {
    expect(renderSvg(aChart())).toBe(renderSvg(aChart()));
  });

  it('escapes markup and control characters in names', () => {
    const svg = renderSvg(
      aChart({
        title: EVIL,
        unit: EVIL,
        series: { ...aChart().series, name: EVIL },
        anomalies: [{ from: FROM + 42_000, until: null, label: EVIL, kind: 'spike' }],
        matches: [{ timestamp: FROM + 100, label: EVIL }],
      }),
    );
    expect(svg).not.toMatch(/<script|]]>/i);
    expect(svg).not.toMatch(/[\u0000-\u0008\ud800-\udfff]/);
    expect(textsOf(svg)[0]).toBeDefined();
    expect(svg).toContain('&lt;/title&gt;&lt;script&gt;alert(');
    expect(svg).toContain('{a|b}');
    expect(() => renderPng(svg)).not.toThrow();
  });

  it.each(Object.getOwnPropertyNames(Object.prototype))('draws a metric named %s like any other', (name) => {
    const other = renderSvg(aChart());
    const from = FROM + 42_000;
    const named: Partial<MetricChart> = {
      unit: name,
      series: { ...aChart().series, name },
      anomalies: [{ from, until: null, label: name, kind: 'spike' }],
    };
    expect(textsOf(renderSvg(aChart({ ...named, title: name }))).map((text) => text.trim())).toContain(name);
    renderSvg(aChart({ ...named, title: `${'a'.repeat(150)} ${name}` }));
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(renderSvg(aChart())).toBe(other);
  });

  it('contains no script, style sheet, link or external resource', () => {
    expect(renderSvg(aChart())).not.toMatch(/<(script|style|image|a|use|foreignObject)\b|href=|url\((?!#)|@import/);
  });

  it('limits the size of the SVG with 150,000 points', () => {
    const count = 150_000;
    const timestamps = Float64Array.from({ length: count }, (_, i) => FROM + i);
    const values = timestamps.map((time) => Math.sin(time) * 50 + (time % 977));
    const svg = renderSvg(
      aChart({ series: { name: 'x', timestamps, values }, until: FROM + count, expected: undefined }),
    );
    expect(svg.length).toBeLessThan(120_000);
  });

  it.each([
    ['tiny values', (i: number) => 1e-300 * i],
    ['huge values', (i: number) => (i % 2 === 0 ? 1.7e308 : -1.7e308)],
    ['a constant', () => 5],
    ['zeros', () => 0],
    ['a large level with little movement', (i: number) => 1e12 + i],
    ['infinite values among others', (i: number) => (i % 5 === 0 ? Infinity : i)],
  ])('draws %s without NaN or Infinity in the SVG', (_, value) => {
    const { timestamps } = aChart().series;
    const values = Array.from(timestamps, (_time, i) => value(i));
    const svg = renderSvg(aChart({ series: { name: 'x', timestamps, values }, expected: undefined }));
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    expect(textsOf(svg)).not.toContain('No data in this window');
  });

  it.each([
    [200, 100],
    [200, 2000],
    [4000, 100],
    [260, 220],
    [4000, 2000],
  ])('keeps every text inside a picture of %i by %i', (width, height) => {
    for (const xAxis of ['above', 'below'] as const) {
      for (const yAxis of ['left', 'right'] as const) {
        const svg = renderSvg(aChart({ width, height, display: { ...DEFAULT_CHART_DISPLAY, xAxis, yAxis } }));
        for (const [, x, y] of svg.matchAll(/<text[^>]*translate\(([-\d.]+) ([-\d.]+)\)/g)) {
          expect(Number(x)).toBeGreaterThanOrEqual(0);
          expect(Number(x)).toBeLessThanOrEqual(width);
          expect(Number(y)).toBeGreaterThanOrEqual(0);
          expect(Number(y)).toBeLessThanOrEqual(height);
        }
      }
    }
  });
});

describe('renderPng', () => {
  it('renders a chart at its size', () =>
    expect(sizeOf(renderPng(aChart({ width: 400, height: 150 })))).toEqual([400, 150]));

  it('renders an SVG at a multiple of its size', () => {
    expect(sizeOf(renderPng(renderSvg(aChart({ width: 400, height: 150 })), { scale: 2 }))).toEqual([800, 300]);
  });

  it('renders the text of the title', () => {
    const picture = (title: string): Buffer => Buffer.from(renderPng(aChart({ title, width: 400, height: 150 })));
    expect(picture('first').equals(picture('second'))).toBe(false);
  });

  it('renders different glyphs for Chinese, Japanese and Korean characters', () => {
    const picture = (title: string): string =>
      Buffer.from(renderPng(aChart({ title, width: 400, height: 150 }))).toString('base64');
    // Characters without a glyph all look like the same box.
    const characters = ['订', '单', '数', '据', 'あ', 'ア', '語', '한', '국'];
    expect(new Set(characters.map(picture)).size).toBe(characters.length);
  }, 60_000);

  it('loads the large fonts only for text that needs them', () => {
    const fonts = (title: string): string[] => fontFilesOf(renderSvg(aChart({ title, width: 400, height: 150 })));
    const plain = fonts('Größe der Σ Ж naïve – “café” µs');
    expect(plain).toHaveLength(2);
    expect(plain.every((file) => file.includes('DejaVu'))).toBe(true);
    for (const title of ['订单数据', 'あア', '한국']) expect(fonts(title)).toHaveLength(4);
  });

  it('returns the same bytes for the same chart', () => {
    const chart = aChart({ width: 400, height: 150 });
    expect(Buffer.from(renderPng(chart)).equals(Buffer.from(renderPng(chart)))).toBe(true);
  });

  it('throws for input that is not SVG', () => expect(() => renderPng('<html>')).toThrow());
});

describe('renderHtml', () => {
  it.each(['light', 'dark'] as const)('contains one picture in the %s theme', (theme) => {
    expect(renderHtml({ ...aChart(), theme }).match(/<svg /g)).toHaveLength(1);
  });

  it('contains a light and a dark picture with unique ids in the automatic theme', () => {
    const html = renderHtml({ ...aChart(), theme: 'auto' });
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html.match(/<svg /g)).toHaveLength(2);
    const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), (match) => match[1]);
    expect(ids.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of html.matchAll(/url\(#([^)]+)\)/g)) expect(ids).toContain(id);
  });

  it('contains no script or external resource, and escapes the title', () => {
    const html = renderHtml({ ...aChart({ title: EVIL }), theme: 'auto' });
    expect(html).not.toMatch(/<(script|link|iframe|img)\b|\son\w+=|href=|url\((?!#)|@import/i);
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(html).toContain('<title>&lt;/title&gt;&lt;script&gt;');
  });
});
