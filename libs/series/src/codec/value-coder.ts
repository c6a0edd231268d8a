import { type BitReader, type BitWriter } from './bit-stream.js';
import { estimateBits, LARGEST_INTEGER, readIntegers, writeIntegers } from './integer-coder.js';

/*
 * Values are written in the cheapest of several forms, each exact to the last bit:
 *
 * - repeats: only values that differ from the one before, and how often each comes;
 * - decimal: whole numbers n of n / 10^places, as gauges with a few decimals are;
 * - sixtieths: whole numbers n of n / 60 (a count per minute as a rate), as computed or as printed with 15 digits;
 * - dictionary: few different values, by their rank;
 * - words: the upper half of the float64 as a whole number, the lower half as it is. It can represent everything.
 *
 * Decimals and sixtieths that were computed may be off by some units in the last place: a column of corrections
 * contains this.
 */

const DECIMAL = 0;
const SIXTIETHS = 1;
const PRINTED_SIXTIETHS = 2;
const WORDS = 3;
const DICTIONARY = 4;
const FORM_BITS = 3;
const PLACES_BITS = 5;
const ZEROS_BITS = 6;

const MAX_PLACES = 18;
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${String(exponent)}`));
/** Maximum correction, in units in the last place. */
const LARGEST_CORRECTION = 1 << 16;
/** … and the maximum error of a computed decimal number: a larger error counts as another digit. */
const LARGEST_COMPUTED_ERROR = 8;
const PRINTED_DIGITS = 15;

/** The form for repeats is used if at most this share of the values differs from the one before. */
const REPEATS_BELOW = 0.4;
/** Above this number of bits per value, rarer forms are tried. */
const CHEAP_BITS = 16;
const DICTIONARY_BELOW = 0.4;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const signedWords = new Int32Array(double.buffer);
const LOW = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;

/** Values as whole numbers; `corrections` is null if none is needed. */
interface Lattice {
  form: number;
  places: number;
  integers: Float64Array;
  corrections: Float64Array | null;
  bits: number;
}

/** Writes the first `count` values, all finite. */
export function writeValues(bits: BitWriter, values: Float64Array, count: number): void {
  const changes = countChanges(values, count);
  const hasRepeats = changes <= count * REPEATS_BELOW;
  bits.write(hasRepeats ? 1 : 0, 1);
  if (!hasRepeats) {
    writeDistinct(bits, values, count);
    return;
  }
  const heads = new Float64Array(changes);
  const lengths = new Float64Array(changes);
  let run = -1;
  for (let i = 0; i < count; i++) {
    if (i === 0 || !Object.is(values[i], values[i - 1])) heads[++run] = values[i]!;
    lengths[run]!++;
  }
  bits.writeVarint(changes);
  writeIntegers(bits, lengths, changes);
  writeDistinct(bits, heads, changes);
}

/** Reads the output of writeValues into `values`. */
export function readValues(bits: BitReader, values: Float64Array, count: number): void {
  if (bits.read(1) === 0) {
    readDistinct(bits, values, count);
    return;
  }
  const changes = bits.readVarint();
  if (changes > count) throw new RangeError('A block of points has more runs than points');
  const heads = new Float64Array(changes);
  const lengths = new Float64Array(changes);
  readIntegers(bits, lengths, changes);
  readDistinct(bits, heads, changes);
  let row = 0;
  for (let run = 0; run < changes; run++) {
    const end = row + lengths[run]!;
    values.fill(heads[run]!, row, end);
    row = end;
  }
}

function countChanges(values: Float64Array, count: number): number {
  let changes = Math.min(count, 1);
  for (let i = 1; i < count; i++) if (!Object.is(values[i], values[i - 1])) changes++;
  return changes;
}

function writeDistinct(bits: BitWriter, values: Float64Array, count: number): void {
  let best = decimalLattice(values, count);
  if (best === null || best.bits > CHEAP_BITS * count) {
    for (const form of [SIXTIETHS, PRINTED_SIXTIETHS]) {
      const lattice = sixtiethsLattice(values, count, form);
      if (lattice !== null && lattice.bits < (best?.bits ?? Infinity)) best = lattice;
    }
    const split = splitWords(values, count);
    const dictionary = count < 16 ? null : findDictionary(values, count);
    const dictionaryBits = dictionary ? dictionary.bits + 64 * dictionary.entries.length : Infinity;
    if (Math.min(split.bits, dictionaryBits) < (best?.bits ?? Infinity)) {
      if (dictionary && dictionaryBits < split.bits) writeDictionary(bits, dictionary, count);
      else writeWords(bits, split, count);
      return;
    }
  }
  writeLattice(bits, best!, count);
}

function readDistinct(bits: BitReader, values: Float64Array, count: number): void {
  const form = bits.read(FORM_BITS);
  if (form === WORDS) readWords(bits, values, count);
  else if (form === DICTIONARY) readDictionary(bits, values, count);
  else if (form <= PRINTED_SIXTIETHS) readLattice(bits, form, values, count);
  else throw new RangeError(`A block of points has values in an unknown form (${String(form)})`);
}

/** The value of a whole number of a lattice, before correction. */
function latticeValue(form: number, scale: number, integer: number): number {
  if (form === DECIMAL) return integer / scale;
  const exact = integer / 60;
  return form === SIXTIETHS ? exact : printed(exact);
}

/** The number with PRINTED_DIGITS significant digits, nearly; the difference is corrected. */
function printed(value: number): number {
  const size = Math.abs(value);
  let places = PRINTED_DIGITS;
  while (places > 0 && size >= POWERS[PRINTED_DIGITS - places]!) places--;
  const scale = POWERS[places]!;
  return Math.round(value * scale) / scale;
}

/** Null if some value has too many digits for a whole number. */
function decimalLattice(values: Float64Array, count: number): Lattice | null {
  let places = 0;
  const integers = new Float64Array(count);
  let corrections: Float64Array | null = null;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    const scale = POWERS[places]!;
    const scaled = value * scale;
    // Adding zero turns -0 into 0, the only zero among whole numbers.
    const integer = Math.round(scaled) + 0;
    const base = integer / scale;
    if (base !== value || value === 0) {
      const correction = signedDistance(base, value);
      if (Math.abs(correction) > LARGEST_COMPUTED_ERROR) {
        // All values need more decimal places.
        if (++places > MAX_PLACES) return null;
        corrections = null;
        i = -1;
        continue;
      }
      if (correction !== 0) (corrections ??= new Float64Array(count))[i] = correction;
    }
    if (!(Math.abs(integer) <= LARGEST_INTEGER)) return null;
    integers[i] = integer;
  }
  return lattice(DECIMAL, places, integers, corrections, count);
}

function sixtiethsLattice(values: Float64Array, count: number, form: number): Lattice | null {
  const integers = new Float64Array(count);
  let corrections: Float64Array | null = null;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    const integer = Math.round(value * 60) + 0;
    if (!(Math.abs(integer) <= LARGEST_INTEGER)) return null;
    const correction = signedDistance(latticeValue(form, 1, integer), value);
    if (Math.abs(correction) > LARGEST_CORRECTION) return null;
    if (correction !== 0) (corrections ??= new Float64Array(count))[i] = correction;
    integers[i] = integer;
  }
  return lattice(form, 0, integers, corrections, count);
}

function lattice(
  form: number,
  places: number,
  integers: Float64Array,
  corrections: Float64Array | null,
  count: number,
): Lattice {
  const bits = estimateBits(integers, count) + (corrections ? estimateBits(corrections, count) : 0);
  return { form, places, integers, corrections, bits };
}

function writeLattice(bits: BitWriter, { form, places, integers, corrections }: Lattice, count: number): void {
  bits.write(form, FORM_BITS);
  if (form === DECIMAL) bits.write(places, PLACES_BITS);
  writeIntegers(bits, integers, count);
  bits.write(corrections ? 1 : 0, 1);
  if (corrections) writeIntegers(bits, corrections, count);
}

function readLattice(bits: BitReader, form: number, values: Float64Array, count: number): void {
  const scale = form === DECIMAL ? POWERS[bits.read(PLACES_BITS)] : 1;
  if (scale === undefined) throw new RangeError('A block of points has too many decimal places');
  readIntegers(bits, values, count);
  if (scale > 1) for (let i = 0; i < count; i++) values[i]! /= scale;
  else if (form !== DECIMAL) for (let i = 0; i < count; i++) values[i] = latticeValue(form, scale, values[i]!);
  if (bits.read(1) === 0) return;
  const corrections = new Float64Array(count);
  readIntegers(bits, corrections, count);
  for (let i = 0; i < count; i++) {
    if (corrections[i] === 0) continue;
    double[0] = values[i]!;
    words[LOW]! += corrections[i]!;
    values[i] = double[0];
  }
}

/** Units in the last place from `base` to `value` if only the lower half differs; otherwise Infinity. */
function signedDistance(base: number, value: number): number {
  if (Object.is(base, value)) return 0;
  double[0] = base;
  const low = words[LOW]!;
  const high = words[HIGH]!;
  double[0] = value;
  return high === words[HIGH] ? words[LOW]! - low : Infinity;
}

interface SplitWords {
  /** Upper halves, in the order of the numbers. */
  high: Float64Array;
  /** Lower halves without their common zeros at the end. */
  low: Float64Array;
  zeros: number;
  bits: number;
}

function splitWords(values: Float64Array, count: number): SplitWords {
  const high = new Float64Array(count);
  const low = new Float64Array(count);
  let used = 0;
  for (let i = 0; i < count; i++) {
    double[0] = values[i]!;
    const upper = signedWords[HIGH]!;
    high[i] = upper >= 0 ? upper : -(upper & 0x7fff_ffff) - 1;
    low[i] = words[LOW]!;
    used |= signedWords[LOW]!;
  }
  const zeros = used === 0 ? 32 : 31 - Math.clz32(used & -used);
  if (zeros > 0) for (let i = 0; i < count; i++) low[i] = Math.floor(low[i]! / 2 ** zeros);
  return { high, low, zeros, bits: estimateBits(high, count) + count * (32 - zeros) };
}

function writeWords(bits: BitWriter, { high, low, zeros }: SplitWords, count: number): void {
  bits.write(WORDS, FORM_BITS);
  bits.write(zeros, ZEROS_BITS);
  writeIntegers(bits, high, count);
  for (let i = 0; i < count; i++) bits.write(low[i]!, 32 - zeros);
}

function readWords(bits: BitReader, values: Float64Array, count: number): void {
  const zeros = bits.read(ZEROS_BITS);
  if (zeros > 32) throw new RangeError('A block of points has halves of numbers that are too wide');
  readIntegers(bits, values, count);
  for (let i = 0; i < count; i++) {
    const upper = values[i]!;
    words[LOW] = bits.read(32 - zeros) * 2 ** zeros;
    signedWords[HIGH] = upper >= 0 ? upper : (-upper - 1) | 0x8000_0000;
    values[i] = double[0]!;
  }
}

interface Dictionary {
  /** Distinct values, ascending. */
  entries: Float64Array;
  ranks: Float64Array;
  bits: number;
}

function findDictionary(values: Float64Array, count: number): Dictionary | null {
  const different = new Set<number>();
  for (let i = 0; i < count; i++) {
    // A set does not distinguish the two zeros.
    if (Object.is(values[i], -0)) return null;
    different.add(values[i]!);
    if (different.size > count * DICTIONARY_BELOW) return null;
  }
  const entries = Float64Array.from(different).sort();
  const rankOf = new Map<number, number>();
  entries.forEach((value, rank) => rankOf.set(value, rank));
  const ranks = new Float64Array(count);
  for (let i = 0; i < count; i++) ranks[i] = rankOf.get(values[i]!)!;
  return { entries, ranks, bits: estimateBits(ranks, count) };
}

function writeDictionary(bits: BitWriter, { entries, ranks }: Dictionary, count: number): void {
  bits.write(DICTIONARY, FORM_BITS);
  bits.writeVarint(entries.length);
  const split = splitWords(entries, entries.length);
  writeWords(bits, split, entries.length);
  writeIntegers(bits, ranks, count);
}

function readDictionary(bits: BitReader, values: Float64Array, count: number): void {
  const size = bits.readVarint();
  if (size > count) throw new RangeError('A block of points has more different values than points');
  const entries = new Float64Array(size);
  readDistinct(bits, entries, size);
  readIntegers(bits, values, count);
  for (let i = 0; i < count; i++) {
    const entry = entries[values[i]!];
    if (entry === undefined) throw new RangeError('A block of points names a value that it does not have');
    values[i] = entry;
  }
}
