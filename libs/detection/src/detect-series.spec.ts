import { detectSeries, type DetectSeriesOptions } from './detect-series.js';
import { NOVELTY_LEVEL, NOVELTY_WEIGHTS, SPIKE_LEVEL } from './scores/channels.js';
import { PART_NAMES } from './scores/parts.js';
import { type ScoredVerdicts, scoreSeries, type ScoreSeriesOptions } from './scores/score-series.js';
import { scoreOf } from './series/judgement/alarm-score.js';
import { EVIDENCE_NAMES } from './series/judgement/evidence.js';
import { BERLIN, berlinNightlyJob, SPRING_CHANGE } from './testing/berlin.js';
import { differenceOfEvents } from './testing/columns.js';
import {
  autoregressive,
  dailySine,
  DAY,
  during,
  type Generator,
  logNormal,
  type Rows,
  series,
  sparseCounts,
  START,
  uniform,
  wave,
  white,
} from './testing/generators.js';
import { anomalyAt, detect, opened } from './testing/verdicts.js';
import { type SeriesVerdicts } from './types.js';

const MINUTE = 60;
const CHANNELS = ['novelty', 'spike', 'score'] as const;

const verdictsOf = ({ timestamps, values }: Rows, options: Partial<ScoreSeriesOptions> = {}): ScoredVerdicts =>
  scoreSeries(timestamps, values, { type: 'gauge', ...options });

/** Three and a half days with a higher level of 40 minutes and a dip of one minute. */
const withTrouble = (base: Generator): Rows =>
  series(
    3.5,
    MINUTE,
    during(
      during(base, 2.6, 40, (x) => x + 15),
      3.2,
      1,
      (x) => x - 30,
    ),
  );

describe('detectSeries', () => {
  describe('with an anomaly', () => {
    it('reports a spike at its minute, with a value above the range', () => {
      const found = anomalyAt(
        detect(
          8,
          during(white(1), 7.1, 1, (x) => x + 12),
        ),
        7.1,
      );
      expect(found).toMatchObject({ kind: 'spike', closeReason: 'recovered', endTimestamp: found?.startTimestamp });
      expect(found!.value).toBeGreaterThan(found!.upper!);
      expect(found!.expected).toBeGreaterThan(found!.lower!);
      expect(found!.score).toBeGreaterThan(0.5);
    });

    it('explains a spike of two rows by the range before its first row', () => {
      const found = anomalyAt(
        detect(
          8,
          during(
            during(white(1), 7.1, 2, (x) => x + 12),
            7.1 + 1 / 1440,
            1,
            (x) => x + 12,
          ),
        ),
        7.1,
      )!;
      expect(found.peakTimestamp).toBeGreaterThan(found.startTimestamp);
      for (const { expected } of found.explanation) {
        expect(expected).toBeGreaterThanOrEqual(found.lower!);
        expect(expected).toBeLessThanOrEqual(found.upper!);
      }
    });

    it('reports a small lasting level shift', () => {
      const found = anomalyAt(
        detect(
          8,
          during(white(5), 7.1, 120, (x) => x + 3),
        ),
        7.1,
        60,
      );
      expect(found?.kind).toBe('level_shift_up');
    });

    it('reports a missing nightly job whose start varies by minutes', () => {
      const next = uniform(21);
      const noise = white(22);
      const starts = Array.from({ length: 12 }, () => 125 + Math.floor(next() * 3));
      const jittered: Generator = (i, timestamp) => {
        const minute = Math.floor((timestamp % DAY) / 60);
        const start = starts[Math.floor((timestamp - START) / DAY)]!;
        return (minute >= start && minute < 150 ? 50 : 0) + noise(i, timestamp);
      };
      const result = detect(
        10,
        during(jittered, 9 + 120 / 1440, 30, (x) => (x > 25 ? x - 50 : x)),
      );
      expect(opened(result, 4)).toHaveLength(1);
      expect(anomalyAt(result, 9, 138)?.kind).toBe('seasonal_break');
    });

    it('reports a burst in a low-traffic series', () => {
      const result = detect(
        8,
        during(sparseCounts(14), 7.1, 10, () => 40),
      );
      expect(opened(result)).toHaveLength(1);
      expect(anomalyAt(result, 7.1, 5)).toBeDefined();
    });

    it.each<[string, number, number]>([
      ['began with a value of 2^31 - 1', 0, 2 ** 31 - 1],
      ['began with a value of 1e300', 0, 1e300],
      ['had a value of -1e300 in its first minutes', 30, -1e300],
      ['once had a value of 1e9', 3000, 1e9],
    ])('reports a later anomaly in a series that %s', (_, row, absurd) => {
      const rows = series(
        14.5,
        MINUTE,
        during(dailySine(23), 14.4, 60, (x) => x + 50),
      );
      rows.values[row] = absurd;
      expect(anomalyAt(verdictsOf(rows), 14.4, 9)).toBeDefined();
    });
  });

  it.each([
    ['above', 105, 'spike'],
    ['below', 0, 'dip'],
  ] as const)('closes the anomaly of one row %s a flat line within three minutes', (_, value, kind) => {
    const result = detect(
      4.3,
      during(
        () => 100,
        4.1,
        1,
        () => value,
      ),
    );
    const anomaly = anomalyAt(result, 4.1)!;
    expect(anomaly).toMatchObject({ kind, closeReason: 'recovered' });
    expect(anomaly.endTimestamp! - anomaly.startTimestamp).toBeLessThanOrEqual(180);
    expect(opened(result, 4.11)).toHaveLength(0);
  });

  it.each([5, 10, 15, 30, 60])('opens almost nothing after trouble of %d minutes has ended', (minutes) => {
    let later = 0;
    for (let seed = 31; seed < 41; seed++) {
      const base = seed % 2 === 0 ? white(seed) : dailySine(seed);
      const size = seed % 3 === 0 ? -20 : 20;
      const result = detect(
        4.3,
        during(base, 4.1, minutes, (x) => x + size),
      );
      if (opened(result, 4.1 + (minutes + 1) / 1440).length > 0) later++;
    }
    expect(later).toBeLessThanOrEqual(1);
  });

  it.each([
    ['noise', white, -50],
    ['a daily wave', dailySine, 30],
  ] as const)('adapts to a new level of %s after twelve hours', (_, make, size) => {
    const result = detect(
      9,
      during(make(9), 7.1, Infinity, (x) => x + size),
    );
    const shift = anomalyAt(result, 7.1)!;
    expect(shift).toMatchObject({ closeReason: 'adapted', kind: size > 0 ? 'level_shift_up' : 'level_shift_down' });
    expect((shift.endTimestamp! - shift.startTimestamp) / 3600).toBeCloseTo(12, 0);
    expect(opened(result, 7.7)).toHaveLength(0);
    const calm = detect(9, make(9));
    expect(Math.abs(result.yhat.at(-1)! - size - calm.yhat.at(-1)!)).toBeLessThan(2);
  });

  it('adapts to the end of a season after a day', () => {
    const result = detect(
      9,
      during(dailySine(9, 20), 7.1, Infinity, (_, minute) => 60 + white(minute)(0, 0)),
    );
    const change = anomalyAt(result, 7.1)!;
    expect(change.closeReason).toBe('adapted');
    expect((change.endTimestamp! - change.startTimestamp) / 3600).toBeCloseTo(24, 0);
  });

  it.each([716, 717, 718, 719])(
    'does not adapt to a level shift that ends within twelve hours: %d minutes',
    (minutes) => {
      const base = white(9);
      const result = detect(
        9,
        during(base, 7.1, minutes, () => 40),
      );
      expect(anomalyAt(result, 7.1)!.closeReason).toBe('recovered');
      expect(Math.abs(result.yhat.at(-1)!)).toBeLessThan(2);
      expect(opened(result, 7.602)).toHaveLength(0);
    },
  );

  describe('with a counter', () => {
    it('converts values to rates and counts from zero after a reset', () => {
      const result = detectSeries(Float64Array.of(0, 60, 120, 180), Float64Array.of(600, 1200, 30, 90), {
        type: 'counter',
      });
      expect([...result.values]).toEqual([NaN, 10, 0.5, 1]);
    });

    it('opens nothing at resets and one anomaly when the counter stops', () => {
      const next = uniform(13);
      let total = 0;
      const rows = series(6, MINUTE, (i) => {
        if (i % 2000 === 1999) total = 0;
        const stopped = i >= 7300 && i < 7330;
        return (total += stopped ? 0 : 500 + 100 * next());
      });
      const result = verdictsOf(rows, { type: 'counter' });
      expect(opened(result)).toHaveLength(1);
      expect(anomalyAt(result, 7305 / 1440)).toMatchObject({ value: 0 });
    });
  });

  it('opens and closes a missing data anomaly at a gap', () => {
    const { timestamps, values } = series(3, MINUTE, white(15));
    const keep = [...timestamps.keys()].filter((i) => i < 2000 || i >= 2090);
    const result = detectSeries(
      Float64Array.from(keep, (i) => timestamps[i]!),
      Float64Array.from(keep, (i) => values[i]!),
      { type: 'gauge' },
    );
    const gap = anomalyAt(result, 2040 / 1440);
    expect(gap).toMatchObject({ kind: 'missing_data', value: null, closeReason: 'recovered' });
    expect(gap?.startTimestamp).toBe(START + 2000 * MINUTE);
    expect(gap?.endTimestamp).toBe(START + 2089 * MINUTE);
  });

  it('returns a verdict for every valid row after the warm-up, and none for invalid rows', () => {
    const { timestamps, values } = series(1, MINUTE, white(16));
    values[500] = NaN;
    values[501] = -Infinity;
    timestamps[600] = timestamps[599]!;
    const result = scoreSeries(timestamps, values, { type: 'gauge' });
    const { yhat } = result;
    const empty = [...yhat.keys()].filter((i) => Number.isNaN(yhat[i]!));
    expect(empty).toEqual([...Array.from({ length: 100 }, (_, i) => i), 500, 501, 600]);
    for (const channel of CHANNELS) expect(empty.every((i) => result[channel][i] === 0)).toBe(true);
  });

  describe('with a transformed series', () => {
    const kinds: [string, (seed: number) => Generator][] = [
      ['daily sine', (seed) => dailySine(seed)],
      ['log-normal noise', logNormal],
      ['slow noise', (seed) => autoregressive(seed, 0.95)],
    ];
    const maps: [string, (x: number) => number][] = [
      ['values times 1,000 plus 50,000', (x) => x * 1000 + 5e4],
      ['values times 0.0001', (x) => x * 1e-4],
      ['values times 1,000,000', (x) => x * 1e6],
      ['negated values', (x) => -x],
    ];

    it.each(kinds.flatMap(([kind, make]) => maps.map(([name, map]) => [name, kind, make, map] as const)))(
      'opens the same anomalies with %s: %s',
      (_, __, make, map) => {
        for (const seed of [18, 19]) {
          const rows = withTrouble(make(seed));
          const plain = verdictsOf(rows);
          const mapped = verdictsOf({ ...rows, values: rows.values.map(map) });
          expect(opened(mapped).map((e) => e.startTimestamp)).toEqual(opened(plain).map((e) => e.startTimestamp));
          expect(mapped.anomalous).toEqual(plain.anomalous);
          for (const channel of CHANNELS) {
            const [some, others] = [plain[channel], mapped[channel]];
            // Rounding may move a value near the edge of a cell into the next cell, or a distance over its gate.
            const differences = some.map((score, i) => Math.abs(score - others[i]!));
            expect(Math.max(...differences)).toBeLessThan(0.25);
            expect(differences.reduce((sum, one) => sum + one, 0) / differences.length).toBeLessThan(1e-3);
            const alarms = (column: Float64Array): number[] => [...column.keys()].filter((i) => column[i]! >= 0.5);
            expect(alarms(others)).toEqual(alarms(some));
          }
        }
      },
    );

    it('returns bit-identical verdicts some weeks later', () => {
      const rows = withTrouble(dailySine(20));
      const later = { ...rows, timestamps: rows.timestamps.map((timestamp) => timestamp + 5 * 7 * DAY) };
      const [plain, shifted] = [verdictsOf(rows), verdictsOf(later)];
      for (const column of [...CHANNELS, 'yhat', 'lower', 'upper', 'anomalous', 'kind'] as const) {
        expect(shifted[column]).toEqual(plain[column]);
      }
    });

    it('opens the same anomalies at another time of day', () => {
      const rows = withTrouble(white(20));
      const later = { ...rows, timestamps: rows.timestamps.map((timestamp) => timestamp + 25_980) };
      const starts = (verdicts: SeriesVerdicts, offset: number): number[] =>
        opened(verdicts).map(({ startTimestamp }) => startTimestamp - offset);
      expect(starts(verdictsOf(later), 25_980)).toEqual(starts(verdictsOf(rows), 0));
      expect(starts(verdictsOf(rows), 0).length).toBeGreaterThan(1);
    });
  });

  it('returns the same verdicts as scoreSeries', () => {
    const rows = withTrouble(dailySine(21));
    const verdicts = detectSeries(rows.timestamps, rows.values, { type: 'gauge' });
    expect(verdicts).not.toHaveProperty('score');
    expect(verdictsOf(rows)).toMatchObject(verdicts);
  });

  it('returns the evidence of each kind for a requested row', () => {
    const { timestamps, values } = withTrouble(dailySine(21));
    const { anomalous, evidence: none } = detectSeries(timestamps, values, { type: 'gauge' });
    expect(none).toBeUndefined();
    const evidenceAt = anomalous.indexOf(1);
    const { evidence } = detectSeries(timestamps, values, { type: 'gauge', evidenceAt });
    expect(evidence).toHaveLength(EVIDENCE_NAMES.length);
    expect(Math.max(...evidence!)).toBeGreaterThan(0.67);
    expect([...detectSeries(timestamps, values, { type: 'gauge', evidenceAt: -1 }).evidence!]).toEqual(
      EVIDENCE_NAMES.map(() => NaN),
    );
  });

  it('returns the parts from which the scores are computed', () => {
    const rows = withTrouble(dailySine(21));
    const { parts, novelty, spike, yhat } = verdictsOf(rows, { withParts: true });
    expect(parts).toHaveLength(PART_NAMES.length + 1);
    expect(verdictsOf(rows).parts).toBeUndefined();
    let spoke = 0;
    for (let row = 0; row < yhat.length; row++) {
      if (Number.isNaN(yhat[row]!)) continue;
      const evidence = NOVELTY_WEIGHTS.reduce((sum, weight, part) => sum + weight * parts![part]![row]!, 0);
      expect(spike[row]).toBe(scoreOf(parts!.at(-1)![row]!, SPIKE_LEVEL));
      if (!(novelty[row]! >= 0.5)) continue;
      spoke++;
      expect(novelty[row]).toBeCloseTo(scoreOf(evidence, NOVELTY_LEVEL), 12);
    }
    expect(spoke).toBeGreaterThan(0);
  });

  it('opens more anomalies with a higher sensitivity', () => {
    const rows = withTrouble(dailySine(22));
    const [insensitive, usual, sensitive] = [0.1, 1, 3].map((sensitivity) => verdictsOf(rows, { sensitivity }));
    const first = sensitive!.anomalous.indexOf(1);
    for (let row = 0; row < first; row++) {
      expect(insensitive!.spike[row]).toBeLessThanOrEqual(usual!.spike[row]!);
      expect(usual!.spike[row]).toBeLessThanOrEqual(sensitive!.spike[row]!);
    }
    expect(first).toBeLessThanOrEqual(usual!.anomalous.indexOf(1));
    expect(opened(insensitive!).length).toBeLessThan(opened(usual!).length);
    expect(opened(sensitive!).length).toBeGreaterThan(opened(usual!).length);
    expect(verdictsOf(rows).score).toEqual(usual!.score);
  });

  it('narrows the expected range with a season of unusual length, whether detected or given', () => {
    const odd = 30_000;
    const rows = series(6, MINUTE, wave(24, odd, 20));
    const width = (options: Partial<DetectSeriesOptions>): number => {
      const { lower, upper } = verdictsOf(rows, options);
      const from = 4 * 1440;
      return lower.slice(from).reduce((sum, low, i) => sum + upper[from + i]! - low, 0) / (rows.values.length - from);
    };
    const given = width({ periodSeconds: odd });
    expect(width({})).toBeLessThan(1.1 * given);
    expect(given).toBeLessThan(0.95 * width({ periodSeconds: 0 }));
  });

  it('uses the time of day in the time zone of the series', () => {
    const from = SPRING_CHANGE - 10 * DAY;
    const rows = series(14, MINUTE, berlinNightlyJob(25), from);
    const after = ({ anomalies }: SeriesVerdicts): number =>
      anomalies.filter(({ type, startTimestamp }) => type === 'opened' && startTimestamp >= SPRING_CHANGE).length;
    expect(after(verdictsOf(rows, { timezone: BERLIN }))).toBe(0);
    expect(after(verdictsOf(rows))).toBeGreaterThan(0);
  });

  it('explains an anomaly in sentences with numbers, strongest first', () => {
    const found = anomalyAt(
      detect(
        8,
        during(white(19), 7.1, 1, (x) => x + 30),
      ),
      7.1,
    )!;
    const scores = found.explanation.map((item) => item.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(found.explanation[0]!.text).toMatch(/^[A-Z0-9-].*\d.*\.$/);
    expect(found.severity).toBeGreaterThan(25);
    expect(found.severity).toBeLessThanOrEqual(100);
  });

  it('ends the explanation with how often the series has an anomaly', () => {
    const spike = (x: number): number => x + 30;
    const verdicts = detect(40, during(during(white(19), 7.1, 1, spike), 37.1, 1, spike));
    const [first, second] = [anomalyAt(verdicts, 7.1)!, anomalyAt(verdicts, 37.1)!];
    expect(first.rarityDays).toBeCloseTo(7.1, 1);
    expect(first.explanation.at(-1)).toMatchObject({
      test: 'rarity',
      text: 'This series has an anomaly about once in 7 days or less often.',
    });
    // Two in 37 days, of which the one of 30 days ago has faded to a fifth.
    expect(second.rarityDays).toBeGreaterThan(15);
    expect(second.rarityDays).toBeLessThan(30);
    expect(second.explanation.at(-1)!.text).toMatch(/an anomaly about once in [34] weeks\.$/);
  });

  it('reports no rarity on the first day', () => {
    const early = anomalyAt(
      detect(
        1,
        during(white(19), 0.8, 30, (x) => x + 30),
      ),
      0.8,
    )!;
    expect(early.rarityDays).toBeNull();
    expect(early.explanation.map(({ test }) => test)).not.toContain('rarity');
  });

  it('is deterministic', () => {
    const rows = withTrouble(dailySine(26));
    const [first, second] = [verdictsOf(rows), verdictsOf(rows)];
    for (const channel of CHANNELS) expect(second[channel]).toEqual(first[channel]);
    expect(differenceOfEvents(second.anomalies, first.anomalies)).toBeUndefined();
  });

  it('rejects columns of different length', () => {
    expect(() => detectSeries(new Float64Array(2), new Float64Array(3), { type: 'gauge' })).toThrow(RangeError);
  });
});
