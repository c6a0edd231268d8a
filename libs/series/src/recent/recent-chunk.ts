import { type SeriesBatch } from '../series-store.js';

/*
 * A chunk of recent points of several series: quick to write and to decode, not small.
 *
 *   uint32 points, uint32 series, float64 × points (little endian), then for every series as varints:
 *   id minus that before; 2 · points, plus 1 when their distances are equal; first timestamp minus that of the series
 *   before (zigzag); the distances of its points, or one when they are equal.
 */

const HEADER_BYTES = 8;
/** Bytes of the varints for the first point of a series; other points need fewer. */
const MAX_BYTES_PER_POINT = 24;

let scratch = new Uint8Array(65_536);

/** Writes rows [from, until), ordered by id and, within a series, by time. */
export function encodeChunk(rows: SeriesBatch, from: number, until: number): Buffer {
  const { ids, timestamps, values } = rows;
  const points = until - from;
  if (scratch.length < points * MAX_BYTES_PER_POINT) scratch = new Uint8Array(points * MAX_BYTES_PER_POINT * 2);
  const bytes = scratch;
  let length = 0;
  const put = (value: number) => {
    let rest = value;
    // Beyond 32 bits the shift would lose digits.
    while (rest >= 0x8000_0000) {
      bytes[length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest >= 128) {
      bytes[length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[length++] = rest;
  };
  let series = 0;
  let lastId = 0;
  let lastFirst = 0;
  for (let row = from; row < until;) {
    const id = ids[row]!;
    let end = row + 1;
    const step = end < until && ids[end] === id ? timestamps[end]! - timestamps[row]! : 0;
    let isEven = step > 0;
    for (; end < until && ids[end] === id; end++) if (timestamps[end]! - timestamps[end - 1]! !== step) isEven = false;
    const first = timestamps[row]!;
    put(id - lastId);
    put((end - row) * 2 + (isEven ? 1 : 0));
    put(first >= lastFirst ? (first - lastFirst) * 2 : (lastFirst - first) * 2 - 1);
    if (isEven) put(step);
    else for (let n = row + 1; n < end; n++) put(timestamps[n]! - timestamps[n - 1]!);
    lastId = id;
    lastFirst = first;
    series++;
    row = end;
  }
  const chunk = Buffer.allocUnsafe(HEADER_BYTES + points * 8 + length);
  chunk.writeUInt32LE(points, 0);
  chunk.writeUInt32LE(series, 4);
  chunk.set(new Uint8Array(values.buffer, values.byteOffset + from * 8, points * 8), HEADER_BYTES);
  chunk.set(bytes.subarray(0, length), HEADER_BYTES + points * 8);
  return chunk;
}

/**
 * Iterates over the series of a chunk, ordered by id. After `next()` has returned true, `id` and `points` are those of
 * a series, and `copyTo` reads its points. Throws RangeError for bytes that are not a chunk.
 */
export class ChunkReader {
  id = 0;
  points = 0;
  private position: number;
  private seriesLeft: number;
  private row = 0;
  private nextRow = 0;
  private first = 0;
  /** Distance between the points if it is constant, otherwise 0. */
  private step = 0;
  private distancesAt = 0;
  private readonly total: number;

  constructor(private readonly bytes: Buffer) {
    if (bytes.length < HEADER_BYTES) throw new RangeError('A chunk of points ends too early');
    this.total = bytes.readUInt32LE(0);
    this.seriesLeft = bytes.readUInt32LE(4);
    this.position = HEADER_BYTES + this.total * 8;
  }

  next(): boolean {
    if (this.seriesLeft === 0) return false;
    this.seriesLeft--;
    this.id += this.varint();
    const head = this.varint();
    const isEven = head % 2 === 1;
    this.points = Math.floor(head / 2);
    this.row = this.nextRow;
    this.nextRow += this.points;
    if (this.nextRow > this.total) throw new RangeError('A chunk has more points than it says');
    const shift = this.varint();
    this.first += shift % 2 === 0 ? shift / 2 : -(shift + 1) / 2;
    this.step = isEven ? this.varint() : 0;
    this.distancesAt = this.position;
    if (!isEven) for (let left = this.points - 1; left > 0; left--) this.skipVarint();
    return true;
  }

  /** Writes the points of the series at row `at` of both columns. */
  copyTo(timestamps: Float64Array, values: Float64Array, at: number): void {
    let timestamp = this.first;
    timestamps[at] = timestamp;
    if (this.step > 0) {
      for (let n = 1; n < this.points; n++) timestamps[at + n] = timestamp += this.step;
    } else {
      const end = this.position;
      this.position = this.distancesAt;
      for (let n = 1; n < this.points; n++) timestamps[at + n] = timestamp += this.varint();
      this.position = end;
    }
    const from = HEADER_BYTES + this.row * 8;
    new Uint8Array(values.buffer, values.byteOffset + at * 8, this.points * 8).set(
      this.bytes.subarray(from, from + this.points * 8),
    );
  }

  private varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.position++];
      if (byte === undefined) throw new RangeError('A chunk of points ends too early');
      if (byte < 128) return value + byte * scale;
      value += (byte - 128) * scale;
    }
  }

  private skipVarint(): void {
    while (this.bytes[this.position++]! >= 128);
  }
}
