import { type SeriesRecord } from './series-record.js';

const { abs, log2, max, min, round } = Math;
const { isNaN } = Number;

/**
 * Values in two bytes, in one, or in six bits. Packed values lose digits, but never more than stated here, and the same
 * on every machine. Half words are floats of half precision relative to a level of their row, bytes are distances, and
 * six bits are steps.
 */

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** Half words: a sign, five binary digits of exponent, ten of the value. These two codes are not finite numbers. */
const UNKNOWN_HALF = 0x7e00;
const BEYOND_HALF = 0x7c00;
/** Offset between the exponents of half precision and of floats. */
const EXPONENTS = 2 ** 112;

/** By sign and exponent: the value of the last ten digits, and the value before them. */
const steps = Float64Array.from({ length: 64 }, (_, top) => (top < 32 ? 1 : -1) * 2 ** (Math.max(1, top % 32) - 25));
const leads = Float64Array.from({ length: 64 }, (_, top) => (top % 32 === 0 ? 0 : 1024));

/** A finite half word as a number. */
export function ofHalf(half: number): number {
  const top = half >> 10;
  return steps[top]! * (leads[top]! + (half & 0x3ff));
}

/** Nearest half word of a number; infinite if it is too large. */
export function toHalf(value: number): number {
  single[0] = value / EXPONENTS;
  const whole = bits[0]!;
  const size = whole & 0x7fff_ffff;
  const half = (size + 0xfff + ((size >>> 13) & 1)) >>> 13;
  return min(half, BEYOND_HALF) | ((whole >>> 16) & 0x8000);
}

/** Units within which a value is written without a check of the row: there are 16 octaves above and 24 below one. */
const LARGE = 2 ** 15;
const SMALL = 2 ** -10;
/** A row gets another unit if its values have become larger or smaller by this factor. */
const OTHER_UNIT = 2 ** 6;
/** Minimum unit, in usual deviations of the series: smaller units only store rounding errors. */
const MIN_UNIT = 2 ** -10;
/** A unit that becomes smaller leaves room for values up to this many times the usual ones of the row. */
const KEPT = 2 ** 36;
/** Number of outliers on each side that units and levels do not follow. */
const ODD = 3;
/** Maximum distance of the level of a row from its middle, in extents of the row. */
const AWAY = 1;

export interface HalfRowLayout {
  /** First cell among the half words of the cold part, and their number. */
  readonly at: number;
  readonly cells: number;
  /** Place of the level among the doubles, and of the unit among the floats. */
  readonly scale: number;
  readonly unit: number;
}

/**
 * A value of a half row; NaN if it is not known, or beyond the range of the format. For values that are read at every
 * point.
 */
export function halfAt({ f, p, coldHalves, cold }: SeriesRecord, cell: number, scale: number, unit: number): number {
  const half = coldHalves[(cold >> 1) + cell]!;
  return (half & BEYOND_HALF) === BEYOND_HALF ? NaN : f[scale]! + p[unit]! * ofHalf(half);
}

/**
 * A row of values of one kind (such as the expectations of a day) in two bytes each, as floats of half precision:
 * distances from a level in units of the row, with a precision of 0.1 to 0.2 % of each distance. Small values therefore
 * keep their digits next to large ones, and one absurd value does not affect the others: beyond 65,504 units it is
 * stored as infinite.
 */
export class HalfRow {
  private readonly lowest = new Float64Array(ODD + 1);
  private readonly highest = new Float64Array(ODD + 1);

  constructor(private readonly layout: HalfRowLayout) {}

  /** NaN: not known; ±Infinity: beyond the range of the format. */
  read({ f, p, coldHalves, cold }: SeriesRecord, index: number): number {
    const { at, scale, unit } = this.layout;
    const half = coldHalves[(cold >> 1) + at + index]!;
    if ((half & BEYOND_HALF) !== BEYOND_HALF) return f[scale]! + p[unit]! * ofHalf(half);
    return half === UNKNOWN_HALF ? NaN : half === BEYOND_HALF ? Infinity : -Infinity;
  }

  /**
   * The value, in the middle of `values`, and the values of the cells before and after it, each as `halfAt` returns it;
   * the row is cyclic.
   */
  readAround({ f, p, coldHalves, cold }: SeriesRecord, index: number, values: Float64Array): void {
    const { at, cells, scale, unit } = this.layout;
    const first = (cold >> 1) + at;
    const level = f[scale]!;
    const width = p[unit]!;
    const lowest = index - (values.length >> 1);
    for (let i = 0; i < values.length; i++) {
      const cell = lowest + i;
      const half = coldHalves[first + (cell < 0 ? cell + cells : cell >= cells ? cell - cells : cell)]!;
      values[i] = (half & BEYOND_HALF) === BEYOND_HALF ? NaN : level + width * ofHalf(half);
    }
  }

  /**
   * Stores a finite value; `level`: level of a row that had no values, `usual`: the usual deviation of the series.
   * `hasRoom`: the value is stored unchanged, however large it is.
   */
  write(record: SeriesRecord, index: number, value: number, level: number, usual: number, hasRoom = false): void {
    const { f, p, coldHalves: h } = record;
    const { scale, unit } = this.layout;
    const cell = this.firstOf(record) + index;
    h[cell] = UNKNOWN_HALF;
    if (p[unit] === 0) {
      f[scale] = level;
      p[unit] = max(abs(value - level), MIN_UNIT * usual);
    }
    const away = value - f[scale]!;
    const size = abs(away / p[unit]!);
    if (size > LARGE || (size < SMALL && size > 0)) this.findUnit(record, away, usual, hasRoom);
    // The unit is too small for a float: all stored values are at the level.
    h[cell] = away === 0 || p[unit] === 0 ? 0 : toHalf(away / p[unit]!);
  }

  forget(record: SeriesRecord): void {
    const { f, p, coldHalves: h } = record;
    const { cells, scale, unit } = this.layout;
    const at = this.firstOf(record);
    h.fill(UNKNOWN_HALF, at, at + cells);
    f[scale] = p[unit] = 0;
  }

  /** Moves all values. */
  shift({ f }: SeriesRecord, by: number): void {
    f[this.layout.scale] = f[this.layout.scale]! + by;
  }

  /** Moves the level back to the middle of a row that has moved away from it. Call it periodically. */
  refit(record: SeriesRecord): void {
    const { f, p, coldHalves: h } = record;
    const { cells, scale, unit } = this.layout;
    const at = this.firstOf(record);
    const { lowest, highest } = this;
    lowest.fill(Infinity);
    highest.fill(Infinity);
    for (let i = 0; i < cells; i++) {
      const half = h[at + i]!;
      if ((half & BEYOND_HALF) === BEYOND_HALF) continue;
      const distance = ofHalf(half);
      if (distance < lowest[ODD]!) keep(lowest, distance);
      if (-distance < highest[ODD]!) keep(highest, -distance);
    }
    const low = lowest[ODD]!;
    const high = -highest[ODD]!;
    const by = low + (high - low) / 2;
    if (!(low <= high) || !(abs(by) > AWAY * (high - low))) return;
    for (let i = 0; i < cells; i++) {
      const half = h[at + i]!;
      if ((half & BEYOND_HALF) !== BEYOND_HALF) h[at + i] = toHalf(ofHalf(half) - by);
    }
    f[scale] = f[scale]! + by * p[unit]!;
  }

  private firstOf({ cold }: SeriesRecord): number {
    return (cold >> 1) + this.layout.at;
  }

  /** Selects another unit if the row and the new value have become much larger or smaller than the current one. */
  private findUnit(record: SeriesRecord, away: number, usual: number, hasRoom: boolean): void {
    const { p, coldHalves: h } = record;
    const { cells, unit } = this.layout;
    const at = this.firstOf(record);
    const { highest } = this;
    const before = p[unit]!;
    // The largest sizes, with the opposite sign: the last of them is not an outlier.
    highest.fill(Infinity);
    keep(highest, -abs(away) / before);
    for (let i = 0; i < cells; i++) {
      const half = h[at + i]!;
      if (half === UNKNOWN_HALF || half === 0) continue;
      const size = (half & BEYOND_HALF) === BEYOND_HALF ? Infinity : abs(ofHalf(half));
      if (-size < highest[ODD]!) keep(highest, -size);
    }
    let last = ODD;
    while (highest[last] === Infinity) last--;
    let wanted = max(-highest[last]!, (MIN_UNIT * usual) / before);
    const largest = -highest[0]!;
    if (wanted < 1 && largest < KEPT * wanted) wanted = max(wanted, largest / LARGE);
    const room = hasRoom ? abs(away) / before / (LARGE / 2) : 0;
    wanted = max(wanted, room);
    const isOther = wanted > OTHER_UNIT || wanted < 1 / OTHER_UNIT || room > 1;
    if (!isOther || wanted === Infinity || wanted === 0) return;
    p[unit] = before * wanted;
    for (let i = 0; i < cells; i++) {
      const half = h[at + i]!;
      if ((half & BEYOND_HALF) !== BEYOND_HALF) h[at + i] = toHalf(ofHalf(half) / wanted);
    }
  }
}

/** Inserts a value into the smallest ones, in ascending order; the largest of them is dropped. */
function keep(smallest: Float64Array, value: number): void {
  let at = ODD;
  for (; at > 0 && smallest[at - 1]! > value; at--) smallest[at] = smallest[at - 1]!;
  smallest[at] = value;
}

/** Codes of a byte in a row of distances: unknown, and zero; further codes count steps of an eighth of an octave. */
const NO_VISIT = 0;
const NEAR = 0x80;
const MAX_STEPS = 0x7f;
const STEPS_AN_OCTAVE = 8;
/** Octaves below the unit at which the first step is. */
const OCTAVES_BELOW = 5;
/** Maximum error of a distance. */
const HALF_A_STEP = 2 ** (0.5 / STEPS_AN_OCTAVE);
const NO_UNIT = -128;
/** Octaves by which a unit may differ from the ideal one. */
const UNIT_OFF = 3;

const sizes = Float64Array.from({ length: MAX_STEPS + 1 }, (_, step) =>
  step === 0 ? 0 : step === MAX_STEPS ? Infinity : 2 ** ((step - 1) / STEPS_AN_OCTAVE - OCTAVES_BELOW),
);

export interface DistanceRowLayout {
  /** First cell among the bytes of the cold part, and their number. */
  readonly at: number;
  readonly cells: number;
  /** Place of the unit among the small numbers, a power of two. */
  readonly unit: number;
}

/**
 * The last visit of each bucket, as the distance from its expectation: in a byte, with a precision of 4 % of the
 * distance, and capped at a thousand times the usual deviation. This suffices for a median of three.
 */
export class DistanceRow {
  constructor(private readonly layout: DistanceRowLayout) {}

  /** NaN: not known; ±Infinity: beyond the range of the format. */
  read({ b, coldBytes, cold }: SeriesRecord, index: number): number {
    const code = coldBytes[cold + this.layout.at + index]!;
    return code === NO_VISIT ? NaN : distanceOf(code, b[this.layout.unit]!);
  }

  /** `usual`: the usual deviation of the series. */
  write({ b, coldBytes, cold }: SeriesRecord, index: number, distance: number, usual: number): void {
    const { at, unit } = this.layout;
    if (b[unit] === NO_UNIT) b[unit] = unitFor(usual > 0 ? usual : abs(distance));
    coldBytes[cold + at + index] = isNaN(distance) ? NO_VISIT : codeFor(distance, b[unit]!);
  }

  forget({ b, coldBytes, cold }: SeriesRecord): void {
    const { at, cells, unit } = this.layout;
    coldBytes.fill(NO_VISIT, cold + at, cold + at + cells);
    b[unit] = NO_UNIT;
  }

  /** The whole expectation has moved by `by`: the stored visits do not move. */
  expectationMoved({ b, coldBytes: o, cold }: SeriesRecord, by: number): void {
    const { at, cells, unit } = this.layout;
    const power = b[unit]!;
    if (power === NO_UNIT) return;
    for (let i = cold + at; i < cold + at + cells; i++) {
      if (o[i] !== NO_VISIT) o[i] = codeFor(beyondStep(distanceOf(o[i]!, power), by), power);
    }
  }

  /** The expectation now equals the last visits. */
  expectationMet({ coldBytes: o, cold }: SeriesRecord): void {
    const { at, cells } = this.layout;
    for (let i = cold + at; i < cold + at + cells; i++) if (o[i] !== NO_VISIT) o[i] = NEAR;
  }

  /** Recodes the row if usual deviations have become much larger or smaller. Call it periodically. */
  refit({ b, coldBytes: o, cold }: SeriesRecord, usual: number): void {
    const { at, cells, unit } = this.layout;
    const before = b[unit]!;
    if (before === NO_UNIT || !(usual > 0)) return;
    const power = unitFor(usual);
    if (abs(power - before) < UNIT_OFF) return;
    for (let i = cold + at; i < cold + at + cells; i++) {
      if (o[i] !== NO_VISIT) o[i] = codeFor(distanceOf(o[i]!, before), power);
    }
    b[unit] = power;
  }
}

/**
 * The smaller of two distances on the same side, 0 if they are on different sides. `rounded` has an error of up to half
 * a step.
 */
export function nearerOf(distance: number, rounded: number): number {
  if (distance * rounded <= 0) return 0;
  return abs(distance) <= HALF_A_STEP * abs(rounded) ? distance : rounded;
}

/** A distance with an error of up to half a step, less another distance: 0 if they may be equal. */
export function beyondStep(rounded: number, distance: number): number {
  const isSame =
    rounded * distance > 0 &&
    abs(rounded) <= HALF_A_STEP * abs(distance) &&
    abs(distance) <= HALF_A_STEP * abs(rounded);
  return isSame ? 0 : rounded - distance;
}

function unitFor(size: number): number {
  return size > 0 ? max(NO_UNIT + 1, min(127, round(log2(size)))) : NO_UNIT;
}

function distanceOf(code: number, power: number): number {
  const steps = code - NEAR;
  return steps < 0 ? -(sizes[-steps]! * 2 ** power) : sizes[steps]! * 2 ** power;
}

function codeFor(distance: number, power: number): number {
  const size = abs(distance);
  if (!(size > 0)) return NEAR;
  const step = max(0, min(MAX_STEPS, 1 + round(STEPS_AN_OCTAVE * (log2(size) - power + OCTAVES_BELOW))));
  return distance < 0 ? NEAR - step : NEAR + step;
}

/** A code of six bits in a row of them. Three bytes contain four codes. */
export function sixBitsAt(bytes: Uint8Array, from: number, index: number): number {
  const at = from + ((index * 6) >> 3);
  return ((bytes[at]! | (bytes[at + 1]! << 8)) >> ((index * 6) & 7)) & 63;
}

export function keepSixBits(bytes: Uint8Array, from: number, index: number, code: number): void {
  const at = from + ((index * 6) >> 3);
  const shift = (index * 6) & 7;
  const word = ((bytes[at]! | (bytes[at + 1]! << 8)) & ~(63 << shift)) | (code << shift);
  bytes[at] = word;
  if (shift > 2) bytes[at + 1] = word >> 8;
}

/** Codes of six bits in a row of steps: unknown, below and above the distinguishable range, and the middle. */
const UNKNOWN = 0;
const BELOW = 1;
const MIDDLE = 0x20;
const ABOVE = 0x3f;
/** Steps between the outermost distinguishable values. */
const STEPS = ABOVE - BELOW - 2;
/** A row whose values fit into this share of its steps is recoded. */
const COARSE = 1 / 4;
/** Room of a recoded row, in extents of its values, and distance beyond it from which a value is far outside. */
const ROOM = 1.25;
const FAR = 3;
/** Minimum width of a step: limit of a float. */
const MIN_WIDTH = 1e-37;

/**
 * A row of values in six bits each, as steps from a middle. The row is recoded around all of them if a value is
 * outside. Values far outside are stored as such (±Infinity), up to three per side: one absurd value must not reduce
 * the precision of the others.
 */
export class StepRow {
  /**
   * Smallest and largest value of the current row, and the number of values below and above the distinguishable range.
   */
  private low = Infinity;
  private high = -Infinity;
  private below = 0;
  private beyond = 0;

  /** `at`: first cell among the bytes of the cold part, `scale`: place of the middle among the doubles, `unit`: of the width of a step among the floats. */
  constructor(
    private readonly at: number,
    private readonly cells: number,
    private readonly scale: number,
    private readonly unit: number,
  ) {}

  /** NaN: not known; ±Infinity: beyond the range of the format. */
  read(record: SeriesRecord, index: number): number {
    const { coldBytes, cold } = record;
    return this.valueOf(record, sixBitsAt(coldBytes, cold + this.at, index));
  }

  /** Stores a finite value, or NaN for none. */
  write(record: SeriesRecord, index: number, value: number): void {
    const { coldBytes: o } = record;
    const at = record.cold + this.at;
    keepSixBits(o, at, index, UNKNOWN);
    if (isNaN(value)) return;
    let code = this.codeOf(record, value);
    if ((code <= BELOW || code >= ABOVE) && this.takesIn(record, value)) {
      this.layOut(record);
      code = this.codeOf(record, value);
    }
    keepSixBits(o, at, index, max(BELOW, min(ABOVE, code)));
  }

  forget({ f, p, coldBytes, cold }: SeriesRecord): void {
    coldBytes.fill(UNKNOWN, cold + this.at, cold + this.at + (this.cells * 6) / 8);
    f[this.scale] = p[this.unit] = 0;
  }

  /** Recodes the row if the values that made it wide are no longer in it. Call it periodically. */
  refit(record: SeriesRecord): void {
    const width = record.p[this.unit]!;
    this.survey(record);
    const extent = this.high - this.low;
    // All values in one step: the step may be too wide to distinguish them.
    if (extent === 0 && width > 0) this.forget(record);
    else if (extent > 0 && ROOM * extent < COARSE * STEPS * width) this.layOut(record);
  }

  private valueOf({ f, p }: SeriesRecord, code: number): number {
    if (code === UNKNOWN) return NaN;
    if (code === BELOW) return -Infinity;
    if (code === ABOVE) return Infinity;
    return f[this.scale]! + (code - MIDDLE) * p[this.unit]!;
  }

  /** Not clamped to the existing codes. */
  private codeOf({ f, p }: SeriesRecord, value: number): number {
    const away = value - f[this.scale]!;
    return away === 0 ? MIDDLE : MIDDLE + round(away / p[this.unit]!);
  }

  private survey(record: SeriesRecord): void {
    const { coldBytes: o, cold } = record;
    const at = cold + this.at;
    let least = ABOVE;
    let most = BELOW;
    this.below = this.beyond = 0;
    for (let i = 0; i < this.cells; i++) {
      const code = sixBitsAt(o, at, i);
      if (code === UNKNOWN) continue;
      if (code === BELOW) this.below++;
      else if (code === ABOVE) this.beyond++;
      else {
        if (code < least) least = code;
        if (code > most) most = code;
      }
    }
    this.low = least <= most ? this.valueOf(record, least) : Infinity;
    this.high = least <= most ? this.valueOf(record, most) : -Infinity;
  }

  /** Scans the row for a value outside of it. Returns true if the row must be widened for it. */
  private takesIn(record: SeriesRecord, value: number): boolean {
    this.survey(record);
    const extent = this.high - this.low;
    const isFar = extent > 0 && max(this.low - value, value - this.high) > FAR * extent;
    if (isFar && (value > this.high ? this.beyond : this.below) < ODD) return false;
    this.low = min(this.low, value);
    this.high = max(this.high, value);
    return true;
  }

  /** Recodes the row around the scanned values. */
  private layOut(record: SeriesRecord): void {
    const { f, p, coldBytes: o, cold } = record;
    const at = cold + this.at;
    const { scale, unit } = this;
    const before = f[scale]!;
    const widthBefore = p[unit]!;
    f[scale] = this.low + (this.high - this.low) / 2;
    p[unit] = this.high > this.low ? max(MIN_WIDTH, (ROOM * (this.high - this.low)) / STEPS) : 0;
    for (let i = 0; i < this.cells; i++) {
      const code = sixBitsAt(o, at, i);
      if (code <= BELOW || code === ABOVE) continue;
      const moved = this.codeOf(record, before + (code - MIDDLE) * widthBefore);
      keepSixBits(o, at, i, max(BELOW + 1, min(ABOVE - 1, moved)));
    }
  }
}
