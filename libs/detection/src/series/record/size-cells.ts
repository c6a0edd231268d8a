import { INTERVALS_AT, LAST_SHIFTS_AT, P, SIZE_CELLS_AT, SIZE_CELLS_END } from './layout.js';
import { ofHalf, toHalf } from './packed-row.js';
import { type SeriesRecord } from './series-record.js';

const { abs, log2, max, min, round } = Math;

/**
 * Numbers of a record in two bytes each. Sizes are floats of half precision without a sign: five binary digits of exponent, eleven of
 * the value, so that what learns by five hundredths of a percent a row still moves. Distances from a level have a sign and ten digits. Both are in a
 * unit of the series, a power of two near its usual error: which unit its values are in makes no difference.
 */

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);
/** Exponents of floats begin so much lower. */
const EXPONENTS = 2 ** 112;
const LARGEST = 0xf7ff;
const LARGEST_SHIFT = 0x7bff;
/** Of each exponent: what the last eleven digits count, and what is before them. */
const steps = Float64Array.from({ length: 32 }, (_, top) => 2 ** (max(1, top) - 26));
const leads = Float64Array.from({ length: 32 }, (_, top) => (top === 0 ? 0 : 2048));

function toSize(value: number): number {
  single[0] = value / EXPONENTS;
  const whole = bits[0]!;
  return min(LARGEST, (whole + 0x7ff + ((whole >>> 12) & 1)) >>> 12);
}

function ofSize(code: number): number {
  const top = code >> 11;
  return steps[top]! * (leads[top]! + (code & 0x7ff));
}

/** The nearest half word that is finite. */
function toShift(value: number): number {
  const half = toHalf(value);
  return (half & 0x7fff) > LARGEST_SHIFT ? (half & 0x8000) | LARGEST_SHIFT : half;
}

/**
 * Usual errors are this share of the unit: more room above than below, for where most rows are alike, others are thousands of usual
 * errors away. Set by the first number that is not 0, and again when it is so many times too small or too large.
 */
const USUAL = 1 / 64;
const OFF = 16;
const MIN_POWER = 125;

function setUnit(p: Float32Array, size: number): void {
  p[P.sizeUnit] = 2 ** max(-MIN_POWER, min(MIN_POWER, round(log2(size / USUAL))));
}

/** A usual size. */
export function sizeAt({ h, p }: SeriesRecord, cell: number): number {
  return p[P.sizeUnit]! * ofSize(h[cell]!);
}

export function keepSize({ h, p }: SeriesRecord, cell: number, size: number): void {
  if (p[P.sizeUnit] === 0 && size > 0) setUnit(p, size);
  h[cell] = size > 0 ? toSize(size / p[P.sizeUnit]!) : 0;
}

/** One of the last distances from the level. */
export function shiftAt({ h, p }: SeriesRecord, row: number): number {
  return p[P.sizeUnit]! * ofHalf(h[LAST_SHIFTS_AT + row]!);
}

export function keepShift({ h, p }: SeriesRecord, row: number, shift: number): void {
  if (p[P.sizeUnit] === 0 && shift !== 0) setUnit(p, abs(shift));
  h[LAST_SHIFTS_AT + row] = shift === 0 ? 0 : toShift(shift / p[P.sizeUnit]!);
}

/** Another unit, if the usual error has become much larger or smaller than the current one. */
export function fitUnit(record: SeriesRecord, usual: number): void {
  const share = usual / record.p[P.sizeUnit]!;
  if (share > OFF * USUAL || share < USUAL / OFF) changeUnit(record, usual);
}

function changeUnit({ h, p }: SeriesRecord, usual: number): void {
  const before = p[P.sizeUnit]!;
  if (usual === 0 || before === 0) return;
  setUnit(p, usual);
  const by = before / p[P.sizeUnit]!;
  for (let i = SIZE_CELLS_AT; i < LAST_SHIFTS_AT; i++) h[i] = toSize(by * ofSize(h[i]!));
  for (let i = LAST_SHIFTS_AT; i < SIZE_CELLS_END; i++) h[i] = toShift(by * ofHalf(h[i]!));
}

/** Seconds between points: whole ones up to an hour are kept as they are, others to a fortieth of a percent; two years at most. */
const INTERVAL_UNIT = 1024;

export function intervalAt({ h }: SeriesRecord, index: number): number {
  return INTERVAL_UNIT * ofSize(h[INTERVALS_AT + index]!);
}

/** Keeps an interval; false: it is the one that was there. */
export function keepInterval({ h }: SeriesRecord, index: number, seconds: number): boolean {
  const code = toSize(seconds / INTERVAL_UNIT);
  const isOther = h[INTERVALS_AT + index] !== code;
  h[INTERVALS_AT + index] = code;
  return isOther;
}
