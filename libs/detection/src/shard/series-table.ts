import { resetRecord } from '../series/reset-record.js';
import { type SeriesRecord } from '../series/series-record.js';
import { ZoneClock } from '../series/zone-clock.js';
import { type SeriesDefinition } from '../types.js';
import { RecordPages } from './record-pages.js';

/** What many series have in common: everything of their definitions but the id. One object for all series alike. */
export interface SeriesProfile extends Omit<SeriesDefinition, 'id'> {
  clock: ZoneClock;
}

/** The series of a shard by id: each has a place, a profile and a record. */
export class SeriesTable {
  private readonly places = new Map<number, number>();
  private readonly profiles: SeriesProfile[] = [];
  private readonly profileIndex = new Map<string, number>();
  private readonly clocks = new Map<string, ZoneClock>();
  private readonly records = new RecordPages();
  private readonly free: number[] = [];
  /** Index of the profile by place. */
  private profileOf = new Uint16Array(64);
  private used = 0;

  get size(): number {
    return this.places.size;
  }

  /** Places ever used: every place is below this. */
  get capacity(): number {
    return this.used;
  }

  /** Place of a series; -1 when it is not known. */
  find(id: number): number {
    return this.places.get(id) ?? -1;
  }

  /** Ids and places, in the order of definition. */
  entries(): IterableIterator<[id: number, place: number]> {
    return this.places.entries();
  }

  profile(place: number): SeriesProfile {
    return this.profiles[this.profileOf[place]!]!;
  }

  /** The record at a place; valid until the record of another place is asked for. */
  record(place: number): SeriesRecord {
    return this.records.open(place);
  }

  /** One of a record's doubles. */
  peek(place: number, field: number): number {
    return this.records.peek(place, field);
  }

  /** The bytes of a record; valid until another record is asked for. */
  bytesOf(place: number): Uint8Array {
    return this.records.bytesAt(place);
  }

  definition(id: number, place: number): SeriesDefinition {
    const { type, aggregation, slotSeconds, timezone } = this.profile(place);
    return { id, type, aggregation, slotSeconds, timezone };
  }

  /** Adds a series with an empty record, or takes over a changed definition. Returns its place. */
  define(definition: SeriesDefinition): number {
    const known = this.places.get(definition.id);
    if (known !== undefined) {
      this.profileOf[known] = this.indexOf(definition);
      return known;
    }
    const place = this.free.pop() ?? this.used++;
    if (place >= this.profileOf.length) {
      const grown = new Uint16Array(this.profileOf.length * 2);
      grown.set(this.profileOf);
      this.profileOf = grown;
    }
    this.profileOf[place] = this.indexOf(definition);
    resetRecord(this.records.open(place));
    this.places.set(definition.id, place);
    return place;
  }

  remove(id: number): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    this.places.delete(id);
    this.free.push(place);
  }

  private indexOf({ type, aggregation, slotSeconds, timezone }: SeriesDefinition): number {
    const key = `${type} ${aggregation} ${slotSeconds} ${timezone}`;
    const known = this.profileIndex.get(key);
    if (known !== undefined) return known;
    const index = this.profiles.length;
    if (index > 0xffff) throw new RangeError('a shard holds at most 65,536 different kinds of series');
    this.profiles.push({ type, aggregation, slotSeconds, timezone, clock: this.clockOf(timezone) });
    this.profileIndex.set(key, index);
    return index;
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
