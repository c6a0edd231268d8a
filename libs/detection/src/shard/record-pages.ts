import { RECORD_BYTES } from '../series/layout.js';
import { type SeriesRecord, viewRecord } from '../series/series-record.js';

/** Records per page: pages grow the store without copying what is there, and are saved one by one. */
export const PAGE_RECORDS = 256;
const DOUBLES_PER_RECORD = RECORD_BYTES / 8;

/**
 * Records at rest, and one at work. Typed-array views cost more memory than a small record, so only the first place of a
 * page has views: the record in use is moved there and moved back when another one is wanted.
 */
class Page {
  private readonly bytes: Uint8Array;
  private readonly doubles: Float64Array;
  private readonly atWork: SeriesRecord;
  /** Record at work; -1 for none. */
  private current = -1;

  constructor() {
    const buffer = new ArrayBuffer((PAGE_RECORDS + 1) * RECORD_BYTES);
    this.bytes = new Uint8Array(buffer);
    this.doubles = new Float64Array(buffer);
    this.atWork = viewRecord(buffer, 0);
  }

  open(index: number): SeriesRecord {
    if (this.current !== index) {
      this.rest();
      const from = (index + 1) * RECORD_BYTES;
      this.bytes.copyWithin(0, from, from + RECORD_BYTES);
      this.current = index;
    }
    return this.atWork;
  }

  peek(index: number, field: number): number {
    return this.doubles[(index === this.current ? 0 : index + 1) * DOUBLES_PER_RECORD + field]!;
  }

  /** The bytes of a record where it rests. */
  at(index: number): Uint8Array {
    this.rest();
    return this.bytes.subarray((index + 1) * RECORD_BYTES, (index + 2) * RECORD_BYTES);
  }

  private rest(): void {
    if (this.current < 0) return;
    this.bytes.copyWithin((this.current + 1) * RECORD_BYTES, 0, RECORD_BYTES);
    this.current = -1;
  }
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

  /** The bytes of a record, valid until the next call. */
  bytesAt(place: number): Uint8Array {
    return this.pageOf(place).at(place % PAGE_RECORDS);
  }

  private pageOf(place: number): Page {
    return (this.pages[(place / PAGE_RECORDS) | 0] ??= new Page());
  }
}
