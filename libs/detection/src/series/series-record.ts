import { COLD_BYTES, DOUBLES, HOT_BYTES } from './layout.js';

/**
 * Views on one series' bytes (layout.ts): doubles, and four readings of the cells after them: floats, words, half words and
 * bytes. The same bytes are read in one way only, except while a bitmap or a histogram is being laid out.
 *
 * The cold part of the record is read where it lies, through views of all that lies there: its first byte is `cold`.
 */
export interface SeriesRecord {
  readonly f: Float64Array;
  readonly p: Float32Array;
  readonly b: Uint32Array;
  readonly h: Uint16Array;
  readonly o: Uint8Array;
  readonly coldHalves: Uint16Array;
  readonly coldBytes: Uint8Array;
  /** A multiple of 8. */
  cold: number;
}

/** Views on the record at `offset` bytes (a multiple of 8); the bytes are taken as they are. */
export function viewRecord(buffer: ArrayBuffer, offset: number): SeriesRecord {
  const cells = offset + DOUBLES * 8;
  const bytes = HOT_BYTES - DOUBLES * 8;
  return {
    f: new Float64Array(buffer, offset, DOUBLES),
    p: new Float32Array(buffer, cells, bytes / 4),
    b: new Uint32Array(buffer, cells, bytes / 4),
    h: new Uint16Array(buffer, cells, bytes / 2),
    o: new Uint8Array(buffer, cells, bytes),
    coldHalves: new Uint16Array(buffer),
    coldBytes: new Uint8Array(buffer),
    cold: offset + HOT_BYTES,
  };
}

/** The cold part of a record, valid as long as the record is. */
export function coldPart({ coldBytes, cold }: SeriesRecord): Uint8Array {
  return coldBytes.subarray(cold, cold + COLD_BYTES);
}

/** Takes over all that another record holds. */
export function copyRecord(to: SeriesRecord, from: SeriesRecord): void {
  to.f.set(from.f);
  to.b.set(from.b);
  coldPart(to).set(coldPart(from));
}
