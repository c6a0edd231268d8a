import fc from 'fast-check';
import { volumeUnderPr } from './vus-pr.js';

/** The published procedure on plain arrays, at every distinct score: soft labels, existence, trapezoids; O(rows²). */
function referenceVolume(scores: number[], labels: number[], longest: number): number {
  const positives = labels.filter((label) => label === 1).length;
  let volume = 0;
  for (let window = 0; window <= longest; window++) {
    const soft = labels.map((label, row) => {
      let weight = label;
      labels.forEach((other, at) => {
        // Only the edges of an event extend beyond it.
        const [isStart, isEnd] = [other === 1 && labels[at - 1] !== 1, other === 1 && labels[at + 1] !== 1];
        const [before, behind] = [at - row, row - at];
        const reach = Math.floor(window / 2);
        if (isStart && before > 0 && before <= reach) weight += Math.sqrt(1 - before / window);
        if (isEnd && behind > 0 && behind <= reach) weight += Math.sqrt(1 - behind / window);
      });
      return Math.min(1, weight);
    });
    const segments: number[][] = [];
    soft.forEach((weight, row) => {
      if (weight === 0) return;
      if (row > 0 && soft[row - 1]! > 0) segments.at(-1)!.push(row);
      else segments.push([row]);
    });
    const softSum = soft.reduce((sum, weight) => sum + weight, 0);
    let [recallBefore, precisionBefore] = [0, 1];
    for (const threshold of [...new Set(scores)].sort((a, b) => b - a)) {
      const over = scores.map((score) => score >= threshold);
      const hits = soft.reduce((sum, weight, row) => sum + (over[row] ? weight : 0), 0);
      const existence = segments.filter((rows) => rows.some((row) => over[row])).length / segments.length;
      const recall = Math.min(1, hits / ((positives + softSum) / 2)) * existence;
      const precision = hits / over.filter(Boolean).length;
      volume += ((recall - recallBefore) * (precision + precisionBefore)) / 2;
      [recallBefore, precisionBefore] = [recall, precision];
    }
  }
  return volume / (longest + 1);
}

describe('volumeUnderPr', () => {
  const volume = (scores: number[], labels: number[], longest: number): number | null =>
    volumeUnderPr(Float64Array.from(scores), Uint8Array.from(labels), longest);

  it('is 1 for a perfect detector without soft edges', () => {
    expect(volume([0, 0, 1, 1, 0], [0, 0, 1, 1, 0], 0)).toBeCloseTo(1, 12);
  });

  it('agrees with a manual computation for one event of one row and the windows 0 to 2', () => {
    // Scores fall over rows 1, 2 (the event), 3. Windows 0 and 1: precision 1 → 0 → 1/2, recall 0 → 0 → 1: area 1/4.
    // Window 2: weights s, 1, s with s = sqrt(1/2); P = (1 + 1 + 2s)/2 = 1 + s.
    //   row 1: recall s/(1+s), precision s;  row 2: recall 1, precision (1+s)/2;  later rows gain no recall.
    const s = Math.sqrt(0.5);
    const wide = ((s / (1 + s)) * (1 + s)) / 2 + ((1 - s / (1 + s)) * (s + (1 + s) / 2)) / 2;
    expect(volume([0.1, 0.9, 0.8, 0.7, 0.1], [0, 0, 1, 0, 0], 2)).toBeCloseTo((0.25 + 0.25 + wide) / 3, 12);
  });

  it('agrees with a reference implementation', () => {
    const row = fc.tuple(fc.constantFrom(0, 0.1, 0.2, 0.5, 0.9), fc.constantFrom(0, 0, 0, 1));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), fc.integer({ min: 0, max: 8 }), (rows, longest) => {
        const [scores, labels] = [rows.map(([score]) => score), rows.map(([, label]) => label)];
        fc.pre(labels.includes(1));
        expect(volume(scores, labels, longest)).toBeCloseTo(referenceVolume(scores, labels, longest), 9);
      }),
      { seed: 75, numRuns: 300 },
    );
  });

  it('is null without a positive, and rejects columns of different length', () => {
    expect(volume([0.1, 0.2], [0, 0], 4)).toBeNull();
    expect(() => volume([0.1], [0, 1], 4)).toThrow(RangeError);
  });
});
