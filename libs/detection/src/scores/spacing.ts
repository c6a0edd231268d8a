import * as layout from './score-record.js';
import { type ScoreRecord } from './score-record.js';

const { BITMAP_WORDS, BITMAPS_AT, CELLS, VIEW_LARGEST, VIEW_SMALLEST, VIEW_WIDTH, VIEWS, VIEWS_AT } = layout;
const { abs, clz32, floor, fround, log1p, max, min, sqrt } = Math;

/**
 * How far a value is from the nearest value ever seen, over the range seen. Values are remembered as cells of a bitmap
 * that doubles its reach when a value falls outside. Two bitmaps per view are written in turn, and both are read, so that
 * what has not been seen for one to two epochs is forgotten.
 */

/** Rows until the older bitmap is cleared and rewritten. */
const EPOCH = 16_384;
/** Values seen before the bitmap is laid out; longer while they are all the same. */
const FIRST_VALUES = 20;
const MAX_EQUAL_VALUES = 200;
/** Reach of a new bitmap, in ranges of the first values. */
const REACH = 4;
/** Doublings in a row; more would only be needed for values beyond all numbers. */
const MAX_DOUBLINGS = 2200;

const LOW = 0;
const WIDTH = 1;
const SMALLEST = VIEW_SMALLEST;
const LARGEST = VIEW_LARGEST;
const ROWS = 4;
const AGE = 5;
const LAST = 6;
const USUAL_STEP = 7;

const scratch = new Uint32Array(BITMAP_WORDS);

/** Smallest and largest value seen by a view. */
export function smallestSeen({ p }: ScoreRecord, view: number): number {
  return p[VIEWS_AT + view * VIEW_WIDTH + SMALLEST]!;
}
export function largestSeen({ p }: ScoreRecord, view: number): number {
  return p[VIEWS_AT + view * VIEW_WIDTH + LARGEST]!;
}

/** The weights of distances at a point. */
export interface SpacingWeights {
  readonly evidence: number;
  /** Distances up to so many times the usual step (root mean square) of the view do not count. */
  readonly gate: number;
}

/**
 * Novelties of a point by view; scratch of a detector. Numbers go in and out by columns: passed from call to call, each
 * would be a separate object.
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
  take(record: ScoreRecord, view: number): void {
    const { p } = record;
    const at = VIEWS_AT + view * VIEW_WIDTH;
    // As it is remembered: what was seen is seen again.
    const y = (this.y = fround(this.values[view]!));
    const rows = (p[at + ROWS]! += 1);
    const step = rows > 1 ? y - p[at + LAST]! : 0;
    p[at + LAST] = y;
    this.novelties[view] = 0;
    if (p[at + WIDTH] === 0) {
      waitFor(record, view, at, y);
    } else {
      this.findNearest(record, view, at);
      const { distance, weights } = this;
      if (distance > 0 && distance > weights.gate * p[at + USUAL_STEP]!) {
        const range = p[at + LARGEST]! - p[at + SMALLEST]!;
        // The first other value of a constant is as new as can be.
        this.novelties[view] = log1p((range > 0 ? distance / range : 1) * weights.evidence);
      }
      this.remember(record, view, at);
    }
    const square = p[at + USUAL_STEP]! ** 2;
    p[at + USUAL_STEP] = sqrt(square + max(1 / rows, 1 / EPOCH) * (step * step - square));
  }

  /** Distance to the nearest seen value; exact outside the range, to half a cell inside. */
  private findNearest({ p, b }: ScoreRecord, view: number, at: number): void {
    const { y } = this;
    this.distance = 0;
    if (y > p[at + LARGEST]!) {
      this.distance = y - p[at + LARGEST]!;
      return;
    }
    if (y < p[at + SMALLEST]!) {
      this.distance = p[at + SMALLEST]! - y;
      return;
    }
    const words = bitmapAt(view);
    const cell = cellOf(p, at, y);
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
    if (nearest < CELLS) this.distance = max(0, nearest - 0.5) * p[at + WIDTH]!;
  }

  private remember(record: ScoreRecord, view: number, at: number): void {
    const { p, b } = record;
    const { y } = this;
    const words = bitmapAt(view);
    for (let i = 0; i < MAX_DOUBLINGS; i++) {
      const low = p[at + LOW]!;
      if (y >= low && y < low + p[at + WIDTH]! * CELLS) break;
      double(record, words, at, y < low);
    }
    p[at + SMALLEST] = min(p[at + SMALLEST]!, y);
    p[at + LARGEST] = max(p[at + LARGEST]!, y);
    mark(record, words, at, y);
    p[at + AGE] = p[at + AGE]! + 1;
    if (p[at + AGE]! < EPOCH) return;
    p[at + AGE] = 0;
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
function waitFor(record: ScoreRecord, view: number, at: number, y: number): void {
  const { p, b } = record;
  const words = bitmapAt(view);
  const rows = p[at + ROWS]!;
  if (rows <= FIRST_VALUES) p[words + rows - 1] = y;
  p[at + SMALLEST] = min(p[at + SMALLEST]!, y);
  p[at + LARGEST] = max(p[at + LARGEST]!, y);
  const span = p[at + LARGEST]! - p[at + SMALLEST]!;
  if (rows < FIRST_VALUES || (span === 0 && rows < MAX_EQUAL_VALUES)) return;
  const reach = REACH * (span > 0 ? span : abs(y) * 1e-3 || 1e-6);
  const first = p.slice(words, words + min(rows, FIRST_VALUES));
  b.fill(0, words, words + 2 * BITMAP_WORDS);
  p[at + WIDTH] = reach / CELLS;
  p[at + LOW] = (p[at + SMALLEST]! + p[at + LARGEST]! - reach) / 2;
  for (const value of first) mark(record, words, at, value);
  mark(record, words, at, y);
}

function cellOf(p: Float32Array, at: number, y: number): number {
  return max(0, min(CELLS - 1, floor((y - p[at + LOW]!) / p[at + WIDTH]!)));
}

function mark({ p, b }: ScoreRecord, words: number, at: number, y: number): void {
  const cell = cellOf(p, at, y);
  b[words + (cell >> 5)]! |= 1 << (cell & 31);
}

/** Doubles the width of the cells: pairs become one, in the lower or the upper half of the new reach. */
function double({ p, b }: ScoreRecord, words: number, at: number, downwards: boolean): void {
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
  if (downwards) p[at + LOW] = p[at + LOW]! - p[at + WIDTH]! * CELLS;
  p[at + WIDTH] = p[at + WIDTH]! * 2;
}

/** The sixteen even bits of a word, side by side. */
function packPairs(word: number): number {
  let bits = word & 0x55555555;
  bits = (bits | (bits >>> 1)) & 0x33333333;
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f;
  bits = (bits | (bits >>> 4)) & 0x00ff00ff;
  return (bits | (bits >>> 8)) & 0x0000ffff;
}
