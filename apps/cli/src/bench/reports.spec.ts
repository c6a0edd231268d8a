import { paceOf } from '#libs/evaluation';
import { figuresTable, judgeLabelled } from './labelled-report.js';
import { judgeNab, partsTable, profileTable } from './nab-report.js';
import { rangeJson, rangeTable } from './range-report.js';

/** A hundred rows with score 0, except for the given peaks. */
function column(...peaks: [row: number, score: number][]): Float64Array {
  const scores = new Float64Array(100);
  for (const [row, score] of peaks) scores[row] = score;
  return scores;
}

describe('reports on score columns of any detector', () => {
  const files = [
    {
      name: 'a.csv',
      windows: [{ first: 50, last: 59 }],
      scores: { all: column([50, 0.8]), 'without novelty': column([20, 0.6], [50, 0.3]) },
    },
  ];

  it('judges each column of a NAB corpus separately', () => {
    const results = judgeNab(files, ['all', 'without novelty'], 0.5);
    // Standard profile: an alarm at the start of the window scores 100; no alarm 0; one false row costs 0.11 / 2 · 100.
    expect(results.map(({ profiles }) => profiles[0]!.fixed.score)).toEqual([100, expect.closeTo(-5.5, 10)]);
    expect(results[1]!.profiles[0]!.swept.score).toBeCloseTo(94.5, 10);
    expect(profileTable(results, 0.5)).toMatch(
      /│ without novelty │ standard +│ +-5.50 │ +0\/1 │ +1 │ +94.50 │ +0.300 │/,
    );
    expect(partsTable('file', new Map([['a.csv', files]]), results)).toMatch(
      /│ a.csv │ without novelty │ +1 │ +100 │ +0\/1 │ +1 │ +1\/1 │ +1 │/,
    );
  });

  it('throws for a missing column', () => {
    expect(() => judgeNab(files, ['none'], 0.5)).toThrow('a.csv has no column none');
  });

  it('judges each column of a labelled set separately', () => {
    const labels = new Uint8Array(100);
    labels[50] = 1;
    const set = files.map(({ name, scores }) => ({ name, scores, labels, pace: paceOf(60) }));
    const results = judgeLabelled('set', set, ['all', 'without novelty'], 0.5);
    expect(results.map(({ figures }) => figures.fixed.f1)).toEqual([1, 0]);
    // At threshold 0.3, one of two alarms is right: F1 is 2/3.
    expect(results[1]!.figures.thresholdLoss).toBeCloseTo(2 / 3, 10);
    expect(figuresTable('data set', 0.5, results)).toMatch(/│ set +│ all +│ +1 │ +85 │ +1.000 │/);
  });

  it('shows unknown figures of a range as a dash, and as null in JSON', () => {
    const unknown = { rows: 0, inside: 0, comparedRows: 0, score: NaN, baselineScore: NaN, deviation: NaN };
    expect(rangeTable('set', [{ name: 'a', ranges: [unknown] }])).toMatch(/│ a +│ +1 │ +0 │ +– │ +– │ +– │ +– │/);
    expect(rangeJson([unknown])).toMatchObject({ normal_rows: 0, inside: null, interval_score_ratio: null });
  });
});
