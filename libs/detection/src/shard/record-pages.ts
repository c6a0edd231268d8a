import { FLOATS_FROM, HOT_BYTES, RECORD_BYTES, SMALL_FROM } from '../series/record/layout.js';
import { type SeriesRecord, viewRecord } from '../series/record/series-record.js';

/** Records per page: pages grow the store without copying existing ones, and are saved one by one. */
export const PAGE_RECORDS = 256;

/**
 * Records at rest, and one at work. Typed-array views cost more memory than a small record, so only the first place of a
 * page has views: the hot part of the current record is moved there and moved back when another one is wanted. The cold part
 * stays where it is.
 */
class Page {
  private readonly bytes: Uint8Array;
  private readonly doubles: Float64Array;
  private readonly floats: Float32Array;
  private readonly small: Int8Array;
  private readonly atWork: SeriesRecord;
  /** Record at work; -1 for none. */
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

  /** The bytes of a record where it rests. */
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

/** First byte of a record where it rests: after the place of the one at work. */
function placeOf(index: number): number {
  return HOT_BYTES + index * RECORD_BYTES;
}

/** Records of fixed size by place (0, 1, 2, …). */
export class RecordPages {
  private readonly pages: Page[] = [];

  /**
   * The record at a place, to read and to write. The views are valid until the next call, for whichever place: another
   * record may then lie under them.
   */
  open(place: number): SeriesRecord {
    return this.pageOf(place).open(place % PAGE_RECORDS);
  }

  /** One of a record's doubles, without moving the record. */
  peek(place: number, field: number): number {
    return this.pageOf(place).peek(place % PAGE_RECORDS, field);
  }

  /** The same of its floats. */
  peekFloat(place: number, field: number): number {
    return this.pageOf(place).peekFloat(place % PAGE_RECORDS, field);
  }

  /** The same of what is numbers in a byte each. */
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
