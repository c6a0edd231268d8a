import { type DetectionShard } from '../shard/detection-shard.js';
import { type SeriesDefinition, type ShardInput, type ShardOutput } from '../types.js';
import { type Generator, series } from './generators.js';

/** A gauge of one point a minute. */
export const definition = (id: number, change: Partial<SeriesDefinition> = {}): SeriesDefinition => ({
  id,
  type: 'gauge',
  aggregation: 'last',
  slotSeconds: 60,
  timezone: 'UTC',
  ...change,
});

/** Rows as an input; `now` is the latest timestamp. */
export function input(
  rows: [id: number, timestamp: number, value: number][],
  kind: ShardInput['kind'] = 'live',
): ShardInput {
  return {
    kind,
    now: rows.reduce((latest, row) => Math.max(latest, row[1]), 0),
    ids: Uint32Array.from(rows, (row) => row[0]),
    timestamps: Float64Array.from(rows, (row) => row[1]),
    values: Float64Array.from(rows, (row) => row[2]),
  };
}

/** A moment without points. */
export const tick = (now: number): ShardInput => ({ ...input([], 'tick'), now });

/** Rows of several series, interleaved slot by slot. */
export function interleaved(days: number, generators: Generator[], ids = generators.map((_, i) => i + 1)) {
  const all = generators.map((generator) => series(days, 60, generator));
  const rows: [number, number, number][] = [];
  for (let i = 0; i < all[0]!.timestamps.length; i++) {
    all.forEach((one, s) => rows.push([ids[s]!, one.timestamps[i]!, one.values[i]!]));
  }
  return rows;
}

/** Applies rows in inputs of `chunk` rows. */
export function applyAll(shard: DetectionShard, rows: [number, number, number][], chunk = 1000): ShardOutput[] {
  const outputs: ShardOutput[] = [];
  for (let i = 0; i < rows.length; i += chunk) outputs.push(shard.apply(input(rows.slice(i, i + chunk))));
  return outputs;
}
