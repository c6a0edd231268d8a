import { seededRandom } from '#libs/detection/testing';
import { type EventScore, prepareEvents } from './event-score.js';
import { scoresByThreshold } from './event-sweep.js';
import { type LabelledSeries } from './labelled-series.js';

/** Number of random splits of the series into two halves. */
const SPLITS = 100;
const SEED = 14;

/** F1 from the sums of the counts of single series. */
function f1Of(scores: readonly EventScore[], isCounted: (series: number) => boolean): number {
  let events = 0;
  let found = 0;
  let alarms = 0;
  let falseAlarms = 0;
  scores.forEach((score, series) => {
    if (!isCounted(series)) return;
    events += score.events;
    found += score.found;
    alarms += score.alarms;
    falseAlarms += score.falseAlarms;
  });
  if (found === 0) return 0;
  const precision = (alarms - falseAlarms) / alarms;
  const recall = found / events;
  return (2 * precision * recall) / (precision + recall);
}

/** A random half of the series, drawn without replacement. */
function half(series: number, random: () => number): Uint8Array {
  const chosen = new Uint8Array(series);
  for (let left = Math.floor(series / 2); left > 0;) {
    const one = Math.floor(random() * series);
    if (chosen[one] === 1) continue;
    chosen[one] = 1;
    left--;
  }
  return chosen;
}

/**
 * Event F1 on series that did not influence the threshold: it is chosen on one half of the series and judged on the
 * other one; the mean of a hundred splits. Null for fewer than two series, and if a half has no event. O(thresholds *
 * rows).
 */
export function heldOutF1(set: readonly LabelledSeries[], alsoTry: readonly number[] = []): number | null {
  if (set.length < 2) return null;
  const byThreshold = scoresByThreshold(set.map(prepareEvents), alsoTry);
  const random = seededRandom(SEED);
  let sum = 0;
  let count = 0;
  for (let split = 0; split < SPLITS; split++) {
    const chosenOn = half(set.length, random);
    let best: readonly EventScore[] = byThreshold[0] ?? [];
    let most = -1;
    for (const scores of byThreshold) {
      const f1 = f1Of(scores, (series) => chosenOn[series] === 1);
      if (f1 >= most) [best, most] = [scores, f1];
    }
    if (!best.some(({ events }, series) => chosenOn[series] === 0 && events > 0)) continue;
    sum += f1Of(best, (series) => chosenOn[series] === 0);
    count++;
  }
  return count === 0 ? null : sum / count;
}
