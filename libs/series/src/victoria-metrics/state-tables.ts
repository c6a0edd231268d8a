import type pg from 'pg';
import { bucketsOf, filterHash } from '../recent/buckets.js';
import { ChunkReader } from '../recent/recent-chunk.js';
import { type PointColumns } from '../points/point-columns.js';
import { type RecentChunk } from '../postgres/recent-writer.js';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { NEW_HISTORY, type SeriesHistory } from './series-history.js';

/** Histories change in one transaction at a time. */
export const BEGIN_CHANGING = `
  BEGIN; SET LOCAL lock_timeout = '50s'; SET LOCAL synchronous_commit = on;
  SELECT pg_advisory_xact_lock(${String(DATABASE_LOCKS.seriesRollups.number)})`;

const CHUNKS_PER_STATEMENT = 500;
const PARAMETERS_PER_CHUNK = 6;

/** A row of series_outside. */
export interface SeriesState {
  id: number;
  /** Null: none of its data has been moved to VictoriaMetrics yet. */
  org: number | null;
  history: SeriesHistory;
  /** Of the current generation: its newest slot, and the newest sample of that slot. Null: none. */
  lastTimestamp: number | null;
  lastLater: number;
  lastValue: number;
  /** As in its history. */
  retiredUntil: number;
}

export interface AheadChunk {
  seq: number;
  payload: Buffer;
}

/** Waiting points of one series, as written. */
export interface AheadPoints {
  seq: number;
  points: PointColumns;
}

/** A time range of a series, Unix seconds, both inclusive. */
export interface SeriesWindow {
  id: number;
  from: number;
  until: number;
}

export interface FoundSeries {
  state: SeriesState;
  /** Oldest write first. */
  ahead: AheadPoints[];
}

export function newState(id: number): SeriesState {
  return {
    id,
    org: null,
    history: NEW_HISTORY,
    lastTimestamp: null,
    lastLater: 0,
    lastValue: 0,
    retiredUntil: 0,
  };
}

export async function insertChunks(pool: pg.Pool, chunks: readonly RecentChunk[]): Promise<void> {
  if (chunks.length === 0) return;
  const client = await pool.connect();
  try {
    await client.query('BEGIN; SET LOCAL synchronous_commit = on');
    for (let first = 0; first < chunks.length; first += CHUNKS_PER_STATEMENT) {
      const values: unknown[] = [];
      const rows = chunks.slice(first, first + CHUNKS_PER_STATEMENT).map((chunk) => {
        const { bucket, startTs, endTs, points, filter, payload } = chunk;
        const n = values.push(bucket, startTs, endTs, points, filter, payload) - PARAMETERS_PER_CHUNK;
        return `(${Array.from({ length: PARAMETERS_PER_CHUNK }, (_, i) => `$${String(n + 1 + i)}`).join(', ')})`;
      });
      // Rows of VALUES are evaluated in order, so a later row of a batch gets the higher number.
      await client.query(
        `INSERT INTO series_ahead (bucket, start_ts, end_ts, points, filter, payload) VALUES ${rows.join(', ')}`,
        values,
      );
    }
    await client.query('COMMIT');
  } catch (error) {
    // Closing the connection is the one rollback that works in every state.
    client.release(true);
    throw error;
  }
  client.release();
}

const STATE_COLUMNS = `s.org_id, s.history, s.last_ts::float8, s.last_later, s.last_value, s.retired_until::float8`;
type StateRow = [
  org: number | null,
  history: SeriesHistory | null,
  lastTimestamp: number | null,
  lastLater: number | null,
  lastValue: number | null,
  retiredUntil: number | null,
];

/** $1 windows: place, metric, from, until, buckets, hash. One statement sees one state of both tables. */
const LOAD = `
  SELECT w.place, found.seq::float8, found.payload, ${STATE_COLUMNS}
  FROM jsonb_to_recordset($1::jsonb)
    AS w (place int, metric int, from_ts bigint, until_ts bigint, buckets int[], hash int)
  LEFT JOIN series_outside s ON s.metric_id = w.metric
  LEFT JOIN LATERAL (
    SELECT a.seq, a.payload FROM series_ahead a
    WHERE a.bucket = ANY (w.buckets) AND a.start_ts <= w.until_ts AND a.end_ts >= w.from_ts
      AND get_bit(a.filter, w.hash % (octet_length(a.filter) * 8)) = 1
    OFFSET 0
  ) AS found ON true
  ORDER BY w.place, found.seq`;

/** The states of series, and their waiting points, for each window. */
export async function loadWindows(
  pool: pg.Pool | pg.ClientBase,
  windows: readonly SeriesWindow[],
): Promise<FoundSeries[]> {
  const asked = windows.map(({ id, from, until }, place) => ({
    place,
    metric: id,
    from_ts: Math.floor(from),
    until_ts: Math.floor(until),
    buckets: bucketsOf(id),
    hash: filterHash(id),
  }));
  const { rows } = await pool.query<[place: number, seq: number | null, payload: Buffer | null, ...StateRow]>({
    name: 'plumbline-series-ahead-load',
    text: LOAD,
    values: [JSON.stringify(asked)],
    rowMode: 'array',
  });
  const found = windows.map(({ id }): FoundSeries => ({ state: newState(id), ahead: [] }));
  for (const [place, seq, payload, ...state] of rows) {
    const one = found[place]!;
    const { id } = windows[place]!;
    if (state[1] !== null) one.state = stateOf(id, state);
    const points = payload && pointsInChunk(payload, id);
    if (points) one.ahead.push({ seq: seq!, points });
  }
  return found;
}

/** Series without a row count as new. */
export async function loadStates(client: pg.ClientBase, ids: readonly number[]): Promise<Map<number, SeriesState>> {
  const { rows } = await client.query<[id: number, ...StateRow]>({
    text: `SELECT s.metric_id, ${STATE_COLUMNS} FROM series_outside s WHERE s.metric_id = ANY($1::int[])`,
    values: [ids],
    rowMode: 'array',
  });
  const states = new Map(ids.map((id) => [id, newState(id)]));
  for (const [id, ...state] of rows) states.set(id, stateOf(id, state));
  return states;
}

/** The series with a state, by ascending id, after a given one. */
export async function loadStatesAfter(client: pg.ClientBase, id: number, most: number): Promise<SeriesState[]> {
  const { rows } = await client.query<[id: number, ...StateRow]>({
    text: `SELECT s.metric_id, ${STATE_COLUMNS} FROM series_outside s WHERE s.metric_id > $1 ORDER BY s.metric_id LIMIT $2`,
    values: [id, most],
    rowMode: 'array',
  });
  return rows.map(([one, ...state]) => stateOf(one, state));
}

/** In the BEGIN_CHANGING transaction in which they were read. */
export async function saveStates(client: pg.ClientBase, states: readonly SeriesState[]): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map((state) => ({
    metric_id: state.id,
    org_id: state.org,
    history: state.history,
    last_ts: state.lastTimestamp,
    last_later: state.lastLater,
    // JSON has no -0.
    last_value: Object.is(state.lastValue, -0) ? '-0' : state.lastValue,
    retired_until: state.retiredUntil,
  }));
  await client.query(
    `INSERT INTO series_outside AS s (metric_id, org_id, history, last_ts, last_later, last_value, retired_until)
     SELECT metric_id, org_id, history, last_ts, last_later, last_value::float8, retired_until
     FROM jsonb_to_recordset($1::jsonb) AS r (metric_id int, org_id int, history jsonb, last_ts bigint, last_later int,
       last_value text, retired_until bigint)
     ON CONFLICT (metric_id) DO UPDATE SET org_id = EXCLUDED.org_id, history = EXCLUDED.history,
       last_ts = EXCLUDED.last_ts, last_later = EXCLUDED.last_later, last_value = EXCLUDED.last_value,
       retired_until = EXCLUDED.retired_until`,
    [JSON.stringify(rows)],
  );
}

/** A number above those of all data written so far. */
export async function takeMark(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ mark: number }>(`SELECT nextval('series_seq')::float8 AS mark`);
  return rows[0]!.mark;
}

/** The samples of these generations must be deleted. */
export async function markForDeletion(
  client: pg.ClientBase,
  generations: readonly { id: number; generation: number; org: number }[],
): Promise<void> {
  if (generations.length === 0) return;
  await client.query(
    `INSERT INTO series_doomed (metric_id, generation, org_id)
     SELECT * FROM unnest($1::int[], $2::int[], $3::int[]) ON CONFLICT (metric_id, generation) DO NOTHING`,
    [
      generations.map(({ id }) => id),
      generations.map(({ generation }) => generation),
      generations.map(({ org }) => org),
    ],
  );
}

/** The points of one series in a chunk; null if it has none. */
export function pointsInChunk(payload: Buffer, id: number): PointColumns | null {
  const chunk = new ChunkReader(payload);
  while (chunk.next()) {
    if (chunk.id < id) continue;
    return chunk.id > id ? null : pointsAt(chunk);
  }
  return null;
}

export function* idsInChunk(payload: Buffer): Generator<number> {
  const chunk = new ChunkReader(payload);
  while (chunk.next()) yield chunk.id;
}

export function* seriesInChunk(payload: Buffer): Generator<{ id: number; points: PointColumns }> {
  const chunk = new ChunkReader(payload);
  while (chunk.next()) yield { id: chunk.id, points: pointsAt(chunk) };
}

function pointsAt(chunk: ChunkReader): PointColumns {
  const timestamps = new Float64Array(chunk.points);
  const values = new Float64Array(chunk.points);
  chunk.copyTo(timestamps, values, 0);
  return { timestamps, values };
}

function stateOf(id: number, row: StateRow): SeriesState {
  const [org, history, lastTimestamp, lastLater, lastValue, retiredUntil] = row;
  return {
    id,
    org,
    history: history!,
    lastTimestamp,
    lastLater: lastLater ?? 0,
    lastValue: lastValue ?? 0,
    retiredUntil: retiredUntil ?? 0,
  };
}
