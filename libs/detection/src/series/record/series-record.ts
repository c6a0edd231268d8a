import {
  B,
  COLD_BYTES,
  DOUBLES,
  FLOATS,
  FLOATS_FROM,
  HALVES,
  HALVES_FROM,
  HOT_BYTES,
  SMALL_FROM,
  WORDS,
  WORDS_FROM,
} from './layout.js';

/**
 * Views on the bytes of one series (layout.ts): doubles, followed by words, floats, half words and bytes.
 *
 * The cold part of the record is read in place, through views of the whole page: its first byte is `cold`.
 */
export interface SeriesRecord {
  readonly f: Float64Array;
  readonly w: Int32Array;
  readonly p: Float32Array;
  readonly h: Uint16Array;
  readonly b: Int8Array;
  readonly coldHalves: Uint16Array;
  readonly coldBytes: Uint8Array;
  /** A multiple of 8. */
  cold: number;
}

/** Views on the record at `offset` bytes (a multiple of 8); the bytes are used unchanged. */
export function viewRecord(buffer: ArrayBuffer, offset: number): SeriesRecord {
  return {
    f: new Float64Array(buffer, offset, DOUBLES),
    w: new Int32Array(buffer, offset + WORDS_FROM, WORDS),
    p: new Float32Array(buffer, offset + FLOATS_FROM, FLOATS),
    h: new Uint16Array(buffer, offset + HALVES_FROM, HALVES),
    b: new Int8Array(buffer, offset + SMALL_FROM, B.scalars),
    coldHalves: new Uint16Array(buffer),
    coldBytes: new Uint8Array(buffer),
    cold: offset + HOT_BYTES,
  };
}

/** The cold part of a record, valid as long as the record is. */
export function coldPart({ coldBytes, cold }: SeriesRecord): Uint8Array {
  return coldBytes.subarray(cold, cold + COLD_BYTES);
}

/** Copies the content of another record. */
export function copyRecord(to: SeriesRecord, from: SeriesRecord): void {
  to.f.set(from.f);
  to.w.set(from.w);
  to.p.set(from.p);
  to.h.set(from.h);
  to.b.set(from.b);
  coldPart(to).set(coldPart(from));
}
