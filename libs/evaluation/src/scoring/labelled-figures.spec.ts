import { labelledFigures } from './labelled-figures.js';
import { MINUTE_PACE } from './labelled-series.js';
import { volumeUnderPr } from './vus-pr.js';

describe('labelledFigures', () => {
  it('scores a set at the given and the best threshold, and averages areas over series with events', () => {
    const quiet = { scores: new Float64Array(1000), labels: new Uint8Array(1000), pace: MINUTE_PACE };
    const scores = new Float64Array(1000);
    const labels = new Uint8Array(1000);
    labels[500] = labels[501] = 1;
    scores[500] = 0.9;
    scores[501] = 0.8;
    scores[700] = 0.6;
    const figures = labelledFigures([quiet, { scores, labels, pace: MINUTE_PACE }], 0.5);
    // At 0.5 one alarm of two is true: precision 1/2, recall 1, F1 2/3. From 0.8 on (or 0.9) F1 is 1.
    expect(figures.fixed.f1).toBeCloseTo(2 / 3, 12);
    expect(figures.swept).toMatchObject({ f1: 1, threshold: 0.9 });
    expect(figures.thresholdLoss).toBeCloseTo(1 / 3, 12);
    // The labelled rows score highest; the series without events has no area.
    expect(figures.aucPr).toBeCloseTo(1, 12);
    expect(figures.vusPr).toBe(volumeUnderPr(scores.subarray(150), labels.subarray(150), MINUTE_PACE.vusRows));
    expect(labelledFigures([quiet], 0.5)).toMatchObject({ aucPr: null, vusPr: null, thresholdLoss: 0 });
  });
});
