import { COLD_BYTES, DOUBLES, HOT_BYTES } from './layout.js';

/**
 * Views on one series' bytes (layout.ts): doubles, and the floats after them.
 *
 * The cold part of the record is read where it lies, through views of all that lies there: its first byte is `cold`.
 */
export interface SeriesRecord {
  readonly f: Float64Array;
  readonly p: Float32Array;
  readonly coldHalves: Uint16Array;
  readonly coldBytes: Uint8Array;
  /** A multiple of 8. */
  cold: number;
}

/** Views on the record at `offset` bytes (a multiple of 8); the bytes are taken as they are. */
export function viewRecord(buffer: ArrayBuffer, offset: number): SeriesRecord {
  return {
    f: new Float64Array(buffer, offset, DOUBLES),
    p: new Float32Array(buffer, offset + DOUBLES * 8, (HOT_BYTES - DOUBLES * 8) / 4),
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
  to.p.set(from.p);
  coldPart(to).set(coldPart(from));
}
