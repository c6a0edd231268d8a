import { F, NOVELTY_CELLS, NOVELTY_WORDS } from './layout.js';
import { type SeriesRecord } from './series-record.js';

const { clz32, floor, log1p, max, min } = Math;

/**
 * Novelty of a value: its distance to the nearest value ever seen, over the range seen, weighted with the number of
 * values. Repeated peaks are known, however rare; a value of a new kind is not. Seen values are cells of a bitmap that
 * doubles its width when a value falls outside; two bitmaps take turns, so that old values are forgotten.
 */

/** Values seen before anything can be new. */
const LEAST_SEEN = 20;
/** Values after which the older bitmap is forgotten. */
const EPOCH = 16_384;
const MOST_COUNTED = 20_000;
/** How novelty grows with the length of history: between "not at all" and "as the gaps between n uniform values shrink". */
const GROWTH = 0.65;

/** ln(1 + relative distance × n^GROWTH): 0 for a known value, about 1..3 at the edge of noise, 6 for a far new one. */
export function noveltyOf(record: SeriesRecord, value: number): number {
  const { f } = record;
  const range = f[F.seenMax]! - f[F.seenMin]!;
  const seen = f[F.seenCount]!;
  if (seen < LEAST_SEEN || !(range > 0)) return 0;
  let distance = 0;
  if (value > f[F.seenMax]!) distance = value - f[F.seenMax]!;
  else if (value < f[F.seenMin]!) distance = f[F.seenMin]! - value;
  else {
    const cells = nearestCell(record, cellOf(f, value));
    distance = cells === 0 ? 0 : (cells - 0.5) * f[F.cellWidth]!;
  }
  return distance === 0 ? 0 : log1p((distance / range) * min(seen, MOST_COUNTED) ** GROWTH);
}

/** Remembers a value. */
export function rememberValue(record: SeriesRecord, value: number): void {
  const { f, b } = record;
  f[F.seenMin] = min(f[F.seenMin]!, value);
  f[F.seenMax] = max(f[F.seenMax]!, value);
  f[F.seenCount] = f[F.seenCount]! + 1;
  if (f[F.cellWidth] === 0) {
    const range = f[F.seenMax] - f[F.seenMin];
    if (!(range > 0)) return;
    f[F.cellWidth] = (4 * range) / NOVELTY_CELLS;
    f[F.cellLow] = f[F.seenMin] - 1.5 * range;
    mark(b, cellOf(f, f[F.seenMin]));
  }
  while (value < f[F.cellLow]! || value >= f[F.cellLow]! + f[F.cellWidth]! * NOVELTY_CELLS) {
    widen(record, value < f[F.cellLow]!);
  }
  mark(b, cellOf(f, value));
  f[F.seenEpoch] = f[F.seenEpoch]! + 1;
  if (f[F.seenEpoch] >= EPOCH) {
    f[F.seenEpoch] = 0;
    b.copyWithin(NOVELTY_WORDS, 0, NOVELTY_WORDS);
    b.fill(0, 0, NOVELTY_WORDS);
  }
}

function cellOf(f: Float64Array, value: number): number {
  const cell = floor((value - f[F.cellLow]!) / f[F.cellWidth]!);
  return cell < 0 ? 0 : cell >= NOVELTY_CELLS ? NOVELTY_CELLS - 1 : cell;
}

function mark(b: Uint32Array, cell: number): void {
  b[cell >> 5] = b[cell >> 5]! | (1 << (cell & 31));
}

/** Doubles the covered span, downwards or upwards: pairs of cells become one. */
function widen(record: SeriesRecord, downwards: boolean): void {
  const { f, b } = record;
  const offset = downwards ? NOVELTY_CELLS / 2 : 0;
  for (let map = 0; map < 2; map++) {
    const at = map * NOVELTY_WORDS;
    const old = b.slice(at, at + NOVELTY_WORDS);
    b.fill(0, at, at + NOVELTY_WORDS);
    for (let cell = 0; cell < NOVELTY_CELLS; cell++) {
      if (((old[cell >> 5]! >>> (cell & 31)) & 1) === 0) continue;
      const target = (cell >> 1) + offset;
      b[at + (target >> 5)] = b[at + (target >> 5)]! | (1 << (target & 31));
    }
  }
  if (downwards) f[F.cellLow] = f[F.cellLow]! - f[F.cellWidth]! * NOVELTY_CELLS;
  f[F.cellWidth] = f[F.cellWidth]! * 2;
}

/** Cells between `cell` and the nearest seen cell, scanned word by word. */
function nearestCell(record: SeriesRecord, cell: number): number {
  const { b } = record;
  const word = cell >> 5;
  const bit = cell & 31;
  let above = NOVELTY_CELLS;
  let bits = (b[word]! | b[word + NOVELTY_WORDS]!) & (-1 << bit);
  for (let w = word; ; bits = b[w]! | b[w + NOVELTY_WORDS]!) {
    if (bits !== 0) {
      above = (w << 5) + 31 - clz32(bits & -bits) - cell;
      break;
    }
    if (++w >= NOVELTY_WORDS) break;
  }
  if (above === 0) return 0;
  let below = NOVELTY_CELLS;
  bits = (b[word]! | b[word + NOVELTY_WORDS]!) & (-1 >>> (31 - bit));
  for (let w = word; ; bits = b[w]! | b[w + NOVELTY_WORDS]!) {
    if (bits !== 0) {
      below = cell - ((w << 5) + 31 - clz32(bits));
      break;
    }
    if (--w < 0) break;
  }
  const nearest = min(above, below);
  return nearest === NOVELTY_CELLS ? 0 : nearest;
}
