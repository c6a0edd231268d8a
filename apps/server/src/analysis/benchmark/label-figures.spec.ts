import { labelFigures } from './label-figures.js';

const timestamps = Float64Array.from({ length: 1000 }, (_, row) => row * 60);
const at = (first: number, last: number) => ({ from: first * 60, until: last * 60 });
const label = (first: number, last: number): [number, number] => [first * 60, last * 60];

describe('labelFigures', () => {
  it.each([
    [
      'nothing found',
      [],
      [label(500, 520)],
      { truePositives: 0, falsePositives: 0, falseNegatives: 1, precision: null, recall: 0, f1: null },
    ],
    [
      'all found',
      [at(500, 510)],
      [label(500, 520)],
      { truePositives: 1, falsePositives: 0, falseNegatives: 0, precision: 1, recall: 1, f1: 1 },
    ],
    [
      'one found twice, one missed, one false',
      [at(500, 505), at(515, 518), at(700, 701)],
      [label(500, 520), label(800, 820)],
      {
        truePositives: 1,
        falsePositives: 1,
        falseNegatives: 1,
        precision: 2 / 3,
        recall: 0.5,
        f1: expect.closeTo(4 / 7, 9) as number,
      },
    ],
    [
      'one anomaly over two labels',
      [at(490, 830)],
      [label(500, 520), label(800, 820)],
      { truePositives: 2, falsePositives: 0, falseNegatives: 0, precision: 1, recall: 1, f1: 1 },
    ],
    [
      'overlapping labels count as one',
      [],
      [label(500, 520), label(510, 530)],
      { truePositives: 0, falsePositives: 0, falseNegatives: 1, precision: null, recall: 0, f1: null },
    ],
  ])('counts hits, misses and false alarms: %s', (_, anomalies, labels, figures) => {
    expect(labelFigures(timestamps, anomalies, labels)).toMatchObject(figures);
  });

  it('returns NAB score 100 for hits at label starts, 0 without anomalies, and less than 0 for false alarms', () => {
    const labels = [label(500, 520), label(800, 820)];
    expect(labelFigures(timestamps, [at(500, 500), at(795, 810)], labels).nabScore).toBeCloseTo(100, 5);
    expect(labelFigures(timestamps, [], labels).nabScore).toBe(0);
    expect(labelFigures(timestamps, [at(300, 310)], labels).nabScore).toBeLessThan(0);
    const late = labelFigures(timestamps, [at(515, 516), at(815, 816)], labels).nabScore!;
    expect(late).toBeGreaterThan(0);
    expect(late).toBeLessThan(90);
    expect(labelFigures(timestamps, [], [label(2000, 2010)]).nabScore).toBeNull();
  });
});
