import { DOUBLES, RECORD_BYTES } from './layout.js';

/**
 * Views on one series' bytes (layout.ts): doubles, and four readings of the cells after them: floats, words, half words and
 * bytes. The same bytes are read in one way only, except while a bitmap or a histogram is being laid out.
 */
export interface SeriesRecord {
  readonly f: Float64Array;
  readonly p: Float32Array;
  readonly b: Uint32Array;
  readonly h: Uint16Array;
  readonly o: Uint8Array;
}

/** Views on the record at `offset` bytes (a multiple of 8); the bytes are taken as they are. */
export function viewRecord(buffer: ArrayBuffer, offset: number): SeriesRecord {
  const cells = offset + DOUBLES * 8;
  const bytes = RECORD_BYTES - DOUBLES * 8;
  return {
    f: new Float64Array(buffer, offset, DOUBLES),
    p: new Float32Array(buffer, cells, bytes / 4),
    b: new Uint32Array(buffer, cells, bytes / 4),
    h: new Uint16Array(buffer, cells, bytes / 2),
    o: new Uint8Array(buffer, cells, bytes),
  };
}
