import { INTERVALS_AT, LAST_SHIFTS_AT, P, SIZE_CELLS_AT, SIZE_CELLS_END } from './layout.js';
import { ofHalf, toHalf } from './packed-row.js';
import { type SeriesRecord } from './series-record.js';

const { abs, log2, max, min, round } = Math;

/**
 * Numbers of a record in two bytes each. Sizes are floats of half precision without a sign: five binary digits of
 * exponent and eleven of the value, so that values learnt at 0.05 % per row still move. Distances from a level have a
 * sign and ten digits. Both are in a unit of the series, a power of two near its usual error, so the unit of the values
 * makes no difference.
 */

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);
/** Offset between the exponents of half precision and of floats. */
const EXPONENTS = 2 ** 112;
const LARGEST = 0xf7ff;
const LARGEST_SHIFT = 0x7bff;
/** By exponent: the value of the last eleven digits, and the value before them. */
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
 * The usual error is this share of the unit: there is more room above than below, because in series whose rows are
 * mostly alike some sizes are thousands of usual errors. The unit is set by the first number that is not 0, and again
 * if it is this many times too small or too large.
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

/**
 * Seconds between points: whole ones up to an hour are stored exactly, others with a precision of 0.025 %; two years at
 * most.
 */
const INTERVAL_UNIT = 1024;

export function intervalAt({ h }: SeriesRecord, index: number): number {
  return INTERVAL_UNIT * ofSize(h[INTERVALS_AT + index]!);
}

/** Stores an interval; false if it is the same as before. */
export function keepInterval({ h }: SeriesRecord, index: number, seconds: number): boolean {
  const code = toSize(seconds / INTERVAL_UNIT);
  const isOther = h[INTERVALS_AT + index] !== code;
  h[INTERVALS_AT + index] = code;
  return isOther;
}
