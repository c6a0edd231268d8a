import { seededRandom } from '#libs/synthetic';
import { answerDetection } from './detect-answer.js';
import { type DetectKind } from './detect-request.js';
import { detectorSensitivity } from './judge-slots.js';

type Json = Record<string, unknown>;

function ask(kind: DetectKind, body: unknown): Json {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  const result = answerDetection({ kind, bytes });
  return 'refused' in result ? { ...result.refused } : (JSON.parse(new TextDecoder().decode(result.body)) as Json);
}

/** Pseudo-random values between −1.5 and 1.5. */
function noise(count: number, seed = 7): number[] {
  const next = seededRandom(seed);
  return Array.from({ length: count }, () => next() + next() + next() - 1.5);
}

const START = Date.UTC(2024, 0, 1);
const STEP = { daily: 86_400_000, hourly: 3_600_000, minutely: 60_000, secondly: 1000 };

function series(values: readonly number[], granularity?: keyof typeof STEP): object[] {
  return values.map((value, row) =>
    granularity === undefined
      ? { value }
      : { timestamp: new Date(START + row * STEP[granularity]).toISOString(), value },
  );
}

const monthly = (values: readonly number[]): object[] =>
  values.map((value, row) => ({ timestamp: new Date(Date.UTC(2000, row, 1)).toISOString(), value }));

/** The indices of the true flags. */
const rowsOf = (flags: unknown): number[] => (flags as boolean[]).flatMap((flag, row) => (flag ? [row] : []));
const replaced = (values: number[], row: number, value: number): number[] => values.with(row, value);
const usual = (count: number): number[] => noise(count).map((value) => 100 + 4 * value);
const valid = (more: Json = {}): Json => ({ series: series(usual(24), 'hourly'), granularity: 'hourly', ...more });

describe('detection over an entire series', () => {
  it('judges every point by the whole series, including the first ones', () => {
    const values = replaced(replaced(usual(48), 2, 40), 30, 170);
    const answer = ask('entire', { series: series(values) });
    expect(rowsOf(answer.isAnomaly)).toEqual([2, 30]);
    expect(rowsOf(answer.isNegativeAnomaly)).toEqual([2]);
    expect(rowsOf(answer.isPositiveAnomaly)).toEqual([30]);
    const severity = answer.severity as number[];
    expect(severity[30]).toBeGreaterThan(0);
    expect(severity.filter((one) => one > 0)).toHaveLength(2);
    for (const name of ['expectedValues', 'upperMargins', 'lowerMargins']) {
      expect((answer[name] as number[]).filter(Number.isFinite)).toHaveLength(48);
    }
  });

  it.each([12, 24, 100, 400])('finds no anomaly in %i points of noise', (count) => {
    expect(rowsOf(ask('entire', { series: series(usual(count)) }).isAnomaly)).toEqual([]);
  });

  it('returns margins from which clients compute their own boundaries', () => {
    const values = replaced(usual(60), 40, 180);
    for (const sensitivity of [80, 95]) {
      const answer = ask('entire', { series: series(values), sensitivity });
      const [expected, upper] = [answer.expectedValues as number[], answer.upperMargins as number[]];
      const boundary = (row: number): number => expected[row]! + (100 - sensitivity) * upper[row]!;
      expect(boundary(40)).toBeLessThan(180);
      expect(boundary(20)).toBeGreaterThan(values[20]!);
    }
  });

  it('finds the yearly period of monthly points, and accepts a given period', () => {
    const year = noise(48).map((value, row) => 800 + 80 * Math.sin((2 * Math.PI * row) / 12) + 6 * value);
    const values = replaced(year, 25, 1150);
    for (const more of [{}, { period: 12 }]) {
      const answer = ask('entire', { series: monthly(values), granularity: 'monthly', ...more });
      expect(answer.period).toBe(12);
      expect(rowsOf(answer.isAnomaly)).toEqual([25]);
    }
  });

  it('finds the daily period of hourly points', () => {
    const day = noise(336).map((value, row) => 100 + 40 * Math.sin((2 * Math.PI * row) / 24) + 3 * value);
    // A value that is usual at noon, at midnight.
    const answer = ask('entire', { series: series(replaced(day, 240, 140), 'hourly'), granularity: 'hourly' });
    expect(answer.period).toBe(24);
    expect(rowsOf(answer.isAnomaly)).toEqual([240]);
  });

  it('finds no anomaly in a steady trend', () => {
    const trend = noise(200).map((value, row) => 10 + row / 2 + 2 * value);
    expect(rowsOf(ask('entire', { series: series(trend) }).isAnomaly)).toEqual([]);
  });

  it('reports at most the allowed ratio of anomalies, the most severe first', () => {
    const values = [10, 22, 41].reduce((all, row, at) => replaced(all, row, 140 + 40 * at), usual(60));
    expect(rowsOf(ask('entire', { series: series(values), maxAnomalyRatio: 0.02 }).isAnomaly)).toEqual([41]);
  });

  it('finds more anomalies with higher sensitivity', () => {
    const sizes = [8, 12, 16, 20, 30, 60];
    const values = sizes.reduce((all, size, at) => replaced(all, 40 + 40 * at, 100 + size), usual(300));
    const counts = [0, 50, 80, 95, 99].map(
      (sensitivity) => rowsOf(ask('entire', { series: series(values), sensitivity }).isAnomaly).length,
    );
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts.at(-1)).toBeGreaterThan(counts[0]!);
    const all = Array.from({ length: 100 }, (_, sensitivity) => detectorSensitivity(sensitivity));
    expect(all).toEqual([...all].sort((a, b) => a - b));
    expect([all[0], all[95], all[99]]).toEqual([0.25, 1, 4]);
  });

  it('fills gaps in every imputation mode, and returns results only for the given points', () => {
    const points = series(usual(48), 'hourly').filter((_, row) => row % 12 !== 5);
    for (const imputeMode of ['auto', 'previous', 'linear', 'notFill']) {
      const answer = ask('entire', { series: points, granularity: 'hourly', imputeMode });
      expect(rowsOf(answer.isAnomaly)).toEqual([]);
      expect(answer.isAnomaly).toHaveLength(points.length);
    }
    const odd = { series: points, granularity: 'hourly', imputeMode: 'fixed', imputeFixedValue: 100 };
    expect(ask('entire', odd).isAnomaly).toHaveLength(points.length);
  });

  it('returns the same result for the same series', () => {
    const body = { series: series(replaced(usual(100), 50, 150)) };
    expect(ask('entire', body)).toEqual(ask('entire', body));
  });

  it('accepts 8640 points, custom intervals, microseconds and years', () => {
    expect(ask('entire', { series: series(usual(8640), 'minutely'), granularity: 'minutely' }).isAnomaly).toHaveLength(
      8640,
    );
    const five = usual(24).map((value, row) => ({ timestamp: new Date(START + row * 300_000).toISOString(), value }));
    expect(ask('entire', { series: five, granularity: 'minutely', customInterval: 5 }).isAnomaly).toHaveLength(24);
    const tiny = usual(24).map((value, row) => ({ timestamp: `2024-01-01T00:00:00.0000${String(10 + row)}Z`, value }));
    expect(ask('entire', { series: tiny, granularity: 'microsecond' }).isAnomaly).toHaveLength(24);
    const years = usual(24).map((value, row) => ({ timestamp: `${String(1900 + row)}-01-01T00:00:00Z`, value }));
    expect(ask('entire', { series: years, granularity: 'yearly' }).isAnomaly).toHaveLength(24);
  });
});

describe('detection of the last point', () => {
  it('judges the last point by the points before it', () => {
    const usually = ask('last', { series: series(usual(60)) });
    expect(usually).toMatchObject({ isAnomaly: false, severity: 0, period: 0, suggestedWindow: 101 });
    const low = ask('last', { series: series(replaced(usual(60), 59, 30)) });
    expect(low).toMatchObject({ isAnomaly: true, isNegativeAnomaly: true, isPositiveAnomaly: false });
    expect(Math.abs((low.expectedValue as number) - 100)).toBeLessThan(10);
    expect(Object.values(low).every((value) => !Array.isArray(value))).toBe(true);
  });

  it('suggests a window of four periods plus one point', () => {
    const answer = ask('last', { series: series(usual(60)), period: 12 });
    expect(answer).toMatchObject({ period: 12, suggestedWindow: 49 });
  });
});

describe('detection of change points', () => {
  const steps = noise(400).map((value, row) => (row < 130 ? 10 : row < 280 ? 30 : 5) + value);

  it.each(['hourly', 'daily', 'minutely'] as const)('finds the changes of level of %s points', (granularity) => {
    const answer = ask('change-point', { series: series(steps, granularity), granularity });
    expect(rowsOf(answer.isChangePoint)).toEqual([130, 280]);
    const confidences = answer.confidenceScores as number[];
    expect(confidences[130]).toBeGreaterThan(0.5);
    expect(confidences[131]).toBe(0);
  });

  it('finds no change point in noise or at a single spike', () => {
    expect(
      rowsOf(ask('change-point', { series: series(usual(300), 'hourly'), granularity: 'hourly' }).isChangePoint),
    ).toEqual([]);
    const spike = { series: series(replaced(usual(300), 150, 200), 'hourly'), granularity: 'hourly' };
    expect(rowsOf(ask('change-point', spike).isChangePoint)).toEqual([]);
    expect(ask('change-point', { ...spike, threshold: 0, stableTrendWindow: 10 }).confidenceScores).toHaveLength(300);
  });
});

describe('an invalid detection request', () => {
  it.each<[code: string, body: unknown, kind?: DetectKind]>([
    ['InvalidJsonFormat', '{'],
    ['InvalidJsonFormat', '[]'],
    ['InvalidJsonFormat', `{"series":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['RequiredSeries', { granularity: 'hourly' }],
    ['RequiredSeries', { series: null }],
    ['InvalidSeries', { series: 'many' }],
    ['InvalidSeries', { series: series(usual(24)).with(3, { value: 'x' }) }],
    ['InvalidSeries', { series: series(usual(24)).with(3, 7 as unknown as object) }],
    ['InvalidSeries', valid({ series: series(usual(24)) })],
    ['InvalidSeries', valid({ series: series(usual(24), 'hourly').reverse() })],
    ['InvalidSeries', valid({ series: series(usual(24), 'hourly').with(3, { timestamp: 'soon', value: 1 }) })],
    ['InvalidSeries', valid({ series: series(usual(24), 'minutely') })],
    [
      'InvalidSeries',
      { series: series(usual(24), 'minutely').with(4, { timestamp: '2020-01-01T00:00:00Z', value: 1 }) },
    ],
    [
      'InvalidSeries',
      valid({ series: [...series(usual(24), 'hourly'), { timestamp: '2034-01-01T00:00:00Z', value: 1 }] }),
    ],
    ['BadArgument', { series: series(usual(11)) }],
    ['BadArgument', { series: series(usual(8641)) }],
    ['InvalidGranularity', valid({ granularity: 'fortnightly' })],
    ['RequiredGranularity', { series: series(usual(24), 'hourly') }, 'change-point'],
    ['InvalidCustomInterval', valid({ customInterval: 0 })],
    ['InvalidCustomInterval', valid({ customInterval: 1.5 })],
    ['InvalidPeriod', valid({ period: -1 })],
    ['InvalidPeriod', valid({ period: 13 })],
    ['InvalidModelArgument', valid({ sensitivity: 100 })],
    ['InvalidModelArgument', valid({ maxAnomalyRatio: 0.5 })],
    ['InvalidModelArgument', valid({ threshold: 2 }), 'change-point'],
    ['InvalidModelArgument', valid({ stableTrendWindow: 0 }), 'change-point'],
    ['InvalidImputeMode', valid({ imputeMode: 'magic' })],
    ['InvalidImputeFixedValue', valid({ imputeMode: 'fixed' })],
    ['InvalidImputeFixedValue', valid({ imputeMode: 'fixed', imputeFixedValue: 'x' })],
  ])('is rejected with the code %s, case %#', (code, body, kind = 'entire') => {
    expect(ask(kind, body)).toEqual({ code, message: expect.stringMatching(/\.$/) });
  });
});
