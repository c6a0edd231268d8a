import { DOUBLES, FLOATS, WORDS } from './layout.js';

/** Views on one series' bytes: doubles, floats and words (layout.ts). */
export interface SeriesRecord {
  readonly f: Float64Array;
  readonly p: Float32Array;
  readonly b: Uint32Array;
}

/** Views on the record at `offset` bytes (a multiple of 8); the bytes are taken as they are. */
export function viewRecord(buffer: ArrayBuffer, offset: number): SeriesRecord {
  return {
    f: new Float64Array(buffer, offset, DOUBLES),
    p: new Float32Array(buffer, offset + DOUBLES * 8, FLOATS),
    b: new Uint32Array(buffer, offset + DOUBLES * 8 + FLOATS * 4, WORDS),
  };
}
