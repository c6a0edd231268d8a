import { heldOutF1 } from './held-out-f1.js';
import { type LabelledSeries, MINUTE_PACE } from './labelled-series.js';

/** A thousand rows with an event of score `event` and a false alarm of score `noise`. */
function seriesOf(event: number, noise: number): LabelledSeries {
  const scores = new Float64Array(1000);
  const labels = new Uint8Array(1000);
  labels[500] = 1;
  scores[500] = event;
  scores[700] = noise;
  return { scores, labels, pace: MINUTE_PACE };
}

describe('heldOutF1', () => {
  it('is 1 when one threshold suits all series', () => {
    expect(heldOutF1([0.9, 0.9, 0.9, 0.9].map((score) => seriesOf(score, 0.3)))).toBe(1);
  });

  it('is below 0.9 when series need different thresholds', () => {
    const set = [seriesOf(0.9, 0.6), seriesOf(0.5, 0.2), seriesOf(0.8, 0.6), seriesOf(0.5, 0.1)];
    const figure = heldOutF1(set)!;
    expect(figure).toBeGreaterThan(0);
    expect(figure).toBeLessThan(0.9);
    expect(heldOutF1(set)).toBe(figure);
  });

  it('is null for a single series', () => {
    expect(heldOutF1([seriesOf(0.9, 0.1)])).toBeNull();
  });
});
