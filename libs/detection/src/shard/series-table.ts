import { type MetricType } from '#libs/contracts';
import { type Gates, gatesOf } from '../series/anomaly/gates.js';
import { resetRecord } from '../series/reset-record.js';
import { type SeriesRecord } from '../series/record/series-record.js';
import { ZoneClock } from '../series/points/zone-clock.js';
import { type SeriesDefinition, type SeriesTerms } from '../types.js';
import { PAGE_RECORDS, RecordPages } from './record-pages.js';

/** The shared part of the definitions of many series: everything except the id. One object for all equal series. */
export interface SeriesProfile extends Omit<SeriesDefinition, 'id'> {
  mayBeCounter: boolean;
  sensitivity: number;
  gates: Gates;
  clock: ZoneClock;
}

/** Profile of a place without a series. */
const VACANT = 0xffff;

/**
 * The series of a shard by id: each has a place, a profile and a record. Places are grouped in pages of PAGE_RECORDS.
 */
export class SeriesTable {
  private readonly places = new Map<number, number>();
  private readonly profiles: SeriesProfile[] = [];
  private readonly profileIndex = new Map<string, number>();
  private readonly clocks = new Map<string, ZoneClock>();
  private readonly records = new RecordPages();
  private readonly free: number[] = [];
  /** Index of the profile by place. */
  private profileOf = new Uint16Array(64).fill(VACANT);
  private idOf = new Uint32Array(64);
  private used = 0;

  get size(): number {
    return this.places.size;
  }

  /** Number of places that were ever used: every place is below it. */
  get capacity(): number {
    return this.used;
  }

  /** Place of a series; -1 if it is unknown. */
  find(id: number): number {
    return this.places.get(id) ?? -1;
  }

  /** Ids and places, in the order of definition. */
  entries(): IterableIterator<[id: number, place: number]> {
    return this.places.entries();
  }

  /** Ids and places of the series of a page, by place. */
  entriesOfPage(page: number): [id: number, place: number][] {
    const entries: [number, number][] = [];
    const end = Math.min(this.used, (page + 1) * PAGE_RECORDS);
    for (let place = page * PAGE_RECORDS; place < end; place++) {
      if (this.profileOf[place] !== VACANT) entries.push([this.idOf[place]!, place]);
    }
    return entries;
  }

  idAt(place: number): number {
    return this.idOf[place]!;
  }

  profile(place: number): SeriesProfile {
    return this.profiles[this.profileOf[place]!]!;
  }

  /** The record at a place; valid until the record of another place is opened. */
  record(place: number): SeriesRecord {
    return this.records.open(place);
  }

  /** One of a record's doubles. */
  peek(place: number, field: number): number {
    return this.records.peek(place, field);
  }

  /** One of a record's floats. */
  peekFloat(place: number, field: number): number {
    return this.records.peekFloat(place, field);
  }

  /** One of the values of a record that are stored in a byte each. */
  peekByte(place: number, field: number): number {
    return this.records.peekByte(place, field);
  }

  /** The bytes of a record; valid until another record is opened. */
  bytesOf(place: number): Uint8Array {
    return this.records.bytesAt(place);
  }

  definition(id: number, place: number): SeriesDefinition {
    const { type, aggregation, slotSeconds, timezone, mayBeCounter } = this.profile(place);
    const definition = { id, type, aggregation, slotSeconds, timezone, ...termsOf(this.profile(place)) };
    return mayBeCounter ? { ...definition, mayBeCounter } : definition;
  }

  /**
   * Adds a series with an empty record and returns its place. If the series is already known, its aggregation and zone
   * are updated; its type, slots and terms stay, because they change at a position in the stream of points.
   */
  define(definition: SeriesDefinition): number {
    const known = this.places.get(definition.id);
    if (known !== undefined) {
      const { type, mayBeCounter, slotSeconds } = this.profile(known);
      const { aggregation, timezone } = definition;
      const terms = termsOf(this.profile(known));
      this.profileOf[known] = this.indexOf({ type, aggregation, slotSeconds, timezone, mayBeCounter, ...terms });
      return known;
    }
    return this.defineAt(this.free.at(-1) ?? this.used, definition);
  }

  /** Adds a new series at a vacant place. */
  defineAt(place: number, definition: SeriesDefinition): number {
    this.makeRoom(place);
    for (; this.used < place; this.used++) this.free.push(this.used);
    if (place === this.used) this.used++;
    else if (this.free.at(-1) === place) this.free.pop();
    else this.free.splice(this.free.indexOf(place), 1);
    this.profileOf[place] = this.indexOf(definition);
    this.idOf[place] = definition.id;
    resetRecord(this.records.open(place), definition.periodSeconds);
    this.places.set(definition.id, place);
    return place;
  }

  /** Sets another type of the series at a place from here on; the type was set explicitly. */
  retype(place: number, type: MetricType): void {
    this.profileOf[place] = this.indexOf({ ...this.profile(place), type, mayBeCounter: false });
  }

  /** Sets another slot length of the series at a place from here on. */
  reslot(place: number, slotSeconds: number): void {
    this.profileOf[place] = this.indexOf({ ...this.profile(place), slotSeconds });
  }

  /** Sets other terms of the series at a place from here on. */
  reterm(place: number, terms: SeriesTerms): void {
    const { type, aggregation, slotSeconds, timezone, mayBeCounter } = this.profile(place);
    const own = termsOf(terms);
    this.profileOf[place] = this.indexOf({ type, aggregation, slotSeconds, timezone, mayBeCounter, ...own });
  }

  remove(id: number): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    this.places.delete(id);
    this.profileOf[place] = VACANT;
    this.free.push(place);
  }

  private makeRoom(place: number): void {
    if (place < this.profileOf.length) return;
    const length = Math.max(place + 1, this.profileOf.length * 2);
    const profiles = new Uint16Array(length).fill(VACANT);
    profiles.set(this.profileOf);
    this.profileOf = profiles;
    const ids = new Uint32Array(length);
    ids.set(this.idOf);
    this.idOf = ids;
  }

  private indexOf(definition: Omit<SeriesDefinition, 'id'>): number {
    const { type, aggregation, slotSeconds, timezone, mayBeCounter = false } = definition;
    const { sensitivity = 1 } = definition;
    const terms = termsOf(definition);
    const key = [type, aggregation, slotSeconds, timezone, mayBeCounter, JSON.stringify(terms)].join(' ');
    const known = this.profileIndex.get(key);
    if (known !== undefined) return known;
    const index = this.profiles.length;
    if (index >= VACANT) throw new RangeError('a shard holds at most 65,535 different kinds of series');
    const own = { type, aggregation, slotSeconds, timezone, mayBeCounter, ...terms };
    const judgedBy = { sensitivity, gates: gatesOf(definition), clock: this.clockOf(timezone) };
    this.profiles.push({ ...own, ...judgedBy });
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

/** Only the terms, in a fixed order and without defaults: equal terms have equal texts. */
function termsOf(terms: SeriesTerms): SeriesTerms {
  const { sensitivity = 1, budgetPerMonth, direction, kinds, periodSeconds } = terms;
  const { leastSeconds = 0, leastSize = 0 } = terms;
  return {
    ...(sensitivity !== 1 && { sensitivity }),
    ...(budgetPerMonth !== undefined && { budgetPerMonth }),
    ...(direction !== undefined && { direction }),
    ...(kinds !== undefined && { kinds }),
    ...(leastSeconds > 0 && { leastSeconds }),
    ...(leastSize > 0 && { leastSize }),
    ...(periodSeconds !== undefined && { periodSeconds }),
  };
}
