import type pg from 'pg';
import { decodePoints } from '../codec/point-block.js';
import { decodeSlots } from '../codec/rollup-block.js';
import { mergePoints, NO_POINTS, type PointColumns, pointsBetween } from '../points/point-columns.js';
import { bucketsOf, filterHash } from '../recent/buckets.js';
import { ChunkReader } from '../recent/recent-chunk.js';
import { type StoredSeries } from '../answer/stored-series.types.js';
import { type RollupSlots } from '../rollup/rollup-slots.js';

const DAY = 86_400;

/** Parts of series_recent that writers use in rotation, and those for folded chunks (maintenance/fold.ts). */
export const RECENT_PARTS = [0, 1, 2] as const;
export const HELD_PARTS = [10, 11] as const;

/** Kinds of rows of the statement below, in the order in which they must be merged: oldest write first. */
const ROLLUP = 1;
const BLOCK = 2;

type Row = [kind: number, startTs: number, points: number, payload: Buffer];

/** SQL expressions for the request and for the boundaries of the tables. */
interface Names {
  metric: string;
  from: string;
  until: string;
  /** Buckets of the metric, and its hash for filters. */
  buckets: string;
  hash: string;
  /** `from` rounded down to the start of a day. */
  day: string;
  withRollups: string;
  erased: string;
  dropped: string;
  held: string;
  folded: string;
}

/** Rows of a series in a window: roll-ups, blocks, and the valid recent points. */
function storedOf(names: Names): string {
  const { metric, from, until, day, withRollups, erased, dropped, held, folded } = names;
  const recent = (part: number, kind: number, isCurrent: string): string => `
    SELECT ${String(kind)}, seq, start_ts, points, payload FROM series_recent_${String(part)}
    WHERE bucket = ANY (${names.buckets}) AND ${isCurrent} AND seq > ${dropped} AND start_ts <= ${until}
      AND end_ts >= ${from} AND get_bit(filter, ${names.hash}::int % (octet_length(filter) * 8)) = 1`;
  return `
    SELECT ${String(ROLLUP)} AS kind, seq, start_ts::float8 AS start_ts, slots AS points, payload FROM series_rollup
    WHERE ${withRollups} AND metric_id = ${metric} AND start_ts >= ${day} AND start_ts <= ${until} AND seq > ${erased}
    UNION ALL
    SELECT ${String(BLOCK)}, seq, start_ts, points, payload FROM series_block
    WHERE metric_id = ${metric} AND start_ts >= ${day} AND start_ts <= ${until} AND end_ts >= ${from} AND seq > ${dropped}
    UNION ALL
    ${HELD_PARTS.map((part) => recent(part, 3, `seq >= ${held}`)).join(' UNION ALL ')}
    UNION ALL
    ${RECENT_PARTS.map((part) => recent(part, 4, `seq > ${folded}`)).join(' UNION ALL ')}`;
}

/** Boundaries of the tables for a metric. */
const stateOf = (metric: string): string => `
    SELECT folded_seq, held_seq,
           coalesce((SELECT seq FROM series_erased e WHERE e.metric_id = ${metric}), 0) AS erased,
           coalesce((SELECT tier_1_seq FROM series_erased e WHERE e.metric_id = ${metric}), 0) AS dropped
    FROM series_state`;

/**
 * All data of a series in a window, in one statement: it sees a single state of the tables, in which every point is in
 * exactly one place, or in several where the later write wins.
 *
 * $1 metric, $2 from, $3 until, $4 its buckets, $5 hash for filters, $6 from as a start of a day, $7 with roll-ups
 */
const LOAD = `
  WITH state AS MATERIALIZED (${stateOf('$1')})
  SELECT kind, start_ts, points, payload FROM (${storedOf({
    metric: '$1',
    from: '$2',
    until: '$3',
    buckets: '$4::int[]',
    hash: '$5',
    day: '$6',
    withRollups: '$7',
    erased: '(SELECT erased FROM state)',
    dropped: '(SELECT dropped FROM state)',
    held: '(SELECT held_seq FROM state)',
    folded: '(SELECT folded_seq FROM state)',
  })}) AS found
  ORDER BY kind, seq, start_ts`;

/**
 * The same for many windows, which see a single state of the tables. OFFSET 0 keeps the planner from joining whole
 * tables with the windows: each window is looked up by index, like a single one.
 *
 * $1 windows: place, metric, from, until, buckets, hash, day
 */
const LOAD_MANY = `
  SELECT w.place, found.kind, found.start_ts, found.points, found.payload
  FROM jsonb_to_recordset($1::jsonb)
    AS w (place int, metric int, from_ts bigint, until_ts bigint, buckets int[], hash int, day_ts bigint)
  CROSS JOIN LATERAL (${stateOf('w.metric')} OFFSET 0) AS state
  CROSS JOIN LATERAL (${storedOf({
    metric: 'w.metric',
    from: 'w.from_ts',
    until: 'w.until_ts',
    buckets: 'w.buckets',
    hash: 'w.hash',
    day: 'w.day_ts',
    withRollups: 'true',
    erased: 'state.erased',
    dropped: 'state.dropped',
    held: 'state.held_seq',
    folded: 'state.folded_seq',
  })} OFFSET 0) AS found
  ORDER BY w.place, found.kind, found.seq, found.start_ts`;

/** Reads a series between two times (Unix seconds, both inclusive). */
export async function loadSeries(
  pool: pg.Pool | pg.ClientBase,
  id: number,
  from: number,
  until: number,
  withRollups = true,
): Promise<StoredSeries> {
  const { rows } = await pool.query<Row>({
    name: 'plumbline-series-load',
    text: LOAD,
    values: [
      id,
      Math.ceil(from),
      Math.floor(until),
      bucketsOf(id),
      filterHash(id),
      from - (from % DAY),
      withRollups,
    ].map((value) => (typeof value === 'number' ? Math.floor(value) : value)),
    rowMode: 'array',
  });
  return storedSeries(rows, { id, from, until });
}

/** Reads many windows of series, in the same order. */
export async function loadManySeries(
  pool: pg.Pool | pg.ClientBase,
  windows: readonly SeriesWindow[],
): Promise<StoredSeries[]> {
  if (windows.length === 0) return [];
  const asked = windows.map(({ id, from, until }, place) => ({
    place,
    metric: id,
    from_ts: Math.ceil(from),
    until_ts: Math.floor(until),
    buckets: bucketsOf(id),
    hash: filterHash(id),
    day_ts: Math.floor(from - (from % DAY)),
  }));
  const { rows } = await pool.query<[place: number, ...Row]>({
    name: 'plumbline-series-load-many',
    text: LOAD_MANY,
    values: [JSON.stringify(asked)],
    rowMode: 'array',
  });
  const found: Row[][] = windows.map(() => []);
  for (const [place, ...row] of rows) found[place]!.push(row);
  return windows.map((window, place) => storedSeries(found[place]!, window));
}

/** A series between two times, Unix seconds, both inclusive. */
interface SeriesWindow {
  id: number;
  from: number;
  until: number;
}

/** @param rows in the order in which they must be merged */
function storedSeries(rows: readonly Row[], { id, from, until }: SeriesWindow): StoredSeries {
  const stretches: PointColumns[] = [];
  const rollups: RollupSlots[] = [];
  for (const [kind, startTs, points, payload] of rows) {
    if (kind === ROLLUP) rollups.push(decodeSlots(payload, points, startTs));
    else if (kind === BLOCK) stretches.push(decodeBlock(payload, points, startTs));
    else {
      const stretch = pointsInChunk(payload, id);
      if (stretch) stretches.push(stretch);
    }
  }
  return {
    points: pointsBetween(mergePoints(stretches.length > 0 ? stretches : [NO_POINTS]), from, until),
    rollups: rollups.sort((a, b) => a.starts[0]! - b.starts[0]!),
  };
}

export interface SeriesEnds {
  first: number;
  last: number;
}

const ENDS = `
  WITH state AS MATERIALIZED (
    SELECT folded_seq, held_seq,
           coalesce((SELECT seq FROM series_erased WHERE metric_id = $1), 0) AS erased,
           coalesce((SELECT tier_1_seq FROM series_erased WHERE metric_id = $1), 0) AS dropped
    FROM series_state
  )
  SELECT ${String(ROLLUP)} AS kind, min(start_ts)::float8 AS first, max(end_ts)::float8 AS last, NULL::bytea AS payload
  FROM series_rollup WHERE metric_id = $1 AND seq > (SELECT erased FROM state)
  UNION ALL
  SELECT ${String(BLOCK)}, min(start_ts)::float8, max(end_ts)::float8, NULL FROM series_block
  WHERE metric_id = $1 AND seq > (SELECT dropped FROM state)
  UNION ALL
  ${HELD_PARTS.map((part) => recentEnds(part, 'seq >= (SELECT held_seq FROM state)')).join(' UNION ALL ')}
  UNION ALL
  ${RECENT_PARTS.map((part) => recentEnds(part, 'seq > (SELECT folded_seq FROM state)')).join(' UNION ALL ')}`;

function recentEnds(part: number, isCurrent: string): string {
  return `
    SELECT 3, NULL::float8, NULL::float8, payload FROM series_recent_${String(part)}
    WHERE bucket = ANY ($2::int[]) AND ${isCurrent} AND seq > (SELECT dropped FROM state)
      AND get_bit(filter, $3::int % (octet_length(filter) * 8)) = 1`;
}

/** Oldest and newest slot of a series, or null. If its oldest points are rolled up, the start of their slot. */
export async function loadEnds(pool: pg.Pool, id: number): Promise<SeriesEnds | null> {
  const { rows } = await pool.query<[number, number | null, number | null, Buffer | null]>({
    name: 'plumbline-series-ends',
    text: ENDS,
    values: [id, bucketsOf(id), filterHash(id)],
    rowMode: 'array',
  });
  let first = Infinity;
  let last = -Infinity;
  for (const [, rowFirst, rowLast, payload] of rows) {
    if (payload !== null) {
      const points = pointsInChunk(payload, id);
      if (!points) continue;
      first = Math.min(first, points.timestamps[0]!);
      last = Math.max(last, points.timestamps.at(-1)!);
    } else if (rowFirst !== null && rowLast !== null) {
      first = Math.min(first, rowFirst);
      last = Math.max(last, rowLast);
    }
  }
  return last < 0 ? null : { first, last };
}

function decodeBlock(payload: Buffer, count: number, first: number): PointColumns {
  const timestamps = new Float64Array(count);
  const values = new Float64Array(count);
  decodePoints(payload, count, first, timestamps, values);
  return { timestamps, values };
}

function pointsInChunk(payload: Buffer, id: number): PointColumns | null {
  const chunk = new ChunkReader(payload);
  while (chunk.next()) {
    if (chunk.id < id) continue;
    if (chunk.id > id) return null;
    const timestamps = new Float64Array(chunk.points);
    const values = new Float64Array(chunk.points);
    chunk.copyTo(timestamps, values, 0);
    return { timestamps, values };
  }
  return null;
}
