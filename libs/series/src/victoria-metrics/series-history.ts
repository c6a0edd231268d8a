import { type StoredSeries } from '../answer/stored-series.types.js';
import { mergePoints, NO_POINTS, type PointColumns, pointsBetween } from '../points/point-columns.js';
import { rollUp, type RollupSlots, type SlotCut } from '../rollup/rollup-slots.js';

const DAY = 86_400;

/**
 * Points of a series that were written one after the other and have one label in VictoriaMetrics. Another generation
 * starts if points must be distinguished by the time of their write.
 */
export interface Generation {
  number: number;
  /** Points with a larger sequence number belong to it, or to a later one. */
  after: number;
  /** Every sample also has the halves of its value. */
  isWild: boolean;
}

/** Points that count as roll-ups: those before a time, or those of generations before one. */
export interface Cut extends SlotCut {
  until: number | null;
  generation: number | null;
}

/** The operations on a series that its samples do not show. */
export interface SeriesHistory {
  /** Oldest first; the last one is written to. Generations older than the first are erased. */
  generations: Generation[];
  /** Points before `until` that were written up to a sequence number have left tier 2. */
  hidden: { until: number; seq: number };
  /** In the order in which they were created. */
  cuts: Cut[];
  /** It may have roll-ups that came from another store. */
  hasCarried?: boolean;
}

export const NEW_HISTORY: SeriesHistory = {
  generations: [{ number: 0, after: 0, isWild: false }],
  hidden: { until: 0, seq: 0 },
  cuts: [],
};

/** Points of one write, or of one generation in VictoriaMetrics. */
export interface Stretch {
  generation: Generation;
  /** Null: all of its generation. */
  seq: number | null;
  points: PointColumns;
}

/** A day of roll-ups that came from another store. */
export interface CarriedDay {
  generation: Generation;
  slots: RollupSlots;
}

/** The generation of a sequence number; undefined: erased. */
export function generationOf({ generations }: SeriesHistory, seq: number): Generation | undefined {
  return generations.findLast(({ after }) => seq > after);
}

/** Points of a part from here on count. */
export function countsFrom({ hidden }: SeriesHistory, { generation, seq }: Omit<Stretch, 'points'>): number {
  const isBefore = seq === null ? generation.after < hidden.seq : seq <= hidden.seq;
  return isBefore ? hidden.until : 0;
}

/** @param after sequence number of the last point of the earlier generations */
export function beginGeneration(history: SeriesHistory, after: number, isWild: boolean): SeriesHistory {
  const number = history.generations.at(-1)!.number + 1;
  return { ...history, generations: [...history.generations, { number, after, isWild }] };
}

/** @param seq everything up to it is erased */
export function erased({ generations }: SeriesHistory, seq: number): SeriesHistory {
  const { number, isWild } = generations.at(-1)!;
  return { ...NEW_HISTORY, generations: [{ number: number + 1, after: seq, isWild }] };
}

/** @param seq points up to it become roll-ups */
export function withoutTier1(history: SeriesHistory, seq: number, cut: SlotCut): SeriesHistory {
  const next = beginGeneration(history, seq, history.generations.at(-1)!.isWild);
  return { ...next, cuts: [...next.cuts, { until: null, generation: next.generations.at(-1)!.number, ...cut }] };
}

/** Points before a time become roll-ups. Extends the last cut if it has the same slots. */
export function retired(history: SeriesHistory, until: number, cut: SlotCut): SeriesHistory {
  const last = history.cuts.at(-1);
  const isSameCut =
    last !== undefined &&
    last.until !== null &&
    last.slotSeconds === cut.slotSeconds &&
    last.unitSeconds === cut.unitSeconds;
  const kept = isSameCut ? history.cuts.slice(0, -1) : history.cuts;
  return { ...history, cuts: [...kept, { until, generation: null, ...cut }] };
}

/** The first cut that rolls up a point; -1: it belongs to tier 1. */
export function cutIndexOf({ cuts }: SeriesHistory, generation: number, timestamp: number): number {
  return cuts.findIndex(({ until, generation: before }) => (until === null ? generation < before! : timestamp < until));
}

/**
 * The data of a series.
 * @param stretches oldest write first; whole days if there are cuts
 * @param carried oldest generation first
 */
export function storedSeriesOf(
  history: SeriesHistory,
  stretches: readonly Stretch[],
  carried: readonly CarriedDay[],
): StoredSeries {
  const counted = stretches.map((stretch) => ({
    ...stretch,
    points: pointsBetween(stretch.points, countsFrom(history, stretch), Number.MAX_SAFE_INTEGER),
  }));
  const stored = new Map<number, RollupSlots>();
  for (const { generation, slots } of carried) {
    if (slots.starts[0]! >= countsFrom(history, { generation, seq: null })) stored.set(dayOf(slots.starts[0]!), slots);
  }
  if (history.cuts.length === 0 && stored.size === 0) {
    const points = counted.map((stretch) => stretch.points);
    return { points: mergePoints(points.length > 0 ? points : [NO_POINTS]), rollups: [] };
  }
  const live: PointColumns[] = [NO_POINTS];
  const rolled: PointColumns[] = [NO_POINTS];
  const cutOfDay = new Map<number, number>();
  for (const { points, generation } of counted) {
    const parts = [[], []] as [number[], number[]];
    for (const [row, timestamp] of points.timestamps.entries()) {
      const cut = cutIndexOf(history, generation.number, timestamp);
      parts[cut < 0 ? 0 : 1].push(row);
      if (cut < 0) continue;
      const day = dayOf(timestamp);
      cutOfDay.set(day, Math.min(cut, cutOfDay.get(day) ?? cut));
    }
    live.push(rowsOf(points, parts[0]));
    rolled.push(rowsOf(points, parts[1]));
  }
  const points = mergePoints(rolled);
  for (let row = 0; row < points.timestamps.length;) {
    const day = dayOf(points.timestamps[row]!);
    const ofDay = pointsBetween(points, day, day + DAY - 1);
    stored.set(day, rollUp(ofDay, stored.get(day) ?? null, history.cuts[cutOfDay.get(day)!]!));
    row += ofDay.timestamps.length;
  }
  const rollups = [...stored.values()].sort((a, b) => a.starts[0]! - b.starts[0]!);
  return { points: mergePoints(live), rollups };
}

function dayOf(timestamp: number): number {
  return timestamp - (timestamp % DAY);
}

function rowsOf({ timestamps, values }: PointColumns, rows: readonly number[]): PointColumns {
  return {
    timestamps: Float64Array.from(rows, (row) => timestamps[row]!),
    values: Float64Array.from(rows, (row) => values[row]!),
  };
}
