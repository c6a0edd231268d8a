import { type BitReader, type BitWriter } from './bit-stream.js';
import { readIntegers, writeIntegers } from './integer-coder.js';

/**
 * Writes ascending timestamps (whole seconds); the reader knows the first. Their distances are multiples of a step, so
 * a series without gaps needs only the step. Otherwise runs of equal distances are written: the length of each, and its
 * distance in steps.
 */
export function writeTimestamps(bits: BitWriter, timestamps: Float64Array, count: number): void {
  if (count < 2) return;
  let step = timestamps[1]! - timestamps[0]!;
  let runs = 1;
  for (let i = 2; i < count; i++) {
    const distance = timestamps[i]! - timestamps[i - 1]!;
    if (distance % step !== 0) step = commonDivisor(distance, step);
    if (distance !== timestamps[i - 1]! - timestamps[i - 2]!) runs++;
  }
  bits.writeVarint(step);
  bits.writeVarint(runs);
  if (runs === 1) {
    bits.writeVarint((timestamps[1]! - timestamps[0]!) / step);
    return;
  }
  const lengths = new Float64Array(runs);
  const distances = new Float64Array(runs);
  let run = -1;
  for (let i = 1; i < count; i++) {
    const steps = (timestamps[i]! - timestamps[i - 1]!) / step;
    if (run < 0 || steps !== distances[run]) distances[++run] = steps;
    lengths[run]!++;
  }
  writeIntegers(bits, lengths, runs);
  writeIntegers(bits, distances, runs);
}

/** Reads the output of writeTimestamps into `timestamps`, whose first element is given. */
export function readTimestamps(bits: BitReader, timestamps: Float64Array, count: number, first: number): void {
  if (count === 0) return;
  timestamps[0] = first;
  if (count === 1) return;
  const step = bits.readVarint();
  const runs = bits.readVarint();
  if (runs >= count) throw new RangeError('A block of points has more distances than points');
  if (runs === 1) {
    const distance = bits.readVarint() * step;
    for (let i = 1; i < count; i++) timestamps[i] = first + i * distance;
    return;
  }
  const lengths = new Float64Array(runs);
  const distances = new Float64Array(runs);
  readIntegers(bits, lengths, runs);
  readIntegers(bits, distances, runs);
  let row = 1;
  let timestamp = first;
  for (let run = 0; run < runs; run++) {
    const distance = distances[run]! * step;
    for (let n = 0; n < lengths[run]! && row < count; n++) timestamps[row++] = timestamp += distance;
  }
}

function commonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
