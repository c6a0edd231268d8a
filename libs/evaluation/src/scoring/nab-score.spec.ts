import { NAB_PROFILES, type NabProfile, type NabSeries, type RowRange, scoreNab } from '#libs/baselines';
import fc from 'fast-check';
import { crossValidateNab, sweepNab } from './nab-sweep.js';

const [STANDARD, LOW_FP, LOW_FN] = NAB_PROFILES;

/** A file of `rows` rows with score 0, except for `peaks`. */
function file(rows: number, windows: RowRange[], peaks: Record<number, number>): NabSeries {
  const scores = new Float64Array(rows);
  for (const [row, score] of Object.entries(peaks)) scores[Number(row)] = score;
  return { scores, windows };
}

/**
 * A reference implementation of the rules, row by row and window by window, without shared code.
 */
function reference(corpus: readonly NabSeries[], threshold: number, { found, falseAlarm, missed }: NabProfile): number {
  const sigma = (y: number): number => (y > 3 ? -1 : 2 / (1 + Math.exp(5 * y)) - 1);
  let [raw, perfect, silent] = [0, 0, 0];
  for (const { scores, windows } of corpus) {
    const from = Math.min(Math.floor(scores.length * 0.15), 750);
    const isDetection = (row: number): boolean => row >= from && scores[row]! >= threshold;
    perfect += found * windows.length;
    for (const { first, last } of windows) {
      if (last < from) continue;
      silent -= missed;
      let hit = first;
      while (hit <= last && !isDetection(hit)) hit += 1;
      raw += hit > last ? -missed : (found * sigma(-(last - hit + 1) / (last - first + 1))) / sigma(-1);
    }
    for (let row = 0; row < scores.length; row++) {
      if (!isDetection(row) || windows.some(({ first, last }) => first <= row && row <= last)) continue;
      const before = windows.filter(({ last }) => last < row).at(-1);
      raw += falseAlarm * (before ? sigma((row - before.last) / (before.last - before.first)) : -1);
    }
  }
  return (100 * (raw - silent)) / (perfect - silent);
}

/** Small files with random windows, and scores of few values so that ties are common. */
const corpora = fc.array(
  fc.integer({ min: 12, max: 60 }).chain((rows) =>
    fc.record({
      scores: fc
        .array(fc.constantFrom(0, 0, 0, 0.2, 0.5, 0.7, 1, NaN), { minLength: rows, maxLength: rows })
        .map((scores) => Float64Array.from(scores)),
      windows: fc
        .uniqueArray(fc.integer({ min: 0, max: rows - 1 }), { minLength: 4, maxLength: 4 })
        .map((ends) => ends.sort((a, b) => a - b))
        .map(([a, b, c, d]) => [
          { first: a!, last: b! },
          { first: c!, last: d! },
        ]),
    }),
  ),
  { minLength: 1, maxLength: 6 },
);

describe('scoreNab', () => {
  const windows = [{ first: 50, last: 59 }];

  it.each(NAB_PROFILES)('scores a perfect detector 100 and a silent one 0 ($name)', (profile) => {
    expect(scoreNab([file(100, windows, { 50: 1 })], 0.5, profile).score).toBeCloseTo(100, 12);
    expect(scoreNab([file(100, windows, {})], 0.5, profile).score).toBe(0);
  });

  it('penalises every false row, and a row shortly after a window less', () => {
    const { score, falseAlarmRows, windowsFound } = scoreNab(
      [file(100, windows, { 20: 1, 21: 0.5, 50: 1, 60: 1 })],
      0.5,
      STANDARD,
    );
    // Raw: 1 - 0.11 (1 + 1 + tanh(2.5/9)) = 0.750211...; null -1, perfect 1.
    expect(score).toBeCloseTo(50 * (2 - 0.11 * (2 + Math.tanh(2.5 / 9))), 10);
    expect({ falseAlarmRows, windowsFound }).toEqual({ falseAlarmRows: 3, windowsFound: 1 });
  });

  it('scores a window by its earliest detection, whatever the score of that row', () => {
    const peaksOf: Record<number, number>[] = [{ 55: 0.9 }, { 55: 0.9, 58: 1 }];
    const [late, both] = peaksOf.map((peaks) => scoreNab([file(100, windows, peaks)], 0.5, STANDARD).score);
    // Half of the window is left: tanh(1.25)/tanh(2.5) = 0.859792.
    expect(late).toBeCloseTo(50 * (1 + 0.859792), 3);
    expect(both).toBe(late);
  });

  it('weights false alarms and misses by the profile', () => {
    const corpus = [file(100, windows, { 20: 1 }), file(100, windows, { 50: 1 })];
    // Standard: (-0.11 - 1 + 1 + 2) / 4; low FP: (-0.22 + 2) / 4; low FN: (-0.11 - 2 + 1 + 4) / 6.
    expect(scoreNab(corpus, 0.5, STANDARD).score).toBeCloseTo(47.25, 10);
    expect(scoreNab(corpus, 0.5, LOW_FP).score).toBeCloseTo(44.5, 10);
    expect(scoreNab(corpus, 0.5, LOW_FN).score).toBeCloseTo(289 / 6, 10);
  });

  it('ignores the probation', () => {
    expect(scoreNab([file(100, windows, { 0: 1, 14: 1 })], 0.5, STANDARD)).toMatchObject({
      score: 0,
      falseAlarmRows: 0,
    });
    expect(scoreNab([file(100, windows, { 15: 1 })], 0.5, STANDARD).falseAlarmRows).toBe(1);
  });

  it('agrees with a reference implementation', () => {
    fc.assert(
      fc.property(
        corpora,
        fc.constantFrom(0.1, 0.5, 0.6, 1.1),
        fc.constantFrom(...NAB_PROFILES),
        (corpus, threshold, profile) => {
          const isScorable = corpus.some(({ windows: all }) => all.length > 0);
          expect(isScorable).toBe(true);
          expect(scoreNab(corpus, threshold, profile).score).toBeCloseTo(reference(corpus, threshold, profile), 9);
        },
      ),
      { seed: 72, numRuns: 300 },
    );
  });

  it('is 0 for a corpus without windows', () => {
    expect(scoreNab([file(100, [], { 40: 1 })], 0.5, STANDARD)).toMatchObject({ score: 0, falseAlarmRows: 1 });
  });
});

describe('sweepNab', () => {
  it('finds the best of all thresholds', () => {
    fc.assert(
      fc.property(corpora, fc.constantFrom(...NAB_PROFILES), (corpus, profile) => {
        const thresholds = [...corpus.flatMap(({ scores }) => Array.from(scores)), Infinity];
        const best = Math.max(
          ...thresholds.map((threshold) => reference(corpus, threshold, profile)).filter((s) => !Number.isNaN(s)),
        );
        expect(sweepNab(corpus, profile).score).toBeCloseTo(best, 9);
      }),
      { seed: 73, numRuns: 300 },
    );
  });

  it('returns an infinite threshold when every alarm would be false', () => {
    expect(sweepNab([file(100, [], { 40: 1 })], STANDARD)).toMatchObject({ score: 0, threshold: Infinity });
  });
});

describe('crossValidateNab', () => {
  const windows = [{ first: 50, last: 59 }];

  it('is 100 when one threshold is perfect for all files', () => {
    const corpus = Array.from({ length: 6 }, () => file(100, windows, { 30: 0.4, 50: 0.8 }));
    expect(crossValidateNab(corpus, STANDARD)).toBeCloseTo(100, 10);
  });

  it('is lower when a threshold does not suit a held-out file', () => {
    // The first file finds its window only at 0.3, which would cost the others ten false rows each.
    const noisy = (): NabSeries =>
      file(100, windows, { ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [20 + i, 0.3])), 50: 0.8 });
    const corpus = [file(100, windows, { 50: 0.3 }), noisy(), noisy(), noisy(), noisy()];
    // Four of five windows at 0.8, one missed: (4 - 1 + 5) / 10.
    expect(crossValidateNab(corpus, STANDARD)).toBeCloseTo(80, 10);
    // The first file alone is best at 0.3, but the threshold is chosen without it.
    expect(sweepNab([corpus[0]!], STANDARD).score).toBeCloseTo(100, 10);
  });
});
