import { chooseHeldOut } from './ablation-choice.js';

describe('chooseHeldOut', () => {
  it('returns the plain sum for a single candidate', () => {
    expect(chooseHeldOut([Float64Array.of(1, 2, 3, 4, 5, 6)], 3, 1)).toEqual({ worth: 21, chosen: [0, 0, 0] });
  });

  it('chooses the candidate that is better everywhere, and the first of equals', () => {
    const [poor, good] = [new Float64Array(10).fill(1), new Float64Array(10).fill(2)];
    expect(chooseHeldOut([poor, good, good], 5, 1)).toEqual({ worth: 20, chosen: [1, 1, 1, 1, 1] });
  });

  it('scores each choice on files that were not used for it', () => {
    // Each candidate is good on one file only, so a choice by that file is worth 0 on the others.
    const candidates = Array.from({ length: 5 }, (_, lucky) =>
      Float64Array.from({ length: 5 }, (_file, file) => (file === lucky ? 10 - lucky : 0)),
    );
    const { worth, chosen } = chooseHeldOut(candidates, 5, 7);
    expect(worth).toBe(0);
    // Every fold chooses the best candidate, except the fold with its file.
    expect([...chosen].sort()).toEqual([0, 0, 0, 0, 1]);
  });

  it('shuffles deterministically by its seed', () => {
    const candidates = [0, 1].map((odd) =>
      Float64Array.from({ length: 40 }, (_, file) => ((file * 7919) % 97) * (file % 2 === odd ? 1 : -1)),
    );
    const worths = [1, 2, 3, 4].map((seed) => chooseHeldOut(candidates, 5, seed).worth);
    expect(worths).toEqual([1, 2, 3, 4].map((seed) => chooseHeldOut(candidates, 5, seed).worth));
    expect(new Set(worths).size).toBeGreaterThan(1);
  });
});
