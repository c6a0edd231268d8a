const { max, min } = Math;

/**
 * Counts of one byte, in quarters: exact up to 63, in steps of at most 1/32 of the count up to 504, and in larger steps
 * up to the maximum of 4,480. If a step is larger than one, only some of the increments change the code.
 */
const WHOLE = 4;
const COARSE_FROM = 224;
const COARSE_STEP = 512;
/** The codes of coarse counts continue those of 2,048 quarters less one step. */
const COARSE_COUNT = 2048;

const counts = Uint16Array.from({ length: 256 }, (_, code) => {
  if (code < 32) return code;
  if (code < COARSE_FROM) return (32 + (code & 31)) << ((code >> 5) - 1);
  return COARSE_COUNT + (code - COARSE_FROM) * COARSE_STEP;
});
const halves = Uint8Array.from(counts, (count) => codeOfCount(count / 2));
/** Code after an increment, and the limit (of 2^32) below which a hash makes an increment change the code. */
const raised = Uint8Array.from(counts, (count, code) => max(codeOfCount(count + WHOLE), min(255, code + 1)));
const chances = Float64Array.from(counts, (count, code) => {
  const step = counts[raised[code]!]! - count;
  return step <= WHOLE ? 2 ** 32 : (2 ** 32 * WHOLE) / step;
});

/** The count of a code, in quarters. */
export function countOf(code: number): number {
  return counts[code]!;
}

/** Code of the largest count that is at most this many quarters. */
export function codeOfCount(quarters: number): number {
  let low = 0;
  let high = 255;
  while (low < high) {
    const code = (low + high + 1) >> 1;
    if (counts[code]! <= quarters) low = code;
    else high = code - 1;
  }
  return low;
}

/** Code of half the count. */
export function halved(code: number): number {
  return halves[code]!;
}

/**
 * Code after an increment. `lot`: a number below 2^31 that differs from call to call, such as the number of all values
 * so far.
 */
export function counted(code: number, lot: number): number {
  // Multiples of the golden ratio are evenly distributed on a circle, whichever of them are chosen.
  return Math.imul(lot, 0x9e3779b1) >>> 0 < chances[code]! ? raised[code]! : code;
}
