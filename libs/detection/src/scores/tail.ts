import { codeOfCount, counted, countOf, halved } from './packed-count.js';
import * as layout from './score-record.js';
import { type ScoreRecord } from './score-record.js';

const { EDGES_AT, STREAM_WIDTH, STREAMS, STREAMS_AT, TAIL_BINS, TAILS_AT } = layout;
const { abs, floor, log10, log2, max, min, pow } = Math;

/**
 * The rarity of a value by the history of the series: -log10 of the probability on the side of the value. One histogram
 * per side, with bins of a sixth of an octave, counts values in units of a reference size (one byte each,
 * packed-count.ts). Beyond the outermost 3 % the tail continues as a generalised Pareto distribution, so that a size
 * that was never seen has a finite, comparable probability. Source of the extrapolation: Pickands, "Statistical
 * inference using extreme order statistics" (1975).
 */

const PER_OCTAVE = 6;
/** The first bin ends at 2^-5 references, the last begins close to 2^9. */
const FIRST_OCTAVE = -5;
/** Counts are in quarters, so that two halvings lose nothing. */
const UNIT = 4;
/** Number of values after which all counts are halved: eleven days of minutes. */
const MEMORY = 16_000;
/** Number of values that determine the reference size. */
const FIRST_VALUES = 40;
/** Share of the values that form the tail, and their minimum number. */
const TAIL_SHARE = 0.03;
const TAIL_LEAST = 10;
/** Shape of the extrapolated tail, between an exponential one (0) and one without variance (0.5). */
const SHAPE = 0.2;
/** Number of bins below the tail in which a size is still slightly surprising: an octave and a half. */
const INNER_BINS = 9;
/** Minimum mean excess over the threshold, as a share of it: for bounded series. */
const MIN_EXCESS = 0.05;
/** Surprise is capped at this. */
export const MAX_SURPRISE = 10;
/** If this many values exceed this many references, the reference is increased: a series that started with zeros. */
const FAR = 200;
const VERY_FAR = 900;
const FAR_VALUES = 30;
const VERY_FAR_VALUES = 10;
const GROWTH_OCTAVES = 4;

const LEARNT = 0;
const REFERENCE = 1;
const FAR_COUNT = 2;

const edges = Float64Array.from({ length: TAIL_BINS + 1 }, (_, bin) => pow(2, bin / PER_OCTAVE + FIRST_OCTAVE));
const middles = Float64Array.from({ length: TAIL_BINS }, (_, bin) => pow(2, (bin + 0.5) / PER_OCTAVE + FIRST_OCTAVE));

/**
 * Surprises of a point by stream; scratch of a detector. Numbers are passed in columns: as arguments, each would be
 * allocated.
 */
export class Tails {
  /** Finite values of the point, and the minimum reference size of the next value. */
  readonly values = new Float64Array(STREAMS);
  floor = 0;
  /** Surprise of each value compared with all earlier ones, 0..MAX_SURPRISE. */
  readonly surprises = new Float64Array(STREAMS);
  /** The current size, in reference sizes, and its position among the bins. */
  private size = 0;
  private place = 0;

  /** Computes the surprise for one stream, then learns its value. */
  take(record: ScoreRecord, stream: number): void {
    const { p } = record;
    const at = STREAMS_AT + stream * STREAM_WIDTH;
    const value = this.values[stream]!;
    if (p[at + REFERENCE] === 0) {
      this.surprises[stream] = 0;
      waitFor(record, stream, at, value, this.floor);
      return;
    }
    if (abs(value) > FAR * p[at + REFERENCE]!) growReference(record, stream, at, value);
    this.size = abs(value) / p[at + REFERENCE]!;
    const upper = value >= 0;
    this.place = placeOf(this.size);
    const bin = binAt(this.place);
    this.surpriseAt(record, stream, at, upper, bin);
    learn(record, stream, at, upper, bin);
  }

  /** Surprise of the current size, which is in this bin. */
  private surpriseAt({ p, h, o }: ScoreRecord, stream: number, at: number, upper: boolean, bin: number): void {
    const { size, surprises } = this;
    const learnt = p[at + LEARNT]!;
    const side = sideAt(stream, upper);
    const place = edgeAt(stream, upper);
    settleEdge(h, o, side, place, UNIT * max(TAIL_LEAST, TAIL_SHARE * learnt));
    const edge = h[place]!;
    const beyond = h[place + 1]!;
    if (bin < edge - INNER_BINS) {
      // Sizes far inside are not surprising.
      surprises[stream] = 0;
    } else if (bin <= edge) {
      let tail = beyond;
      for (let i = side + bin + 1; i <= side + edge; i++) tail += countOf(o[i]!);
      const inside = bin === 0 ? 0 : min(1, max(0, this.place - bin));
      tail += countOf(o[side + bin]!) * (1 - inside);
      surprises[stream] = -log10(min(1, (tail / UNIT + 0.5) / (learnt + 1)));
    } else {
      const threshold = edges[edge + 1]!;
      let excess = 0;
      for (let i = edge + 1; i < TAIL_BINS; i++) excess += countOf(o[side + i]!) * (middles[i]! - threshold);
      const scale = (beyond > 0 ? excess / beyond : 0) + MIN_EXCESS * threshold;
      const share = (beyond / UNIT + 0.5) / (learnt + 1);
      const probability = share * pow(1 + (SHAPE * (size - threshold)) / scale, -1 / SHAPE);
      surprises[stream] = min(MAX_SURPRISE, -log10(max(probability, 1e-300)));
    }
  }
}

/** Resets the learnt state of a stream. */
export function resetTail(record: ScoreRecord, stream: number): void {
  const at = STREAMS_AT + stream * STREAM_WIDTH;
  record.p.fill(0, at, at + STREAM_WIDTH);
  clear(record, stream);
}

function clear({ h, o }: ScoreRecord, stream: number): void {
  o.fill(0, sideAt(stream, true), sideAt(stream, true) + 2 * TAIL_BINS);
  h.fill(0, edgeAt(stream, true), edgeAt(stream, true) + 4);
}

function sideAt(stream: number, upper: boolean): number {
  return TAILS_AT + (stream * 2 + (upper ? 0 : 1)) * TAIL_BINS;
}

/** Position of the edge of a side, which is followed by the counts beyond it. */
function edgeAt(stream: number, upper: boolean): number {
  return EDGES_AT + (stream * 2 + (upper ? 0 : 1)) * 2;
}

/** Position of a size among the bins; 0 below the first one's end. */
function placeOf(size: number): number {
  return size > edges[0]! ? (log2(size) - FIRST_OCTAVE) * PER_OCTAVE : 0;
}

function binAt(place: number): number {
  return place >= TAIL_BINS ? TAIL_BINS - 1 : floor(place);
}

/** Collects the first sizes in the cells of the histogram; the reference is their median, or a share of the largest. */
function waitFor(record: ScoreRecord, stream: number, at: number, value: number, floor: number): void {
  const { p, o } = record;
  const cells = (TAILS_AT + stream * 2 * TAIL_BINS) / 4;
  const count = p[at + LEARNT]!;
  if (count < FIRST_VALUES) {
    p[cells + count] = value;
    p[at + LEARNT] = count + 1;
  } else {
    // All values so far are zero: the newest values define the reference, and the zeros are counted.
    p[at + FAR_COUNT] = min(p[at + FAR_COUNT]! + 1, MEMORY / 2);
    p.copyWithin(cells, cells + 1, cells + FIRST_VALUES);
    p[cells + FIRST_VALUES - 1] = value;
  }
  if (p[at + LEARNT]! < FIRST_VALUES) return;
  const first = p.slice(cells, cells + FIRST_VALUES);
  const sizes = first.map(abs).sort();
  const reference = max(sizes[FIRST_VALUES / 2]!, 0.1 * sizes[FIRST_VALUES - 4]!, floor);
  if (!(reference > 0)) return;
  clear(record, stream);
  p[at + LEARNT] = p[at + FAR_COUNT]!;
  o[sideAt(stream, true)] = codeOfCount(UNIT * p[at + FAR_COUNT]!);
  p[at + FAR_COUNT] = 0;
  p[at + REFERENCE] = reference;
  for (const one of first) learn(record, stream, at, one >= 0, binAt(placeOf(abs(one) / reference)));
}

function learn(record: ScoreRecord, stream: number, at: number, upper: boolean, bin: number): void {
  const { p, h, o } = record;
  const cell = sideAt(stream, upper) + bin;
  const before = o[cell]!;
  // Twice the number of values, because halving may leave half a value.
  const code = counted(before, 2 * p[at + LEARNT]!);
  o[cell] = code;
  const edge = edgeAt(stream, upper);
  if (bin > h[edge]!) h[edge + 1]! += countOf(code) - countOf(before);
  p[at + LEARNT] = p[at + LEARNT]! + 1;
  if (p[at + LEARNT]! <= MEMORY) return;
  p[at + LEARNT] = p[at + LEARNT]! / 2;
  p[at + FAR_COUNT] = p[at + FAR_COUNT]! / 2;
  const from = sideAt(stream, true);
  for (let i = from; i < from + 2 * TAIL_BINS; i++) o[i] = halved(o[i]!);
  recount(record, stream, true);
  recount(record, stream, false);
}

/** Counts again beyond the edge, from its lowest position. */
function recount({ h, o }: ScoreRecord, stream: number, upper: boolean): void {
  const side = sideAt(stream, upper);
  let beyond = 0;
  for (let i = side + 1; i < side + TAIL_BINS; i++) beyond += countOf(o[i]!);
  h[edgeAt(stream, upper)] = 0;
  h[edgeAt(stream, upper) + 1] = beyond;
}

/**
 * Moves the edge to the highest bin from which at least `wanted` values are counted; 0 if there are no counts. The edge
 * moves rarely, and then by one bin: searching for it from the outermost bin at every value would cost more than the
 * rest of a tail.
 */
function settleEdge(h: Uint16Array, o: Uint8Array, side: number, at: number, wanted: number): void {
  let edge = h[at]!;
  let beyond = h[at + 1]!;
  while (beyond >= wanted) beyond -= countOf(o[side + ++edge]!);
  while (edge > 0 && beyond + countOf(o[side + edge]!) < wanted) beyond += countOf(o[side + edge--]!);
  h[at] = edge;
  h[at + 1] = beyond;
}

function growReference(record: ScoreRecord, stream: number, at: number, value: number): void {
  const { p, o } = record;
  const size = abs(value);
  while (size > FAR * p[at + REFERENCE]! && p[at + REFERENCE]! < 1e300) {
    const far = (p[at + FAR_COUNT] = p[at + FAR_COUNT]! + 1);
    if (far < VERY_FAR_VALUES || (far < FAR_VALUES && size < VERY_FAR * p[at + REFERENCE]!)) return;
    p[at + REFERENCE] = p[at + REFERENCE]! * 2 ** GROWTH_OCTAVES;
    for (const upper of [true, false]) {
      const side = sideAt(stream, upper);
      const bins = GROWTH_OCTAVES * PER_OCTAVE;
      let low = 0;
      for (let i = side; i <= side + bins; i++) low += countOf(o[i]!);
      o.copyWithin(side, side + bins, side + TAIL_BINS);
      o.fill(0, side + TAIL_BINS - bins, side + TAIL_BINS);
      o[side] = codeOfCount(low);
      recount(record, stream, upper);
    }
    if (size <= FAR * p[at + REFERENCE]!) p[at + FAR_COUNT] = 0;
  }
}
