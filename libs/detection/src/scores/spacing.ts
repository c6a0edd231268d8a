import * as layout from './score-record.js';
import { type ScoreRecord } from './score-record.js';

const { BITMAP_WORDS, BITMAPS_AT, CELLS, VIEW_LARGEST, VIEW_SMALLEST, VIEW_WIDTH, VIEWS, VIEWS_AT } = layout;
const { abs, clz32, floor, fround, log1p, max, min, sqrt } = Math;

/**
 * Distance of a value from the nearest value ever seen, relative to the seen range. Seen values are cells of a bitmap
 * that doubles its reach if a value is outside. Each view has two bitmaps, which are written in alternation and are
 * both read: a value is forgotten one to two epochs after it was last seen.
 */

/** Number of rows until the older bitmap is cleared and rewritten. */
const EPOCH = 16_384;
/** Number of values before the bitmap is initialised; more if they are all equal. */
const FIRST_VALUES = 20;
const MAX_EQUAL_VALUES = 200;
/** Reach of a new bitmap, in ranges of the first values. */
const REACH = 4;
/** Maximum number of doublings in a row; more would only be needed for values beyond the range of doubles. */
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
export function smallestObserved({ p }: ScoreRecord, view: number): number {
  return p[VIEWS_AT + view * VIEW_WIDTH + SMALLEST]!;
}
export function largestObserved({ p }: ScoreRecord, view: number): number {
  return p[VIEWS_AT + view * VIEW_WIDTH + LARGEST]!;
}

/** The weights of distances at a point. */
export interface SpacingWeights {
  readonly evidence: number;
  /** Distances up to this many times the usual step (root mean square) of the view do not count. */
  readonly gate: number;
}

/**
 * Novelties of a point by view; scratch of a detector. Numbers are passed in columns: as arguments, each would be
 * allocated.
 */
export class Spacing {
  /** Finite values of the point. */
  readonly values = new Float64Array(VIEWS);
  /** Novelty ln(1 + distance / range × evidence) of each, 0 for one that was seen. */
  readonly novelties = new Float64Array(VIEWS);
  /** The current value, and its distance to the nearest value seen. */
  private y = 0;
  private distance = 0;

  /** `weights` are read only for a new value. */
  constructor(private readonly weights: SpacingWeights) {}

  /** Computes the novelty for one view, then stores its value. */
  take(record: ScoreRecord, view: number): void {
    const { p } = record;
    const at = VIEWS_AT + view * VIEW_WIDTH;
    // Rounded as it is stored, so that a seen value is recognised.
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
        // The first other value of a constant has the full distance.
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
    // The first bitmap is the one that is written: it becomes the old one.
    for (let i = words; i < words + BITMAP_WORDS; i++) {
      b[i + BITMAP_WORDS] = b[i]!;
      b[i] = 0;
    }
  }
}

function bitmapAt(view: number): number {
  return BITMAPS_AT + view * 2 * BITMAP_WORDS;
}

/** Collects the first values in the cells of the bitmaps, then initialises the bitmaps around them. */
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

/** Doubles the width of the cells: each pair becomes one cell, in the lower or the upper half of the new reach. */
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
