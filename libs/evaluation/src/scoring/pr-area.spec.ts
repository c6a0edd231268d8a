import fc from 'fast-check';
import { areaUnderPr } from './pr-area.js';

const area = (scores: number[], labels: number[]): number | null =>
  areaUnderPr(Float64Array.from(scores), Uint8Array.from(labels));

/** Sum of precision times the gain in recall over all thresholds, each counted independently. */
function reference(scores: number[], labels: number[]): number {
  const positives = labels.filter((label) => label === 1).length;
  let [sum, recallBefore] = [0, 0];
  for (const threshold of [...new Set(scores)].sort((a, b) => b - a)) {
    const over = scores.flatMap((score, row) => (score >= threshold ? [labels[row]!] : []));
    const hits = over.filter((label) => label === 1).length;
    sum += (hits / over.length) * (hits / positives - recallBefore);
    recallBefore = hits / positives;
  }
  return sum;
}

/** Repeatable uniform numbers. Source of the constants: Numerical Recipes, "quick and dirty" generator. */
function uniform(count: number): number[] {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  });
}

describe('areaUnderPr', () => {
  it.each([
    // The example in the documentation of scikit-learn's average_precision_score: 0.83.
    ['one positive first and one third', [0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1], 0.5 * 1 + 0.5 * (2 / 3)],
    ['all positives first', [0.9, 0.1, 0.8, 0.2], [1, 0, 1, 0], 1],
    ['all positives last', [0.1, 0.9, 0.2, 0.8], [1, 0, 1, 0], 0.5 * (1 / 3) + 0.5 * (2 / 4)],
    ['one score for all', [0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0], 0.25],
    ['a positive without score', [0.5, NaN, 0.1, 0], [1, 1, 0, 0], 0.5],
  ])('is correct for %s', (_, scores, labels, want) => expect(area(scores, labels)).toBeCloseTo(want, 12));

  it('is null without a positive', () => expect(area([0.1, 0.2], [0, 0])).toBeNull());

  it('agrees with a reference that counts at every threshold', () => {
    const row = fc.tuple(fc.constantFrom(0, 0.1, 0.2, 0.5, 0.9), fc.constantFrom(0, 0, 1));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
        const [scores, labels] = [rows.map(([score]) => score), rows.map(([, label]) => label)];
        fc.pre(labels.includes(1));
        expect(area(scores, labels)).toBeCloseTo(reference(scores, labels), 10);
      }),
      { seed: 74, numRuns: 300 },
    );
  });

  it('is the share of positives for random scores', () => {
    const labels = Uint8Array.from({ length: 50_000 }, (_, row) => (row % 20 === 0 ? 1 : 0));
    expect(areaUnderPr(Float64Array.from(uniform(50_000)), labels)).toBeCloseTo(0.05, 2);
  });
});
