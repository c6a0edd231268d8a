import { METRIC_TYPES } from '#libs/contracts';
import { analysedValue } from '../series/points/analysed-value.js';
import { looksLikeCounter } from '../series/points/counter-signs.js';
import { isUnreported, reportedEvent } from '../series/anomaly/gates.js';
import { B, F } from '../series/record/layout.js';
import { restartAsOtherType, restartInOtherPeriod } from '../series/reset-record.js';
import { SeriesDetector, WARM_UP_POINTS } from '../series/series-detector.js';
import { type SeriesRecord } from '../series/record/series-record.js';
import { closeWhatIsOpen, crossGap, endSeries, isLongSilent, watchSilence } from '../series/silence.js';
import {
  type AnomalyEvent,
  type ProgressColumns,
  type SavedPage,
  type SeriesDefinition,
  SERIES_ERASED,
  SERIES_SLOTS,
  SERIES_TERMS,
  type SeriesProgress,
  type SeriesTerms,
  type ShardInput,
  type ShardOutput,
} from '../types.js';
import { History, learnHistory } from './history.js';
import { InputOrder } from './input-order.js';
import { PageLedger } from './page-ledger.js';
import { progressAt, progressColumns } from './progress.js';
import { PAGE_RECORDS } from './record-pages.js';
import { type SeriesProfile, SeriesTable } from './series-table.js';
import { addPoint, restartInOtherAggregation, restartInOtherSlots, slotOf, slotValue } from './slots.js';
import {
  type KeptDefinition,
  readDefinitionsOf,
  readEntries,
  readSnapshot,
  writePage,
  writeSnapshot,
} from './snapshot.js';
import { TouchedPlaces } from './touched-places.js';

/** A pace of at least this share of the slot still counts as one point per slot, because clocks jitter. */
const ONE_PER_SLOT = 0.9;
/**
 * With fewer points, a restarted series learns as much from new ones. Prometheus sends the types of thousands of series
 * within the first minute.
 */
const WORTH_RELEARNING = 10;
/** Timestamps later than year 9999 or before the epoch are invalid. */
const LAST_TIMESTAMP = 253_402_300_800;
/** A slot that is completed this long after its end is history: its values do not cause an alert. */
const HISTORY_AFTER_SECONDS = 3600;
/**
 * The row is omitted: its series is unknown; its value or timestamp is invalid; the page of its series has already
 * processed it.
 */
const UNKNOWN = -1;
const UNUSABLE = -2;
const ALREADY_PROCESSED = -3;

/**
 * Detection for a set of series: it receives points, and returns slot values and anomaly events. Deterministic: the
 * same inputs in the same order give the same outputs, also across snapshot and restore. Not safe for concurrent use by
 * several threads.
 *
 * A shard is saved one page at a time, each page with the position of the last input that it has processed. After a
 * restart the pages are restored and the inputs after `replayAfter` are applied again; a page skips inputs that it has
 * already processed.
 */
export class DetectionShard {
  private events: AnomalyEvent[] = [];
  private readonly note = (event: AnomalyEvent): void => {
    this.events.push(event);
  };
  private readonly detector = new SeriesDetector(this.note);
  private readonly order = new InputOrder();
  private readonly touched = new TouchedPlaces();
  private readonly pages = new PageLedger();
  private scored = 0;
  private counters: number[] = [];
  private hasUrgentProgress = false;
  /** Time of the last input, Unix seconds. */
  private now = NaN;
  /** Position of the last applied input; before the first one, the position after which reading starts. */
  private position = 0;
  /**
   * Largest position of a restored page, and for each place the position up to which its series has been processed;
   * empty when the replay is over.
   */
  private replayUntil = 0;
  private processedUntil = new Float64Array(0);

  constructor(private readonly table: SeriesTable = new SeriesTable()) {
    for (const [, place] of table.entries()) this.changed(place, 0);
  }

  /** Series defined. */
  get size(): number {
    return this.table.size;
  }

  /**
   * Defines a series. If it is already defined, aggregation and zone are updated, and its learnt state stays. Type,
   * slots and terms also stay: they change by a `define` input, so that a replay applies the change at the same point.
   */
  define(series: SeriesDefinition): void {
    const known = this.table.find(series.id);
    const profile = known < 0 ? undefined : this.table.profile(known);
    const place = this.table.define(series);
    if (profile !== undefined && profile.aggregation !== series.aggregation) {
      restartInOtherAggregation(this.table.record(place), profile.aggregation, series.aggregation, profile.slotSeconds);
    }
    if (known < 0 && place < this.processedUntil.length) this.processedUntil[place] = 0;
    if (this.table.profile(place) !== profile) this.changed(place, this.position);
  }

  /** Forgets a series; its later points are unknown. */
  remove(id: number): void {
    const place = this.table.find(id);
    if (place < 0) return;
    this.changed(place, this.position);
    this.touched.drop(place);
    this.table.remove(id);
  }

  has(id: number): boolean {
    return this.table.find(id) >= 0;
  }

  /**
   * Applies points in order of arrival (`live`, `backfill`), a moment without points (`tick`: silence is detected,
   * slots that waited for more points are scored), or new types and slots (`define`: the model is relearnt). A value
   * of NaN means that the series has ended: its silence has no meaning until it sends again. Points of unknown series,
   * infinite values and impossible timestamps are skipped and counted. Throws RangeError if the columns differ in
   * length; no value makes it throw.
   */
  apply(input: ShardInput): ShardOutput {
    const { ids, timestamps, values } = input;
    if (timestamps.length !== ids.length || values.length !== ids.length) {
      throw new RangeError(`${ids.length} ids, ${timestamps.length} timestamps and ${values.length} values`);
    }
    const position = input.position ?? this.position + 1;
    // An input may combine several successive ones: all of them are after the last one.
    const before = Math.min(this.position, position - 1);
    this.events = [];
    this.counters = [];
    this.hasUrgentProgress = false;
    this.now = input.now;
    this.scored = 0;
    let slots = noSlots();
    let skipped = { unknown: 0, unusable: 0 };
    if (input.kind === 'define') this.redefine(input, position, before);
    else ({ slots, skipped } = this.applyPoints(input, position, before));
    if (input.kind === 'tick') this.tick(input.now, position, before);
    this.position = Math.max(this.position, position);
    if (this.position >= this.replayUntil) this.processedUntil = NO_REPLAY;
    return {
      ...(input.position === undefined ? {} : { position: input.position }),
      kind: input.kind,
      now: input.now,
      slots,
      events: this.events,
      counters: this.counters,
      hasUrgentProgress: this.hasUrgentProgress,
      scored: this.scored,
      skipped,
    };
  }

  /** Progress of the learning of a series; undefined if the series is not known. */
  progress(id: number): SeriesProgress | undefined {
    const place = this.table.find(id);
    return place < 0 ? undefined : progressAt(this.table, place);
  }

  /**
   * Progress of series that received points since their progress was last read: all series with other news than a
   * value, up to `mostNew` that received their first point, and up to `most` others, in the order of their waiting
   * time.
   */
  drainProgress(most = Infinity, mostNew = Infinity): ProgressColumns {
    return progressColumns(this.table, this.touched.take(most, mostNew));
  }

  /**
   * Number of series that received points since their progress was last read; `fresh`: those that received their first.
   */
  get waitingProgress(): { all: number; fresh: number } {
    return { all: this.touched.size, fresh: this.touched.sizeNew };
  }

  /** Pages that have changed since they were saved or restored. */
  get changedPages(): number {
    return this.pages.changedPages;
  }

  /**
   * The page with the oldest unsaved change, as bytes; null if all changes are saved. The page counts as saved from
   * here on. Call it only after all inputs that a restored page has processed have been replayed.
   */
  savePage(): SavedPage | null {
    const page = this.pages.oldest;
    if (page === undefined) return null;
    const from = page * PAGE_RECORDS;
    const progress = progressColumns(this.table, this.touched.takeRange(from, from + PAGE_RECORDS));
    const bytes = writePage(this.table, page);
    this.pages.saved(page);
    return { page, position: this.position, series: this.table.entriesOfPage(page).length, bytes, progress };
  }

  /** After a restart from the pages saved so far, the inputs after this position must be applied again. */
  get replayAfter(): number {
    return Math.min(this.position, this.pages.replayAfter);
  }

  /** For an empty shard: its inputs will start after this position. */
  resumeAfter(position: number): void {
    this.position = position;
  }

  /** Restores a saved page. Throws SnapshotFormatError, without any change. */
  restorePage(page: number, position: number, bytes: Uint8Array): void {
    this.placePage(page, position, readEntries(bytes));
  }

  /**
   * Defines the series of a page that `restorePage` has refused, without their learnt state: they wait for their
   * history. Returns their number; throws SnapshotFormatError if not even the definitions are readable.
   */
  relearnPage(page: number, position: number, bytes: Uint8Array): number {
    const definitions = readDefinitionsOf(bytes);
    this.placePage(
      page,
      position,
      definitions.map((definition) => ({ definition, record: null })),
    );
    return definitions.length;
  }

  /** Up to `most` series that wait for their stored points. */
  awaitingHistory(most: number): SeriesDefinition[] {
    const waiting: SeriesDefinition[] = [];
    for (const [id, place] of this.table.entries()) {
      if (waiting.length >= most) break;
      if (this.table.peekByte(place, B.awaitsHistory) !== History.none) waiting.push(this.table.definition(id, place));
    }
    return waiting;
  }

  /**
   * Teaches a series its stored slots (Unix seconds, ascending; raw values), as if it had processed them at their time;
   * points received in the meantime stay. Past events are not reported. Once for each waiting series; has no effect on
   * others.
   */
  takeHistory(id: number, timestamps: Float64Array, values: Float64Array): void {
    const place = this.table.find(id);
    if (place < 0 || this.table.peekByte(place, B.awaitsHistory) === History.none) return;
    this.changed(place, this.position);
    this.touched.addFirst(place);
    learnHistory(this.table.record(place), this.table.profile(place), timestamps, values);
  }

  private placePage(
    page: number,
    position: number,
    entries: readonly { definition: KeptDefinition; record: Uint8Array | null }[],
  ): void {
    if (entries.length > PAGE_RECORDS) throw new RangeError(`a page of ${entries.length} series`);
    const end = (page + 1) * PAGE_RECORDS;
    if (this.processedUntil.length < end) {
      const grown = new Float64Array(Math.max(end, this.processedUntil.length * 2));
      grown.set(this.processedUntil);
      this.processedUntil = grown;
    }
    entries.forEach(({ definition, record }, index) => {
      const known = this.table.find(definition.id);
      // A series that has moved stays in the page of its old place until that page is saved again.
      if (known >= 0 && this.processedUntil[known]! >= position) return;
      if (known >= 0) this.table.remove(definition.id);
      const place = this.table.defineAt(page * PAGE_RECORDS + index, definition);
      this.processedUntil[place] = position;
      if (record !== null) this.table.bytesOf(place).set(record);
      else {
        const { b } = this.table.record(place);
        b[B.awaitsHistory] = History.earlier;
        b[B.onlyHistory] = definition.onlyHistory === true ? 1 : 0;
        this.changed(place, position);
      }
    });
    this.replayUntil = Math.max(this.replayUntil, position);
  }

  /** The whole state as bytes: format in snapshot.ts. */
  snapshot(): Uint8Array {
    return writeSnapshot(this.table);
  }

  /** Restores a shard from a snapshot: it continues as if it had never stopped. Throws SnapshotFormatError. */
  static restore(bytes: Uint8Array): DetectionShard {
    return new DetectionShard(readSnapshot(bytes));
  }

  private applyPoints(
    input: ShardInput,
    position: number,
    before: number,
  ): { slots: ShardOutput['slots']; skipped: Skipped } {
    const { ids, timestamps, values } = input;
    const { order, table } = this;
    const skipped = { unknown: 0, unusable: 0 };
    order.arrange(ids.length, table.capacity, (row) => {
      const place = this.placeFor(ids[row]!, timestamps[row]!, values[row]!, position);
      if (place === UNKNOWN) skipped.unknown++;
      else if (place === UNUSABLE) skipped.unusable++;
      return place;
    });
    const isBackfill = input.kind === 'backfill';
    const slots = {
      ids: new Uint32Array(order.rows),
      timestamps: new Float64Array(order.rows),
      values: new Float64Array(order.rows),
    };
    let rows = 0;
    let current = -1;
    let currentSlot = NaN;
    for (let i = 0; i < order.rows; i++) {
      const row = order.order[i]!;
      const place = order.place(row);
      const id = ids[row]!;
      const timestamp = timestamps[row]!;
      const value = values[row]!;
      if (place !== current) {
        current = place;
        currentSlot = NaN;
        this.changed(place, before);
      }
      if (Number.isNaN(value)) {
        if (table.peek(place, F.points) > 0) this.touched.addFirst(place);
        this.end(id, place, timestamp, isBackfill);
        continue;
      }
      // The duration of an anomaly determines its messages.
      if (table.peekByte(place, B.open) === 0) this.touched.add(place);
      else this.touched.addFirst(place);
      const slot = slotOf(timestamp, table.profile(place).slotSeconds);
      const stored = this.take(id, place, slot, timestamp, value, isBackfill);
      if (slot !== currentSlot) {
        currentSlot = slot;
        rows++;
      }
      slots.ids[rows - 1] = id;
      slots.timestamps[rows - 1] = slot;
      slots.values[rows - 1] = stored;
    }
    return {
      slots: {
        ids: slots.ids.slice(0, rows),
        timestamps: slots.timestamps.slice(0, rows),
        values: slots.values.slice(0, rows),
      },
      skipped,
    };
  }

  /** Place of the series of a point; negative if the point is omitted. */
  private placeFor(id: number, timestamp: number, value: number, position: number): number {
    const place = this.table.find(id);
    if (place < 0) return UNKNOWN;
    if (this.hasProcessed(place, position)) return ALREADY_PROCESSED;
    if (!(timestamp >= 0 && timestamp < LAST_TIMESTAMP) || Math.abs(value) === Infinity) return UNUSABLE;
    return place;
  }

  /** True if the page from which the record at a place was restored has already processed an input. */
  private hasProcessed(place: number, position: number): boolean {
    return place < this.processedUntil.length && position <= this.processedUntil[place]!;
  }

  /** Records that the record at a place is about to change, by an input after `before`. */
  private changed(place: number, before: number): void {
    this.pages.note((place / PAGE_RECORDS) | 0, before);
  }

  private redefine({ ids, timestamps, values, terms }: ShardInput, position: number, before: number): void {
    for (let row = 0; row < ids.length; row++) {
      const id = ids[row]!;
      const place = this.table.find(id);
      if (place < 0 || this.hasProcessed(place, position)) continue;
      this.changed(place, before);
      if (values[row] === SERIES_ERASED) {
        this.touched.drop(place);
        this.table.remove(id);
        continue;
      }
      if (values[row] === SERIES_TERMS) {
        this.retermed(id, place, timestamps[row] === 0 ? {} : terms?.get(timestamps[row]!));
        continue;
      }
      const type = METRIC_TYPES[values[row]!];
      const slots = values[row] === SERIES_SLOTS ? timestamps[row]! : 0;
      if (type === undefined && !(slots >= 1)) continue;
      const record = this.table.record(place);
      const { slotSeconds, aggregation } = this.table.profile(place);
      this.closeOpen(id, place, record, slotSeconds);
      restartAsOtherType(record);
      if (type === undefined) {
        restartInOtherSlots(record, aggregation, slots);
        this.table.reslot(place, slots);
      } else {
        this.table.retype(place, type);
        this.relearn(record);
      }
      this.touched.addFirst(place);
    }
  }

  /** Applies other terms to the series from here on; undefined: the terms are unknown, and stay unchanged. */
  private retermed(id: number, place: number, terms: SeriesTerms | undefined): void {
    if (terms === undefined) return;
    const { slotSeconds, periodSeconds } = this.table.profile(place);
    this.table.reterm(place, terms);
    if (terms.periodSeconds === periodSeconds) return;
    const record = this.table.record(place);
    this.closeOpen(id, place, record, slotSeconds);
    restartInOtherPeriod(record, terms.periodSeconds);
    this.relearn(record);
    this.touched.addFirst(place);
  }

  /** Makes a restarted record wait for its stored points, unless the series has just begun. */
  private relearn({ f, b }: SeriesRecord): void {
    if (f[F.points]! >= WORTH_RELEARNING) b[B.awaitsHistory] = History.all;
  }

  private closeOpen(id: number, place: number, record: SeriesRecord, slotSeconds: number): void {
    const wasUnreported = isUnreported(record);
    const event = closeWhatIsOpen(record, slotSeconds, id);
    this.report(reportedEvent(record, event, this.table.profile(place).gates, this.now, wasUnreported));
  }

  /** Stores a point in its slot and scores completed slots; returns the slot's stored value. */
  private take(id: number, place: number, slot: number, timestamp: number, value: number, backfill: boolean): number {
    const record = this.table.record(place);
    const { f, b } = record;
    const profile = this.table.profile(place);
    const { aggregation, slotSeconds } = profile;
    const isNewSlot = !(slot <= f[F.newestSlot]!);
    if (this.hasReturned(record, timestamp)) this.noteUrgentProgress(place);
    const wasOnlyHistory = b[B.onlyHistory] === 1;
    // A series that waits for its history has received points before.
    if (backfill && Number.isNaN(f[F.newestPoint]!) && b[B.awaitsHistory] === History.none) b[B.onlyHistory] = 1;
    if (isNewSlot) {
      this.scorePending(id, record, profile, timestamp, backfill);
      crossGap(record, profile.gates, slot, slotSeconds, id, backfill, this.note);
      f[F.newestSlot] = slot;
      f[F.points] = f[F.points]! + 1;
      if (f[F.points] === 1) {
        this.hasUrgentProgress = true;
        this.touched.addNew(place);
      }
    }
    // After the gap was judged: the gap between history and the first live point is not silence.
    if (wasOnlyHistory && !backfill) {
      b[B.onlyHistory] = 0;
      this.noteUrgentProgress(place);
    }
    // Also within the slot in which the series had ended.
    if (timestamp > f[F.newestPoint]!) {
      b[B.ended] = 0;
      b[B.arrivedLate] = backfill ? 1 : 0;
    }
    if (!(slot >= f[F.firstTimestamp]!)) f[F.firstTimestamp] = slot;
    const stored = addPoint(record, aggregation, slotSeconds, timestamp, value);
    if (slot === f[F.newestSlot]) f[F.lastRaw] = stored;
    if (isNewSlot && f[F.resolution]! >= ONE_PER_SLOT * slotSeconds) {
      this.scorePending(id, record, profile, timestamp, backfill);
    }
    return stored;
  }

  private noteUrgentProgress(place: number): void {
    this.hasUrgentProgress = true;
    this.touched.addFirst(place);
  }

  /** True if a point ends a silence: the series was reported as stale, and no longer is. */
  private hasReturned({ f, b }: SeriesRecord, timestamp: number): boolean {
    const newest = f[F.newestPoint]!;
    const usual = f[F.resolution]! || 0;
    const wasSilent = b[B.ended] === 1 || isLongSilent(this.now - newest, usual);
    return wasSilent && timestamp > newest && !isLongSilent(this.now - timestamp, usual);
  }

  private end(id: number, place: number, timestamp: number, backfill: boolean): void {
    const record = this.table.record(place);
    const profile = this.table.profile(place);
    this.scorePending(id, record, profile, timestamp, backfill);
    const wasUnreported = isUnreported(record);
    const event = endSeries(record, timestamp, profile.slotSeconds, id);
    this.report(reportedEvent(record, event, profile.gates, timestamp, wasUnreported));
  }

  /**
   * Scores the newest slot, unless it was already scored, when `timestamp` is reached. The last slot of history is
   * history, even if a tick or a live point completes it.
   */
  private scorePending(
    id: number,
    record: SeriesRecord,
    profile: SeriesProfile,
    timestamp: number,
    backfill: boolean,
  ): void {
    const { f } = record;
    const { aggregation, slotSeconds, type } = profile;
    const slot = f[F.newestSlot]!;
    if (Number.isNaN(slot) || slot <= f[F.analysedSlot]!) return;
    f[F.analysedSlot] = slot;
    const raw = slotValue(record, aggregation, slotSeconds, slot);
    if (!Number.isFinite(raw)) return;
    if (profile.mayBeCounter && type === 'gauge' && looksLikeCounter(record, slot, raw)) this.counters.push(id);
    const value = analysedValue(record, type, slot, raw, slotSeconds, f[F.resolution]!);
    if (Number.isNaN(value)) return;
    const isHistory =
      backfill || record.b[B.onlyHistory] === 1 || timestamp - slot - 2 * slotSeconds > HISTORY_AFTER_SECONDS;
    this.detector.score(record, profile, slot, value, id, isHistory);
    this.scored++;
    if (f[F.count] === WARM_UP_POINTS) this.noteUrgentProgress(this.table.find(id));
  }

  private tick(now: number, position: number, before: number): void {
    const { table } = this;
    for (const [id, place] of table.entries()) {
      if (this.hasProcessed(place, position)) continue;
      const { slotSeconds } = table.profile(place);
      const newestSlot = table.peek(place, F.newestSlot);
      // A slot is over one slot after its end: late points have had time to arrive.
      const isOver = newestSlot > table.peek(place, F.analysedSlot) && newestSlot + 2 * slotSeconds <= now;
      if (!isOver && !isLongSilent(now - table.peek(place, F.newestPoint), table.peek(place, F.resolution))) continue;
      this.changed(place, before);
      const record = table.record(place);
      if (isOver) this.scorePending(id, record, table.profile(place), now, false);
      if (isCatchingUp(record, now)) continue;
      const wasUnreported = isUnreported(record);
      const event = watchSilence(record, now, slotSeconds, id, false);
      this.report(reportedEvent(record, event, table.profile(place).gates, now, wasUnreported));
    }
  }

  private report(event: AnomalyEvent | null): void {
    if (event !== null) this.events.push(event);
  }
}

/**
 * Old points have arrived since the last tick: the sender was cut off and sends its stored points, so it is not silent.
 */
function isCatchingUp({ f, b }: SeriesRecord, now: number): boolean {
  const hasCome = b[B.arrivedLate] === 1;
  b[B.arrivedLate] = 0;
  return hasCome && now - f[F.newestPoint]! > HISTORY_AFTER_SECONDS;
}

type Skipped = NonNullable<ShardOutput['skipped']>;

const NO_REPLAY = new Float64Array(0);

/** Returns new arrays, because columns may move to another thread. */
const noSlots = (): ShardOutput['slots'] => ({
  ids: new Uint32Array(0),
  timestamps: new Float64Array(0),
  values: new Float64Array(0),
});
