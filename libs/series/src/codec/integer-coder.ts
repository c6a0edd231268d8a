import { type BitReader, type BitWriter } from './bit-stream.js';

/** Numbers up to this size allow the difference of two of them. */
export const LARGEST_INTEGER = 2 ** 50;

/** A quotient of this many ones announces a number written in full. */
const ESCAPE = 20;
const WIDTH_BITS = 6;
const HALVE_AT = 32;
/** Number of values from which the predictor is chosen. */
const SAMPLE = 400;
const NARROW_BITS = 24;

/** How the next number is predicted from those before it: the stored byte is the index. */
const GAINS = [1, 0.5, 0.25, 0.0625] as const;
const RAW_PREDICTOR_BITS = 2;

/**
 * Writes whole numbers (up to LARGEST_INTEGER in size) as their distances from a prediction, in adaptive Golomb-Rice
 * codes. The prediction is a running mean whose gain is chosen per call: 1 for a random walk, a small one for noise
 * around a level. The parameter of the code follows the mean size of the latest distances (as in JPEG-LS, ITU-T T.87,
 * A.5).
 */
export function writeIntegers(bits: BitWriter, values: Float64Array, count: number): void {
  const predictor = bestPredictor(values, count);
  const gain = GAINS[predictor]!;
  bits.write(predictor, RAW_PREDICTOR_BITS);
  let guess = 0;
  let sum = 0;
  let seen = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    const distance = value - Math.round(guess);
    const folded = distance >= 0 ? distance * 2 : -distance * 2 - 1;
    writeRice(bits, folded, parameterOf(sum, seen));
    if (i === 0) {
      // The first distance is the size of the numbers themselves: it does not predict the next ones.
      guess = value;
      continue;
    }
    guess += (value - guess) * gain;
    sum += folded;
    if (++seen === HALVE_AT) {
      sum /= 2;
      seen /= 2;
    }
  }
}

/** Reads the output of writeIntegers into `values`. */
export function readIntegers(bits: BitReader, values: Float64Array, count: number): void {
  const gain = GAINS[bits.read(RAW_PREDICTOR_BITS)]!;
  let guess = 0;
  let sum = 0;
  let seen = 0;
  for (let i = 0; i < count; i++) {
    const folded = readRice(bits, parameterOf(sum, seen));
    const half = Math.floor(folded / 2);
    const value = Math.round(guess) + (folded - half * 2 === 0 ? half : -half - 1);
    values[i] = value;
    if (i === 0) {
      guess = value;
      continue;
    }
    guess += (value - guess) * gain;
    sum += folded;
    if (++seen === HALVE_AT) {
      sum /= 2;
      seen /= 2;
    }
  }
}

/** Approximate number of bits that writeIntegers needs. */
export function estimateBits(values: Float64Array, count: number): number {
  return costOf(values, count, GAINS[bestPredictor(values, count)]!);
}

function bestPredictor(values: Float64Array, count: number): number {
  let best = 0;
  let least = Infinity;
  for (let predictor = 0; predictor < GAINS.length; predictor++) {
    const cost = costOf(values, count, GAINS[predictor]!);
    if (cost < least) {
      least = cost;
      best = predictor;
    }
  }
  return best;
}

/**
 * Bits of the mean distance per number: the need of a Rice code with one parameter. Estimated from the first values.
 */
function costOf(values: Float64Array, count: number, gain: number): number {
  if (count < 2) return count * 64;
  const sample = Math.min(count, SAMPLE);
  let guess = values[0]!;
  let sum = 0;
  for (let i = 1; i < sample; i++) {
    const value = values[i]!;
    sum += Math.abs(value - guess);
    guess += (value - guess) * gain;
  }
  return 64 + (count - 1) * (1.5 + Math.log2(1 + (2 * sum) / (sample - 1)));
}

/** The smallest k with seen · 2^k ≥ sum. */
function parameterOf(sum: number, seen: number): number {
  if (seen === 0) return 0;
  const mean = sum / seen;
  if (mean <= 1) return 0;
  if (mean < 1_073_741_824) return 32 - Math.clz32(Math.ceil(mean) - 1);
  return Math.min(Math.ceil(Math.log2(mean)), 52);
}

function writeRice(bits: BitWriter, value: number, parameter: number): void {
  const range = parameter < 31 ? 1 << parameter : 2 ** parameter;
  const quotient = Math.floor(value / range);
  if (quotient < ESCAPE) {
    const ones = (1 << quotient) - 1;
    const remainder = value - quotient * range;
    if (quotient + 1 + parameter <= NARROW_BITS) {
      bits.write(ones | (remainder << (quotient + 1)), quotient + 1 + parameter);
      return;
    }
    bits.write(ones, quotient + 1);
    bits.write(remainder, parameter);
    return;
  }
  const width = widthOf(value);
  bits.write(2 ** ESCAPE - 1, ESCAPE);
  bits.write(width, WIDTH_BITS);
  bits.write(value, width);
}

function readRice(bits: BitReader, parameter: number): number {
  const quotient = bits.readUnary(ESCAPE);
  if (quotient < ESCAPE) {
    return quotient * (parameter < 31 ? 1 << parameter : 2 ** parameter) + bits.read(parameter);
  }
  return bits.read(bits.read(WIDTH_BITS));
}

/** Number of bits for the number. */
function widthOf(value: number): number {
  let width = 0;
  for (let rest = value; rest >= 1; rest = Math.floor(rest / 2)) width++;
  return width;
}
