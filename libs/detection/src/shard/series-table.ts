import { RECORD_BYTES } from '../series/layout.js';
import { resetRecord } from '../series/reset-record.js';
import { type SeriesRecord, viewRecord } from '../series/series-record.js';
import { ZoneClock } from '../series/zone-clock.js';
import { type SeriesDefinition } from '../types.js';

/** Records per page: pages grow the table without copying what is there. */
export const PAGE_RECORDS = 64;

/** A series of a shard: what it is, its record, and marks of the input being applied. */
export interface ShardSeries {
  definition: SeriesDefinition;
  clock: ZoneClock;
  readonly record: SeriesRecord;
  /** Place of the record: page × PAGE_RECORDS + index. */
  readonly place: number;
  /** Input in which the series was last touched, and its latest row among that input's slots. */
  touchedBy: number;
  slotRow: number;
  slotRowSlot: number;
}

/** The series of a shard and the pages their records lie in. */
export class SeriesTable {
  private readonly series = new Map<number, ShardSeries>();
  private readonly clocks = new Map<string, ZoneClock>();
  private readonly pages: ArrayBuffer[] = [];
  private readonly free: number[] = [];
  private used = 0;

  get size(): number {
    return this.series.size;
  }

  get(id: number): ShardSeries | undefined {
    return this.series.get(id);
  }

  all(): IterableIterator<ShardSeries> {
    return this.series.values();
  }

  /** Adds a series with an empty record, or takes over a changed definition. Returns it. */
  define(definition: SeriesDefinition): ShardSeries {
    const known = this.series.get(definition.id);
    if (known !== undefined) {
      known.definition = { ...definition };
      known.clock = this.clockOf(definition.timezone);
      return known;
    }
    const place = this.free.pop() ?? this.used++;
    const page = Math.floor(place / PAGE_RECORDS);
    this.pages[page] ??= new ArrayBuffer(PAGE_RECORDS * RECORD_BYTES);
    const record = viewRecord(this.pages[page], (place % PAGE_RECORDS) * RECORD_BYTES);
    resetRecord(record);
    const added: ShardSeries = {
      definition: { ...definition },
      clock: this.clockOf(definition.timezone),
      record,
      place,
      touchedBy: -1,
      slotRow: -1,
      slotRowSlot: NaN,
    };
    this.series.set(definition.id, added);
    return added;
  }

  remove(id: number): void {
    const known = this.series.get(id);
    if (known === undefined) return;
    this.series.delete(id);
    this.free.push(known.place);
  }

  /** The bytes of a record, as they lie in its page. */
  bytesOf(series: ShardSeries): Uint8Array {
    const page = this.pages[Math.floor(series.place / PAGE_RECORDS)]!;
    return new Uint8Array(page, (series.place % PAGE_RECORDS) * RECORD_BYTES, RECORD_BYTES);
  }

  private clockOf(timezone: string): ZoneClock {
    let clock = this.clocks.get(timezone);
    if (clock === undefined) {
      clock = new ZoneClock(timezone);
      this.clocks.set(timezone, clock);
    }
    return clock;
  }
}
