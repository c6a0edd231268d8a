/**
 * The state of the scores of one series: doubles, then floats and words, then counts. It is not part of the record of
 * the series (series/layout.ts), because verdicts do not need it: only a run with scores has one.
 */

/** Views of a series whose values are stored as cells of a bitmap (spacing.ts). */
export const VIEWS = 3;
export const VIEW_VALUE = 0;
export const VIEW_LEVEL = 1;
export const VIEW_RESIDUAL = 2;
/** Number of cells of one bitmap of seen values; each view has two bitmaps. */
export const CELLS = 512;
export const BITMAP_WORDS = CELLS / 32;
/** Cells per view: low end, cell width, smallest, largest, rows, rows since the bitmaps were swapped, last, root mean square step. */
export const VIEW_WIDTH = 8;
export const VIEW_SMALLEST = 2;
export const VIEW_LARGEST = 3;

/** Streams with a tail histogram (tail.ts): step, distance to the recent mean, distance to the expectation, restlessness. */
export const STREAMS = 4;
export const STREAM_STEP = 0;
export const STREAM_RECENT = 1;
export const STREAM_DEVIATION = 2;
export const STREAM_RESTLESS = 3;
/** Number of bins of one side of a histogram. */
export const TAIL_BINS = 84;
/** Cells per stream: learnt values, reference size, values far beyond it. */
export const STREAM_WIDTH = 3;

/** Number of rows of the running means. */
export const LEVEL_ROWS = 24;
export const RESIDUAL_ROWS = 24;
export const RESTLESS_ROWS = 96;

/** Index of each scalar among the doubles. */
export const enum S {
  /** Number of rows whose value differs from the one before. */
  moves = 0,
  recentMean = 1,
  levelSum = 2,
  residualSum = 3,
  residualRows = 4,
  restlessSum = 5,
  restlessMean = 6,
  // Number of rows until a channel may alarm again.
  noveltyMuted = 7,
  scoreMuted = 8,
  // Usual step, and distance to the mean of the last values.
  stepSpread = 9,
  recentSpread = 10,
  scalars = 11,
}

/** Places among the 4-byte cells. */
export const LEVEL_ROWS_AT = 0;
export const RESIDUAL_ROWS_AT = LEVEL_ROWS_AT + LEVEL_ROWS;
export const RESTLESS_ROWS_AT = RESIDUAL_ROWS_AT + RESIDUAL_ROWS;
export const BITMAPS_AT = RESTLESS_ROWS_AT + RESTLESS_ROWS;
export const VIEWS_AT = BITMAPS_AT + VIEWS * 2 * BITMAP_WORDS;
export const STREAMS_AT = VIEWS_AT + VIEWS * VIEW_WIDTH;
const CELLS_OF_FOUR = STREAMS_AT + STREAMS * STREAM_WIDTH;

/** Two 2-byte cells per side of a histogram: the bin in which its tail begins, and the counts beyond that bin. */
export const EDGES_AT = CELLS_OF_FOUR * 2;
/** Place of the histograms among the bytes; both are counted from the start of the 4-byte cells. */
export const TAILS_AT = (EDGES_AT + STREAMS * 2 * 2) * 2;
const CELL_BYTES = TAILS_AT + STREAMS * 2 * TAIL_BINS;

/**
 * The same cells as floats, words, half words and bytes; each is read as one type only, except while a bitmap or a
 * histogram is being initialised.
 */
export interface ScoreRecord {
  readonly f: Float64Array;
  readonly p: Float32Array;
  readonly b: Uint32Array;
  readonly h: Uint16Array;
  readonly o: Uint8Array;
}

/** The record of a series without points. */
export function createScoreRecord(): ScoreRecord {
  const cells = new ArrayBuffer(CELL_BYTES);
  const record = {
    f: new Float64Array(S.scalars),
    p: new Float32Array(cells),
    b: new Uint32Array(cells),
    h: new Uint16Array(cells),
    o: new Uint8Array(cells),
  };
  resetScoreRecord(record);
  return record;
}

export function resetScoreRecord({ f, p, o }: ScoreRecord): void {
  f.fill(0);
  o.fill(0);
  f[S.restlessMean] = NaN;
  for (let at = VIEWS_AT; at < VIEWS_AT + VIEWS * VIEW_WIDTH; at += VIEW_WIDTH) {
    p[at + VIEW_SMALLEST] = Infinity;
    p[at + VIEW_LARGEST] = -Infinity;
  }
}

export function copyScoreRecord(to: ScoreRecord, from: ScoreRecord): void {
  to.f.set(from.f);
  to.o.set(from.o);
}
