import { endianness } from 'node:os';
import { type PointBatch } from '../point-log.js';

/**
 * Payload of a log record, little endian:
 *
 * | offset       | bytes | content                          |
 * | ------------ | ----- | -------------------------------- |
 * | 0            | 1     | version of this layout, 1        |
 * | 1            | 3     | zero                             |
 * | 4            | 4     | n, number of points (unsigned)   |
 * | 8            | 8 n   | timestamps (float64)             |
 * | 8 + 8 n      | 8 n   | values (float64)                 |
 * | 8 + 16 n     | 4 n   | metric ids (unsigned)            |
 *
 * The eight-byte columns come first, so that each column starts at a multiple of its width.
 */
const VERSION = 1;
export const PAYLOAD_HEADER_BYTES = 8;
export const POINT_BYTES = 20;
const IS_LITTLE_ENDIAN = endianness() === 'LE';

/** Bytes to fill with points: the columns are views of them. */
export interface OpenPayload {
  bytes: Buffer;
  /** In separate memory that nothing else uses. */
  columns: PointBatch;
}

/** An empty payload for `count` points. */
export function openPayload(count: number): OpenPayload {
  const bytes = Buffer.from(new ArrayBuffer(PAYLOAD_HEADER_BYTES + POINT_BYTES * count));
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt32LE(count, 4);
  return { bytes, columns: columnsOf(bytes.buffer, count) };
}

/**
 * The filled columns in the byte order of the layout. They may be read, but not transferred, until the bytes are
 * written.
 */
export function storedBytes({ bytes, columns }: OpenPayload): Buffer {
  if (IS_LITTLE_ENDIAN) return bytes;
  const swapped = Buffer.from(bytes);
  swapColumns(swapped, columns.ids.length);
  return swapped;
}

/** Columns of a stored payload, in separate memory. Throws if the bytes are not such a payload. */
export function readPayload(stored: Uint8Array): PointBatch {
  const bytes = Buffer.from(new ArrayBuffer(stored.byteLength));
  bytes.set(stored);
  const version = bytes.length < PAYLOAD_HEADER_BYTES ? -1 : bytes.readUInt8(0);
  if (version !== VERSION) {
    throw new Error(`A record of the point log has layout ${String(version)}; this program reads ${String(VERSION)}`);
  }
  const count = bytes.readUInt32LE(4);
  if (bytes.length !== PAYLOAD_HEADER_BYTES + POINT_BYTES * count) {
    throw new Error(`A record of the point log has ${String(bytes.length)} bytes for ${String(count)} points`);
  }
  if (!IS_LITTLE_ENDIAN) swapColumns(bytes, count);
  return columnsOf(bytes.buffer, count);
}

function columnsOf(buffer: ArrayBufferLike, count: number): PointBatch {
  return {
    timestamps: new Float64Array(buffer, PAYLOAD_HEADER_BYTES, count),
    values: new Float64Array(buffer, PAYLOAD_HEADER_BYTES + 8 * count, count),
    ids: new Uint32Array(buffer, PAYLOAD_HEADER_BYTES + 16 * count, count),
  };
}

function swapColumns(bytes: Buffer, count: number): void {
  const idsAt = PAYLOAD_HEADER_BYTES + 16 * count;
  bytes.subarray(PAYLOAD_HEADER_BYTES, idsAt).swap64();
  bytes.subarray(idsAt).swap32();
}
