import { BitReader, BitWriter } from './bit-stream.js';
import { readTimestamps, writeTimestamps } from './time-coder.js';
import { readValues, writeValues } from './value-coder.js';

/** First byte of every block; a later format gets another one. */
const VERSION = 1;

const writer = new BitWriter(8192);

/**
 * Encodes a part of one series: `count` points with ascending timestamps (whole seconds) and finite values, exact to
 * the last bit. The number of points and the first timestamp are not included: they are stored separately.
 */
export function encodePoints(timestamps: Float64Array, values: Float64Array, count: number): Uint8Array<ArrayBuffer> {
  writer.reset();
  writer.write(VERSION, 8);
  writeTimestamps(writer, timestamps, count);
  writeValues(writer, values, count);
  return writer.finish();
}

/**
 * The points of a block. `timestamps` and `values` have room for `count` rows. Throws RangeError for bytes that are not
 * a block.
 */
export function decodePoints(
  bytes: Uint8Array,
  count: number,
  first: number,
  timestamps: Float64Array,
  values: Float64Array,
): void {
  const bits = new BitReader(bytes);
  requireVersion(bits);
  readTimestamps(bits, timestamps, count, first);
  readValues(bits, values, count);
}

function requireVersion(bits: BitReader): void {
  const version = bits.read(8);
  if (version !== VERSION) throw new RangeError(`A block of points has an unknown version (${String(version)})`);
}
