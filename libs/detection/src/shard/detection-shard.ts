import { analysedValue } from '../series/analysed-value.js';
import { F } from '../series/layout.js';
import { seasonalPeriods, seasonReadiness } from '../series/season.js';
import { SeriesDetector, WARM_UP_POINTS } from '../series/series-detector.js';
import { crossGap, endSeries, watchSilence } from '../series/silence.js';
import {
  type AnomalyEvent,
  type SeriesDefinition,
  type SeriesProgress,
  type ShardInput,
  type ShardOutput,
} from '../types.js';
import { SeriesTable, type ShardSeries } from './series-table.js';
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
    return this.table.get(id) !== undefined;
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
    const touched: ShardSeries[] = [];
    const slots = {
      ids: new Uint32Array(ids.length),
      timestamps: new Float64Array(ids.length),
      values: new Float64Array(ids.length),
    };
    let rows = 0;
    let unknown = 0;
    let unusable = 0;
    for (let i = 0; i < ids.length; i++) {
      const series = this.table.get(ids[i]!);
      const timestamp = timestamps[i]!;
      if (series === undefined) {
        unknown++;
        continue;
      }
      const value = values[i]!;
      if (!(timestamp >= 0 && timestamp < LAST_TIMESTAMP) || Math.abs(value) === Infinity) {
        unusable++;
        continue;
      }
      if (Number.isNaN(value)) {
        this.end(series, timestamp, input.kind === 'backfill');
        continue;
      }
      if (series.touchedBy !== this.inputs) {
        series.touchedBy = this.inputs;
        series.slotRowSlot = NaN;
        touched.push(series);
      }
      const slot = slotOf(timestamp, series.definition.slotSeconds);
      const stored = this.take(series, slot, timestamp, value, input.kind === 'backfill');
      if (series.slotRowSlot !== slot) {
        series.slotRow = rows++;
        series.slotRowSlot = slot;
      }
      slots.ids[series.slotRow] = ids[i]!;
      slots.timestamps[series.slotRow] = slot;
      slots.values[series.slotRow] = stored;
    }
    if (input.kind === 'tick') this.tick(input.now);
    return {
      slots: {
        ids: slots.ids.slice(0, rows),
        timestamps: slots.timestamps.slice(0, rows),
        values: slots.values.slice(0, rows),
      },
      events: this.events,
      progress: touched.map(progressOf),
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
  private take(series: ShardSeries, slot: number, timestamp: number, value: number, backfill: boolean): number {
    const { f } = series.record;
    const { aggregation, slotSeconds, id } = series.definition;
    const isNewSlot = !(slot <= f[F.newestSlot]!);
    if (isNewSlot) {
      this.scorePending(series, backfill);
      crossGap(series.record, slot, slotSeconds, id, backfill, this.note);
      f[F.newestSlot] = slot;
      f[F.points] = f[F.points]! + 1;
    }
    if (!(slot >= f[F.firstTimestamp]!)) f[F.firstTimestamp] = slot;
    const stored = addPoint(f, aggregation, slotSeconds, timestamp, value);
    if (slot === f[F.newestSlot]) f[F.lastRaw] = stored;
    if (isNewSlot && f[F.resolution]! >= ONE_PER_SLOT * slotSeconds) this.scorePending(series, backfill);
    return stored;
  }

  private end(series: ShardSeries, timestamp: number, backfill: boolean): void {
    const { slotSeconds, id } = series.definition;
    this.scorePending(series, backfill);
    const event = endSeries(series.record, timestamp, slotSeconds, id);
    if (event !== null) this.note(event);
  }

  /** Scores the newest slot unless it has been. */
  private scorePending(series: ShardSeries, backfill: boolean): void {
    const { f } = series.record;
    const { aggregation, slotSeconds, type, id } = series.definition;
    const slot = f[F.newestSlot]!;
    if (Number.isNaN(slot) || slot <= f[F.analysedSlot]!) return;
    f[F.analysedSlot] = slot;
    const raw = slotValue(f, aggregation, slotSeconds, slot);
    if (!Number.isFinite(raw)) return;
    const value = analysedValue(f, type, slot, raw, slotSeconds, f[F.resolution]!);
    if (Number.isNaN(value)) return;
    this.detector.score(series.record, series.clock, slot, value, id, backfill);
    this.scored++;
  }

  private tick(now: number): void {
    for (const series of this.table.all()) {
      const { f } = series.record;
      const { slotSeconds, id } = series.definition;
      // A slot is over when its end is a slot ago: late points had their chance.
      if (f[F.newestSlot]! > f[F.analysedSlot]! && f[F.newestSlot]! + 2 * slotSeconds <= now) {
        this.scorePending(series, false);
      }
      const event = watchSilence(series.record, now, slotSeconds, id, false);
      if (event !== null) this.note(event);
    }
  }
}

function progressOf(series: ShardSeries): SeriesProgress {
  const { f } = series.record;
  return {
    id: series.definition.id,
    firstTimestamp: f[F.firstTimestamp]!,
    lastTimestamp: f[F.newestSlot]!,
    lastValue: f[F.lastRaw]!,
    points: f[F.points]!,
    resolutionSeconds: f[F.resolution]! > 0 ? f[F.resolution]! : null,
    seasonalPeriods: seasonalPeriods(series.record),
    readiness: { range: f[F.count]! >= WARM_UP_POINTS, ...seasonReadiness(series.record) },
  };
}
