import { chooseHeldOut } from './ablation-choice.js';

describe('chooseHeldOut', () => {
  it('is the plain sum when there is nothing to choose', () => {
    expect(chooseHeldOut([Float64Array.of(1, 2, 3, 4, 5, 6)], 3, 1)).toEqual({ worth: 21, chosen: [0, 0, 0] });
  });

  it('takes what is better everywhere, and the first of equals', () => {
    const [poor, good] = [new Float64Array(10).fill(1), new Float64Array(10).fill(2)];
    expect(chooseHeldOut([poor, good, good], 5, 1)).toEqual({ worth: 20, chosen: [1, 1, 1, 1, 1] });
  });

  it('judges luck on files that had no say', () => {
    // Each candidate is good on one file alone: chosen for the others, it is worth nothing there.
    const candidates = Array.from({ length: 5 }, (_, lucky) =>
      Float64Array.from({ length: 5 }, (_file, file) => (file === lucky ? 10 - lucky : 0)),
    );
    const { worth, chosen } = chooseHeldOut(candidates, 5, 7);
    expect(worth).toBe(0);
    // All folds but the one that holds the best candidate's file choose it.
    expect([...chosen].sort()).toEqual([0, 0, 0, 0, 1]);
  });

  it('shuffles by its seed, the same way each time', () => {
    const candidates = [0, 1].map((odd) =>
      Float64Array.from({ length: 40 }, (_, file) => ((file * 7919) % 97) * (file % 2 === odd ? 1 : -1)),
    );
    const worths = [1, 2, 3, 4].map((seed) => chooseHeldOut(candidates, 5, seed).worth);
    expect(worths).toEqual([1, 2, 3, 4].map((seed) => chooseHeldOut(candidates, 5, seed).worth));
    expect(new Set(worths).size).toBeGreaterThan(1);
  });
});
