import type pg from 'pg';
import { mergePoints, NO_POINTS, type PointColumns } from '../points/point-columns.js';
import { countsFrom, type Generation, generationOf, type SeriesHistory } from './series-history.js';
import { type AheadChunk, type AheadPoints, seriesInChunk } from './state-tables.js';

const CHUNKS_AT_A_TIME = 500;

/** Waiting points of one series. */
export interface Waiting {
  /** Points of the selected chunks, oldest first. */
  chosen: AheadPoints[];
  /** Points of the same series in other chunks that were written after the first of them. */
  newer: AheadPoints[];
}

/** Slots of one generation of a series. */
export interface GenerationPoints {
  generation: Generation;
  points: PointColumns;
}

/** The content of chunks, by series, and later writes to these series. */
export async function waitingOf(client: pg.ClientBase, chunks: readonly AheadChunk[]): Promise<Map<number, Waiting>> {
  const waiting = new Map<number, Waiting>();
  const chosen = new Set(chunks.map(({ seq }) => seq));
  for (const { seq, payload } of chunks) {
    for (const { id, points } of seriesInChunk(payload)) {
      const one = waiting.get(id) ?? { chosen: [], newer: [] };
      waiting.set(id, one);
      one.chosen.push({ seq, points });
    }
  }
  for (let after = chunks[0]?.seq ?? Infinity; after < Infinity;) {
    const { rows } = await client.query<AheadChunk>(
      'SELECT seq::float8 AS seq, payload FROM series_ahead WHERE seq > $1 ORDER BY seq LIMIT $2',
      [after, CHUNKS_AT_A_TIME],
    );
    for (const { seq, payload } of rows) {
      if (chosen.has(seq)) continue;
      for (const { id, points } of seriesInChunk(payload)) waiting.get(id)?.newer.push({ seq, points });
    }
    after = rows.at(-1)?.seq ?? Infinity;
  }
  return waiting;
}

/** The newest valid value of every slot of the selected chunks, whichever chunk contains it. */
export function newestOf(history: SeriesHistory, { chosen, newer }: Waiting): GenerationPoints[] {
  return [...byGeneration(history, chosen)].map(([generation, stretches]) => {
    const later = byGeneration(history, newer).get(generation) ?? [];
    const ready = mergePoints(stretches);
    if (later.length === 0) return { generation, points: ready };
    const slots = new Set(ready.timestamps);
    return { generation, points: rowsWhere(mergePoints([...stretches, ...later]), (slot) => slots.has(slot)) };
  });
}

/** The valid points of the selected chunks that have not been overwritten. */
export function finalOf(history: SeriesHistory, { chosen, newer }: Waiting): GenerationPoints[] {
  const again = new Set(newer.flatMap(({ points }) => [...points.timestamps]));
  return [...byGeneration(history, chosen)].map(([generation, stretches]) => ({
    generation,
    points: rowsWhere(mergePoints(stretches), (slot) => !again.has(slot)),
  }));
}

function byGeneration(history: SeriesHistory, stretches: readonly AheadPoints[]): Map<Generation, PointColumns[]> {
  const found = new Map<Generation, PointColumns[]>();
  for (const { seq, points } of stretches) {
    const generation = generationOf(history, seq);
    if (!generation) continue;
    const from = countsFrom(history, { generation, seq });
    const counted = from === 0 ? points : rowsWhere(points, (slot) => slot >= from);
    found.set(generation, [...(found.get(generation) ?? [NO_POINTS]), counted]);
  }
  return found;
}

function rowsWhere({ timestamps, values }: PointColumns, isWanted: (timestamp: number) => boolean): PointColumns {
  return {
    timestamps: timestamps.filter(isWanted),
    values: values.filter((_, row) => isWanted(timestamps[row]!)),
  };
}
