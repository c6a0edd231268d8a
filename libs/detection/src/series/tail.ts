import { F, STREAMS, TAIL_BINS, TAILS_AT } from './layout.js';
import { type SeriesRecord } from './series-record.js';

const { abs, exp, floor, log10, log2, max, min } = Math;

/**
 * Empirical tails of a stream of normalised deviations, upper and lower side apart: "how rare is a value this far out?".
 * A log2 histogram per side counts what the series itself does; beyond its outermost ~100 points the tail goes on as a
 * generalised Pareto with the mean excess seen there, so that a value never seen gets a finite, comparable probability.
 * Source of the extrapolation: Pickands (1975), peaks over threshold.
 */

/** Fine bins where verdicts are made, coarse ones for series that are nearly constant. */
const FIRST_EDGE = 0.5;
const FINE_PER_OCTAVE = 8;
const FINE_BINS = 40;
const COARSE_EDGE = 16;
const COARSE_PER_OCTAVE = 2;
/** Learnt points after which all counts are halved: about a week and a half of minutes. */
const MEMORY = 16_000;
/** Shape of the extrapolated tail before the series has spoken, the weight of that belief in points, and its bounds. */
const SHAPE = 0.3;
const SHAPE_WEIGHT = 60;
const LEAST_SHAPE = 0.04;
const MOST_SHAPE = 0.5;
/** Weight of the prior (a Laplace distribution) in points: what is believed before the series has spoken. */
const PRIOR = 60;
/** Points counted as tail: at least 10, 3 % of a short history, no more than 120 of a long one. */
const TAIL_LEAST = 10;
const TAIL_MOST = 120;
const TAIL_SHARE = 0.03;
/** Least mean excess over the threshold, as a share of it: for bounded series. */
const LEAST_EXCESS = 0.05;
/** Surprise is -log10 of a probability; beyond this it says nothing more. */
export const MOST_SURPRISE = 10;

const edges = Float64Array.from({ length: TAIL_BINS + 1 }, (_, bin) => {
  if (bin === 0) return 0;
  return bin <= FINE_BINS
    ? FIRST_EDGE * 2 ** ((bin - 1) / FINE_PER_OCTAVE)
    : COARSE_EDGE * 2 ** ((bin - 1 - FINE_BINS) / COARSE_PER_OCTAVE);
});

function binOf(magnitude: number): number {
  if (!(magnitude >= FIRST_EDGE)) return 0;
  if (magnitude < COARSE_EDGE) return 1 + floor(log2(magnitude / FIRST_EDGE) * FINE_PER_OCTAVE);
  const bin = 1 + FINE_BINS + floor(log2(magnitude / COARSE_EDGE) * COARSE_PER_OCTAVE);
  return bin >= TAIL_BINS ? TAIL_BINS - 1 : bin;
}

function sideAt(stream: number, upper: boolean): number {
  return TAILS_AT + (stream * 2 + (upper ? 0 : 1)) * TAIL_BINS;
}

/** Forgets what the streams have learnt: back to the prior. */
export function resetTails(record: SeriesRecord): void {
  for (let stream = 0; stream < STREAMS; stream++) {
    record.f[F.tail0 + stream] = PRIOR;
    for (const upper of [true, false]) {
      const at = sideAt(stream, upper);
      for (let bin = 0; bin < TAIL_BINS; bin++) {
        const beyond = bin === TAIL_BINS - 1 ? 0 : exp(-edges[bin + 1]!);
        record.p[at + bin] = (PRIOR / 2) * (exp(-edges[bin]!) - beyond);
      }
    }
  }
}

/** Learns one normalised deviation. */
export function learnTail(record: SeriesRecord, stream: number, z: number): void {
  const { f, p } = record;
  const index = sideAt(stream, z >= 0) + binOf(abs(z));
  p[index] = p[index]! + 1;
  const total = f[F.tail0 + stream]! + 1;
  if (total <= MEMORY) {
    f[F.tail0 + stream] = total;
    return;
  }
  const from = sideAt(stream, true);
  for (let i = from; i < from + 2 * TAIL_BINS; i++) p[i] = p[i]! * 0.5;
  f[F.tail0 + stream] = total * 0.5;
}

/** -log10 of the probability of a deviation at least this far out on its side, 0..MOST_SURPRISE. */
export function surprise(record: SeriesRecord, stream: number, z: number): number {
  const magnitude = abs(z);
  if (magnitude < 1) return 0;
  const { p } = record;
  const total = record.f[F.tail0 + stream]!;
  const at = sideAt(stream, z >= 0);
  const bin = binOf(magnitude);
  const wanted = max(TAIL_LEAST, min(TAIL_SHARE * total, TAIL_MOST));
  let beyond = 0;
  let edge = TAIL_BINS - 1;
  for (; edge > 0; edge--) {
    const counted = beyond + p[at + edge]!;
    if (counted >= wanted) break;
    beyond = counted;
  }
  if (bin <= edge) {
    let tail = 0;
    for (let i = bin + 1; i < TAIL_BINS; i++) tail += p[at + i]!;
    const inside = (magnitude - edges[bin]!) / (edges[bin + 1]! - edges[bin]!);
    tail += p[at + bin]! * (1 - min(1, max(0, inside)));
    return -log10(min(1, (tail + 0.5) / (total + 1)));
  }
  return beyondTail(p, at, edge, beyond, total, magnitude);
}

/** Surprise beyond the bins that hold the counted tail: Pareto with mean and spread of the excesses (method of moments). */
function beyondTail(
  p: Float32Array,
  at: number,
  edge: number,
  beyond: number,
  total: number,
  magnitude: number,
): number {
  const threshold = edges[edge + 1]!;
  let sum = 0;
  let squares = 0;
  for (let i = edge + 1; i < TAIL_BINS; i++) {
    const count = p[at + i]!;
    if (count === 0) continue;
    const excess = (edges[i]! + edges[i + 1]!) / 2 - threshold;
    sum += count * excess;
    squares += count * excess * excess;
  }
  const mean = beyond > 0 ? sum / beyond : 0;
  const variance = beyond > 0 ? squares / beyond - mean * mean : 0;
  const seen = variance > 0 ? 0.5 * (1 - (mean * mean) / variance) : 0;
  const believed = (beyond * seen + SHAPE_WEIGHT * SHAPE) / (beyond + SHAPE_WEIGHT);
  const shape = max(LEAST_SHAPE, min(MOST_SHAPE, believed));
  const scale = (mean + LEAST_EXCESS * threshold) * (1 - shape);
  const share = (beyond + 0.5) / (total + 1);
  const probability = share * (1 + (shape * (magnitude - threshold)) / scale) ** (-1 / shape);
  return min(MOST_SURPRISE, -log10(max(probability, 1e-300)));
}

/** The deviation that only `share` of the points exceed on that side (`share` of both sides together is twice that). */
export function tailQuantile(record: SeriesRecord, stream: number, upper: boolean, share: number): number {
  const { p } = record;
  const at = sideAt(stream, upper);
  const wanted = share * record.f[F.tail0 + stream]!;
  let beyond = 0;
  for (let bin = TAIL_BINS - 1; bin >= 0; bin--) {
    const count = p[at + bin]!;
    if (beyond + count >= wanted) {
      const inside = (wanted - beyond) / count;
      return edges[bin + 1]! - inside * (edges[bin + 1]! - edges[bin]!);
    }
    beyond += count;
  }
  return 0;
}
