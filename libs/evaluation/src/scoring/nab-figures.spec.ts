import { nabFigures } from './nab-figures.js';
import { crossValidateNab, sweepNab } from './nab-sweep.js';

describe('nabFigures', () => {
  it('returns the loss of the given threshold against the best one, for each profile', () => {
    const scores = new Float64Array(100);
    scores[20] = 0.6;
    scores[50] = 0.8;
    const corpus = [{ scores, windows: [{ first: 50, last: 59 }] }];
    const figures = nabFigures(corpus, 0.5);
    expect(figures.map(({ profile }) => profile.name)).toEqual(['standard', 'low FP', 'low FN']);
    // At 0.5 one false row far from any window: 100 - 50 * 0.11, 100 - 50 * 0.22, 100 - 100/3 * 0.11. At 0.8 none.
    [5.5, 11, 11 / 3].forEach((loss, i) => {
      expect(figures[i]!.fixed.score).toBeCloseTo(100 - loss, 10);
      expect(figures[i]!.swept).toMatchObject({ threshold: 0.8, windowsFound: 1, falseAlarmRows: 0 });
      expect(figures[i]!.thresholdLoss).toBeCloseTo(loss, 10);
    });
  });

  it('returns the same results as sweepNab and crossValidateNab', () => {
    const corpus = Array.from({ length: 7 }, (_, file) => ({
      scores: Float64Array.from({ length: 200 }, (_row, row) => ((row * 7919 + file * 104_729) % 97) / 97),
      windows: [{ first: 60 + 10 * file, last: 79 + 10 * file }],
    }));
    for (const { profile, swept, crossValidated } of nabFigures(corpus, 0.5)) {
      expect(swept).toEqual(sweepNab(corpus, profile));
      expect(crossValidated).toBe(crossValidateNab(corpus, profile));
    }
  });
});
