import { FLOATS_FROM, HOT_BYTES, RECORD_BYTES, SMALL_FROM } from '../series/record/layout.js';
import { type SeriesRecord, viewRecord } from '../series/record/series-record.js';

/** Records per page: the store grows by pages without copying existing ones, and pages are saved one by one. */
export const PAGE_RECORDS = 256;

/**
 * Stored records, and one current record. Typed-array views need more memory than a small record, so only the first
 * place of a page has views: the hot part of the current record is moved there, and moved back when another record is
 * opened. The cold part stays in its place.
 */
class Page {
  private readonly bytes: Uint8Array;
  private readonly doubles: Float64Array;
  private readonly floats: Float32Array;
  private readonly small: Int8Array;
  private readonly atWork: SeriesRecord;
  /** The current record; -1 for none. */
  private current = -1;

  constructor() {
    const buffer = new ArrayBuffer(HOT_BYTES + PAGE_RECORDS * RECORD_BYTES);
    this.bytes = new Uint8Array(buffer);
    this.doubles = new Float64Array(buffer);
    this.floats = new Float32Array(buffer);
    this.small = new Int8Array(buffer);
    this.atWork = viewRecord(buffer, 0);
  }

  open(index: number): SeriesRecord {
    if (this.current !== index) {
      this.rest();
      const from = placeOf(index);
      this.bytes.copyWithin(0, from, from + HOT_BYTES);
      this.atWork.cold = from + HOT_BYTES;
      this.current = index;
    }
    return this.atWork;
  }

  peek(index: number, field: number): number {
    return this.doubles[this.firstOf(index) / 8 + field]!;
  }

  peekFloat(index: number, field: number): number {
    return this.floats[(this.firstOf(index) + FLOATS_FROM) / 4 + field]!;
  }

  peekByte(index: number, field: number): number {
    return this.small[this.firstOf(index) + SMALL_FROM + field]!;
  }

  /** The bytes of a stored record. */
  at(index: number): Uint8Array {
    this.rest();
    return this.bytes.subarray(placeOf(index), placeOf(index + 1));
  }

  private firstOf(index: number): number {
    return index === this.current ? 0 : placeOf(index);
  }

  private rest(): void {
    if (this.current < 0) return;
    this.bytes.copyWithin(placeOf(this.current), 0, HOT_BYTES);
    this.current = -1;
  }
}

/** First byte of a stored record: after the place of the current one. */
function placeOf(index: number): number {
  return HOT_BYTES + index * RECORD_BYTES;
}

/** Records of fixed size by place (0, 1, 2, …). */
export class RecordPages {
  private readonly pages: Page[] = [];

  /**
   * The record at a place, for reading and writing. The views are valid until the next call with any place: another
   * record may then be at their place.
   */
  open(place: number): SeriesRecord {
    return this.pageOf(place).open(place % PAGE_RECORDS);
  }

  /** Returns one of a record's doubles, without moving the record. */
  peek(place: number, field: number): number {
    return this.pageOf(place).peek(place % PAGE_RECORDS, field);
  }

  /** The same for its floats. */
  peekFloat(place: number, field: number): number {
    return this.pageOf(place).peekFloat(place % PAGE_RECORDS, field);
  }

  /** The same for the values that are stored in a byte each. */
  peekByte(place: number, field: number): number {
    return this.pageOf(place).peekByte(place % PAGE_RECORDS, field);
  }

  /** The bytes of a record, valid until the next call. */
  bytesAt(place: number): Uint8Array {
    return this.pageOf(place).at(place % PAGE_RECORDS);
  }

  private pageOf(place: number): Page {
    return (this.pages[(place / PAGE_RECORDS) | 0] ??= new Page());
  }
}
