import * as layout from './layout.js';
import { type SeriesRecord } from './series-record.js';

const { BITMAP_WORDS, BITMAPS_AT, CELLS, VIEW_WIDTH, VIEWS, VIEWS_AT } = layout;
const { abs, clz32, floor, log1p, max, min, sqrt } = Math;

/**
 * How far a value is from the nearest value ever seen, over the range seen. Values are remembered as cells of a bitmap
 * that doubles its reach when a value falls outside. Two bitmaps per view are written in turn, and both are read, so that
 * what has not been seen for one to two epochs is forgotten.
 */

/** Rows until the older bitmap is cleared and rewritten. */
const EPOCH = 16_384;
/** Values seen before the bitmap is laid out; longer while they are all the same. */
const FIRST_VALUES = 20;
const MOST_EQUAL_VALUES = 200;
/** Reach of a new bitmap, in ranges of the first values. */
const REACH = 4;
/** Doublings in a row; more would only be needed for values beyond all numbers. */
const MOST_DOUBLINGS = 2200;

const LOW = 0;
const WIDTH = 1;
const SMALLEST = 2;
const LARGEST = 3;
const ROWS = 4;
const AGE = 5;
const LAST = 6;
const SQUARE_STEP = 7;

const scratch = new Uint32Array(BITMAP_WORDS);

/** A view that has seen nothing. */
export function resetSpacing({ f, b }: SeriesRecord, view: number): void {
  const at = VIEWS_AT + view * VIEW_WIDTH;
  f.fill(0, at, at + VIEW_WIDTH);
  f[at + SMALLEST] = Infinity;
  f[at + LARGEST] = -Infinity;
  const words = bitmapAt(view);
  b.fill(0, words, words + 2 * BITMAP_WORDS);
}

/** Smallest and largest value seen by a view. */
export function smallestSeen({ f }: SeriesRecord, view: number): number {
  return f[VIEWS_AT + view * VIEW_WIDTH + SMALLEST]!;
}
export function largestSeen({ f }: SeriesRecord, view: number): number {
  return f[VIEWS_AT + view * VIEW_WIDTH + LARGEST]!;
}

/** What distances are worth at a point. */
export interface SpacingWeights {
  readonly evidence: number;
  /** Distances up to so many times the usual step (root mean square) of the view do not count. */
  readonly gate: number;
}

/**
 * Novelties of a point by view; scratch of a detector. Numbers go in and out by columns: handed from call to call, each would
 * be an object of its own.
 */
export class Spacing {
  /** Finite values of the point. */
  readonly values = new Float64Array(VIEWS);
  /** Novelty ln(1 + distance / range × evidence) of each, 0 for one that was seen. */
  readonly novelties = new Float64Array(VIEWS);
  /** The value at work, and its distance to the nearest one seen. */
  private y = 0;
  private distance = 0;

  /** `weights` are asked when a value is new. */
  constructor(private readonly weights: SpacingWeights) {}

  /** Answers for one view, then remembers its value. */
  take(record: SeriesRecord, view: number): void {
    const { f } = record;
    const at = VIEWS_AT + view * VIEW_WIDTH;
    const y = (this.y = this.values[view]!);
    const rows = (f[at + ROWS]! += 1);
    const step = rows > 1 ? y - f[at + LAST]! : 0;
    f[at + LAST] = y;
    this.novelties[view] = 0;
    if (f[at + WIDTH] === 0) {
      waitFor(record, view, at, y);
    } else {
      this.findNearest(record, view, at);
      const { distance, weights } = this;
      if (distance > 0 && distance > weights.gate * sqrt(f[at + SQUARE_STEP]!)) {
        const range = f[at + LARGEST]! - f[at + SMALLEST]!;
        // The first other value of a constant is as new as can be.
        this.novelties[view] = log1p((range > 0 ? distance / range : 1) * weights.evidence);
      }
      this.remember(record, view, at);
    }
    f[at + SQUARE_STEP] = f[at + SQUARE_STEP]! + max(1 / rows, 1 / EPOCH) * (step * step - f[at + SQUARE_STEP]!);
  }

  /** Distance to the nearest seen value; exact outside the range, to half a cell inside. */
  private findNearest({ f, b }: SeriesRecord, view: number, at: number): void {
    const { y } = this;
    this.distance = 0;
    if (y > f[at + LARGEST]!) {
      this.distance = y - f[at + LARGEST]!;
      return;
    }
    if (y < f[at + SMALLEST]!) {
      this.distance = f[at + SMALLEST]! - y;
      return;
    }
    const words = bitmapAt(view);
    const cell = cellOf(f, at, y);
    const word = cell >> 5;
    const bit = cell & 31;
    const here = b[words + word]! | b[words + BITMAP_WORDS + word]!;
    if (((here >>> bit) & 1) === 1) return;
    let nearest = CELLS;
    let bits = here & (-1 << bit);
    for (let i = word; ; bits = b[words + i]! | b[words + BITMAP_WORDS + i]!) {
      if (bits !== 0) {
        nearest = (i << 5) + 31 - clz32(bits & -bits) - cell;
        break;
      }
      if (++i >= BITMAP_WORDS) break;
    }
    bits = here & ((1 << bit) - 1);
    for (let i = word; ; bits = b[words + i]! | b[words + BITMAP_WORDS + i]!) {
      if (bits !== 0) {
        nearest = min(nearest, cell - ((i << 5) + 31 - clz32(bits)));
        break;
      }
      if (--i < 0) break;
    }
    if (nearest < CELLS) this.distance = max(0, nearest - 0.5) * f[at + WIDTH]!;
  }

  private remember(record: SeriesRecord, view: number, at: number): void {
    const { f, b } = record;
    const { y } = this;
    const words = bitmapAt(view);
    for (let i = 0; i < MOST_DOUBLINGS; i++) {
      const low = f[at + LOW]!;
      if (y >= low && y < low + f[at + WIDTH]! * CELLS) break;
      double(record, words, at, y < low);
    }
    f[at + SMALLEST] = min(f[at + SMALLEST]!, y);
    f[at + LARGEST] = max(f[at + LARGEST]!, y);
    mark(record, words, at, y);
    f[at + AGE] = f[at + AGE]! + 1;
    if (f[at + AGE]! < EPOCH) return;
    f[at + AGE] = 0;
    // The first bitmap is the one written to: it becomes the old one.
    for (let i = words; i < words + BITMAP_WORDS; i++) {
      b[i + BITMAP_WORDS] = b[i]!;
      b[i] = 0;
    }
  }
}

function bitmapAt(view: number): number {
  return BITMAPS_AT + view * 2 * BITMAP_WORDS;
}

/** Collects the first values in the place of the bitmaps, then lays these out around them. */
function waitFor(record: SeriesRecord, view: number, at: number, y: number): void {
  const { f, p, b } = record;
  const words = bitmapAt(view);
  const rows = f[at + ROWS]!;
  if (rows <= FIRST_VALUES) p[words + rows - 1] = y;
  f[at + SMALLEST] = min(f[at + SMALLEST]!, y);
  f[at + LARGEST] = max(f[at + LARGEST]!, y);
  const span = f[at + LARGEST]! - f[at + SMALLEST]!;
  if (rows < FIRST_VALUES || (span === 0 && rows < MOST_EQUAL_VALUES)) return;
  const reach = REACH * (span > 0 ? span : abs(y) * 1e-3 || 1e-6);
  const first = p.slice(words, words + min(rows, FIRST_VALUES));
  b.fill(0, words, words + 2 * BITMAP_WORDS);
  f[at + WIDTH] = reach / CELLS;
  f[at + LOW] = (f[at + SMALLEST]! + f[at + LARGEST]! - reach) / 2;
  for (const value of first) mark(record, words, at, value);
  mark(record, words, at, y);
}

function cellOf(f: Float64Array, at: number, y: number): number {
  return max(0, min(CELLS - 1, floor((y - f[at + LOW]!) / f[at + WIDTH]!)));
}

function mark({ f, b }: SeriesRecord, words: number, at: number, y: number): void {
  const cell = cellOf(f, at, y);
  b[words + (cell >> 5)]! |= 1 << (cell & 31);
}

/** Doubles the width of the cells: pairs become one, in the lower or the upper half of the new reach. */
function double({ f, b }: SeriesRecord, words: number, at: number, downwards: boolean): void {
  for (let from = words; from < words + 2 * BITMAP_WORDS; from += BITMAP_WORDS) {
    scratch.fill(0);
    const half = downwards ? BITMAP_WORDS / 2 : 0;
    for (let i = 0; i < BITMAP_WORDS; i++) {
      const word = b[from + i]!;
      if (word === 0) continue;
      const pairs = packPairs(word | (word >>> 1));
      scratch[half + (i >> 1)]! |= (i & 1) === 0 ? pairs : pairs << 16;
    }
    b.set(scratch, from);
  }
  if (downwards) f[at + LOW] = f[at + LOW]! - f[at + WIDTH]! * CELLS;
  f[at + WIDTH] = f[at + WIDTH]! * 2;
}

/** The sixteen even bits of a word, side by side. */
function packPairs(word: number): number {
  let bits = word & 0x55555555;
  bits = (bits | (bits >>> 1)) & 0x33333333;
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f;
  bits = (bits | (bits >>> 4)) & 0x00ff00ff;
  return (bits | (bits >>> 8)) & 0x0000ffff;
}
