import { analysedValue } from '../series/analysed-value.js';
import { F } from '../series/layout.js';
import { seasonalPeriods, seasonReadiness } from '../series/season.js';
import { SeriesDetector, WARM_UP_POINTS } from '../series/series-detector.js';
import { type SeriesRecord } from '../series/series-record.js';
import { crossGap, endSeries, isLongSilent, watchSilence } from '../series/silence.js';
import {
  type AnomalyEvent,
  type SeriesDefinition,
  type SeriesProgress,
  type ShardInput,
  type ShardOutput,
} from '../types.js';
import { type SeriesProfile, SeriesTable } from './series-table.js';
import { addPoint, slotOf, slotValue } from './slots.js';
import { readSnapshot, writeSnapshot } from './snapshot.js';

/** A pace this much faster than the slot still counts as one point per slot: clocks jitter. */
const ONE_PER_SLOT = 0.9;
/** Later than year 9999 or before the epoch: not a timestamp. */
const LAST_TIMESTAMP = 253_402_300_800;

/**
 * Detection for a set of series: points in, slot values and anomaly events out. Deterministic: the same inputs in the
 * same order give the same outputs, also across snapshot and restore. Not safe for use by several threads at once.
 */
export class DetectionShard {
  private events: AnomalyEvent[] = [];
  private readonly note = (event: AnomalyEvent): void => {
    this.events.push(event);
  };
  private readonly detector = new SeriesDetector(this.note);
  private scored = 0;
  /** Row of the output and slot of each place in the input being applied: the latest row of a series takes its next value. */
  private rowOf = new Int32Array(64);
  private slotOfRow = new Float64Array(64);
  private inputOf = new Float64Array(64);
  private inputs = 0;

  constructor(private readonly table: SeriesTable = new SeriesTable()) {}

  /** Series defined. */
  get size(): number {
    return this.table.size;
  }

  /** Makes a series known. Again: type, aggregation, slot and zone are taken over, what was learnt stays. */
  define(series: SeriesDefinition): void {
    this.table.define(series);
  }

  /** Forgets a series; its later points are unknown. */
  remove(id: number): void {
    this.table.remove(id);
  }

  has(id: number): boolean {
    return this.table.find(id) >= 0;
  }

  /**
   * Applies points in order of arrival (`live`, `backfill`) or a moment without points (`tick`: silence is seen, slots
   * that waited for more points are scored). A value of NaN says that the series has ended: its silence means nothing
   * until it sends again. Points of unknown series, infinite values and impossible timestamps are left out and counted. Throws RangeError when the columns differ in length; nothing about values makes it throw.
   */
  apply(input: ShardInput): ShardOutput {
    const { ids, timestamps, values } = input;
    if (timestamps.length !== ids.length || values.length !== ids.length) {
      throw new RangeError(`${ids.length} ids, ${timestamps.length} timestamps and ${values.length} values`);
    }
    this.events = [];
    this.scored = 0;
    this.inputs++;
    this.makeRoom();
    const touchedIds: number[] = [];
    const touchedPlaces: number[] = [];
    const slots = {
      ids: new Uint32Array(ids.length),
      timestamps: new Float64Array(ids.length),
      values: new Float64Array(ids.length),
    };
    let rows = 0;
    let unknown = 0;
    let unusable = 0;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!;
      const place = this.table.find(id);
      const timestamp = timestamps[i]!;
      if (place < 0) {
        unknown++;
        continue;
      }
      const value = values[i]!;
      if (!(timestamp >= 0 && timestamp < LAST_TIMESTAMP) || Math.abs(value) === Infinity) {
        unusable++;
        continue;
      }
      if (Number.isNaN(value)) {
        this.end(id, place, timestamp, input.kind === 'backfill');
        continue;
      }
      if (this.inputOf[place] !== this.inputs) {
        this.inputOf[place] = this.inputs;
        this.slotOfRow[place] = NaN;
        touchedIds.push(id);
        touchedPlaces.push(place);
      }
      const slot = slotOf(timestamp, this.table.profile(place).slotSeconds);
      const stored = this.take(id, place, slot, timestamp, value, input.kind === 'backfill');
      if (this.slotOfRow[place] !== slot) {
        this.rowOf[place] = rows++;
        this.slotOfRow[place] = slot;
      }
      const row = this.rowOf[place]!;
      slots.ids[row] = id;
      slots.timestamps[row] = slot;
      slots.values[row] = stored;
    }
    if (input.kind === 'tick') this.tick(input.now);
    return {
      slots: {
        ids: slots.ids.slice(0, rows),
        timestamps: slots.timestamps.slice(0, rows),
        values: slots.values.slice(0, rows),
      },
      events: this.events,
      progress: touchedPlaces.map((place, i) => this.progressOf(touchedIds[i]!, place)),
      scored: this.scored,
      skipped: { unknown, unusable },
    };
  }

  /** The whole state as bytes: format in snapshot.ts. */
  snapshot(): Uint8Array {
    return writeSnapshot(this.table);
  }

  /** The shard a snapshot was taken of: it goes on as if it had never stopped. Throws SnapshotFormatError. */
  static restore(bytes: Uint8Array): DetectionShard {
    return new DetectionShard(readSnapshot(bytes));
  }

  /** Stores a point in its slot and scores what became complete; returns the slot's stored value. */
  private take(id: number, place: number, slot: number, timestamp: number, value: number, backfill: boolean): number {
    const record = this.table.record(place);
    const { f } = record;
    const profile = this.table.profile(place);
    const { aggregation, slotSeconds } = profile;
    const isNewSlot = !(slot <= f[F.newestSlot]!);
    if (isNewSlot) {
      this.scorePending(id, record, profile, backfill);
      crossGap(record, slot, slotSeconds, id, backfill, this.note);
      f[F.newestSlot] = slot;
      f[F.points] = f[F.points]! + 1;
    }
    if (!(slot >= f[F.firstTimestamp]!)) f[F.firstTimestamp] = slot;
    const stored = addPoint(f, aggregation, slotSeconds, timestamp, value);
    if (slot === f[F.newestSlot]) f[F.lastRaw] = stored;
    if (isNewSlot && f[F.resolution]! >= ONE_PER_SLOT * slotSeconds) this.scorePending(id, record, profile, backfill);
    return stored;
  }

  private end(id: number, place: number, timestamp: number, backfill: boolean): void {
    const record = this.table.record(place);
    const profile = this.table.profile(place);
    this.scorePending(id, record, profile, backfill);
    const event = endSeries(record, timestamp, profile.slotSeconds, id);
    if (event !== null) this.note(event);
  }

  /** Scores the newest slot unless it has been. */
  private scorePending(id: number, record: SeriesRecord, profile: SeriesProfile, backfill: boolean): void {
    const { f } = record;
    const { aggregation, slotSeconds, type } = profile;
    const slot = f[F.newestSlot]!;
    if (Number.isNaN(slot) || slot <= f[F.analysedSlot]!) return;
    f[F.analysedSlot] = slot;
    const raw = slotValue(f, aggregation, slotSeconds, slot);
    if (!Number.isFinite(raw)) return;
    const value = analysedValue(f, type, slot, raw, slotSeconds, f[F.resolution]!);
    if (Number.isNaN(value)) return;
    this.detector.score(record, profile.clock, slot, value, id, backfill);
    this.scored++;
  }

  private tick(now: number): void {
    const { table } = this;
    for (const [id, place] of table.entries()) {
      const { slotSeconds } = table.profile(place);
      const newestSlot = table.peek(place, F.newestSlot);
      // A slot is over when its end is a slot ago: late points had their chance.
      const isOver = newestSlot > table.peek(place, F.analysedSlot) && newestSlot + 2 * slotSeconds <= now;
      if (!isOver && !isLongSilent(now - table.peek(place, F.newestPoint), table.peek(place, F.resolution))) continue;
      const record = table.record(place);
      if (isOver) this.scorePending(id, record, table.profile(place), false);
      const event = watchSilence(record, now, slotSeconds, id, false);
      if (event !== null) this.note(event);
    }
  }

  /** Read where the record rests: moving it again for this would cost as much as scoring it. */
  private progressOf(id: number, place: number): SeriesProgress {
    const { table } = this;
    const resolution = table.peek(place, F.resolution);
    const age = table.peek(place, F.lastAnalysed) - table.peek(place, F.firstAnalysed);
    return {
      id,
      firstTimestamp: table.peek(place, F.firstTimestamp),
      lastTimestamp: table.peek(place, F.newestSlot),
      lastValue: table.peek(place, F.lastRaw),
      points: table.peek(place, F.points),
      resolutionSeconds: resolution > 0 ? resolution : null,
      seasonalPeriods: seasonalPeriods(table.peek(place, F.season), table.peek(place, F.shortestPeriod)),
      readiness: {
        range: table.peek(place, F.count) >= WARM_UP_POINTS,
        ...seasonReadiness(age, table.peek(place, F.dailyChecked), table.peek(place, F.weeklyChecked)),
      },
    };
  }

  private makeRoom(): void {
    if (this.table.capacity <= this.rowOf.length) return;
    const length = Math.max(this.table.capacity, this.rowOf.length * 2);
    this.rowOf = new Int32Array(length);
    this.slotOfRow = new Float64Array(length);
    this.inputOf = new Float64Array(length);
  }
}
