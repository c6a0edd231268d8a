import { NAB_PROFILES, type RowRange, scoreNab } from '#libs/baselines';
import { type BenchmarkLabel, type FoundAnomaly, type LabelFigures } from './benchmark.types.js';

type Span = Pick<FoundAnomaly, 'from' | 'until'>;

const [STANDARD] = NAB_PROFILES;

/**
 * Compares anomalies with labels. A label is found if an anomaly overlaps it; an anomaly that overlaps no label is
 * false. The NAB score counts an anomaly as one detection: at its start, or where it reaches each label it overlaps.
 *
 * @param timestamps of the rows, Unix seconds, ascending
 */
export function labelFigures(
  timestamps: Float64Array,
  anomalies: readonly Span[],
  labels: readonly BenchmarkLabel[],
): LabelFigures {
  const apart = withoutOverlaps(labels);
  const found = apart.filter((label) => anomalies.some((anomaly) => overlap(anomaly, label))).length;
  const right = anomalies.filter((anomaly) => apart.some((label) => overlap(anomaly, label))).length;
  const precision = anomalies.length === 0 ? null : right / anomalies.length;
  const recall = apart.length === 0 ? null : found / apart.length;
  return {
    truePositives: found,
    falsePositives: anomalies.length - right,
    falseNegatives: apart.length - found,
    precision,
    recall,
    f1: f1Of(precision, recall),
    nabScore: nabScoreOf(timestamps, anomalies, apart),
  };
}

function f1Of(precision: number | null, recall: number | null): number | null {
  if (precision === null || recall === null) return null;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** Labels in chronological order; overlapping ones are merged. */
function withoutOverlaps(labels: readonly BenchmarkLabel[]): BenchmarkLabel[] {
  const apart: [number, number][] = [];
  for (const [from, until] of [...labels].sort(([one], [other]) => one - other)) {
    const last = apart.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], until);
    else apart.push([from, until]);
  }
  return apart;
}

function overlap({ from, until }: Span, [start, end]: BenchmarkLabel): boolean {
  return from <= end && until >= start;
}

/** Null if no label contains a row. */
function nabScoreOf(
  timestamps: Float64Array,
  anomalies: readonly Span[],
  labels: readonly BenchmarkLabel[],
): number | null {
  const windows = labels.flatMap(([from, until]): (RowRange & { label: BenchmarkLabel })[] => {
    const first = rowAt(timestamps, from);
    const last = rowAt(timestamps, until + 1) - 1;
    return last < first ? [] : [{ first, last, label: [from, until] }];
  });
  if (windows.length === 0) return null;
  const scores = new Float64Array(timestamps.length);
  for (const anomaly of anomalies) {
    const reached = windows.filter(({ label }) => overlap(anomaly, label));
    const start = rowAt(timestamps, anomaly.from);
    const detections = reached.length > 0 ? reached.map(({ first }) => Math.max(first, start)) : [start];
    for (const row of detections) if (row < scores.length) scores[row] = 1;
  }
  return scoreNab([{ scores, windows }], 1, STANDARD).score;
}

/** The first row at or after a time. */
function rowAt(timestamps: Float64Array, time: number): number {
  let [low, high] = [0, timestamps.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timestamps[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
