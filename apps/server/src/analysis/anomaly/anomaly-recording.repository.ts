import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AnomalyState, type CloseReason, type Explanation } from '#libs/contracts';
import { type AnomalyEvent } from '#libs/detection';
import { shownUnit, writtenReasons } from '#libs/wording';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { HOUR } from '../../common/time.js';
import { OUT_UNTIL_SQL, UNKNOWN_SLOT_SECONDS } from '../../data/metric/anomaly-end.functions.js';
import { type AnomalyChanged, type AnomalyFacts, type AnomalyMetric } from './anomaly.events.js';

export interface RecordedAnomaly {
  id: number;
  orgId: number;
  metricId: number;
  startTimestamp: number;
  backfill: boolean;
  isNew: boolean;
  metric: AnomalyMetric;
}

/** Times in Unix seconds. */
export interface AnomalyRow {
  id: number;
  orgId: number;
  metricId: number;
  startTimestamp: number;
  state: AnomalyState;
}

/** The data of an anomaly that a training needs. Times in Unix seconds. */
export interface TrainedRow extends AnomalyRow {
  endTimestamp: number | null;
  value: number | null;
  closeReason: CloseReason | null;
  positive: boolean;
}

export interface AnomalyMark {
  state: AnomalyState;
  closeReason: CloseReason | null;
  positive?: boolean;
  /** The match that it turned out to be. */
  matchId?: number;
  /** No alert is sent. */
  quiet?: boolean;
}

export interface Acknowledgement {
  userId: number | null;
  /** Unix seconds. */
  at: number;
  note: string;
}

export type ClosedAnomaly = Omit<AnomalyChanged, 'type'>;

/** The columns that the detector owns. All others belong to users. */
@Injectable()
export class AnomalyRecordingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Open anomalies of the metrics become `excluded`, or `resolved` if their data has ended. They end with the data. */
  async close(
    orgId: number,
    metricIds: readonly number[],
    reason: 'excluded' | 'data_ended',
    at: number,
    tx: Tx,
  ): Promise<ClosedAnomaly[]> {
    const [rows]: [(Omit<ClosedAnomaly, 'facts'> & AnomalyFacts)[], number] = await tx.query(
      `UPDATE anomaly AS a SET state = $2, close_reason = $3,
              end_timestamp = ${END_WITH_DATA}, 
              out_until_timestamp = coalesce(a.out_until_timestamp, CASE WHEN a.kind = 'missing_data'
                THEN greatest(${END_WITH_DATA}, least($4::float8, ${END_WITH_DATA} + ${SLOT})) ELSE ${END_WITH_DATA} + ${SLOT} END)
       FROM metric m
       WHERE m.id = a.metric_id AND a.org_id = $5 AND a.metric_id = ANY($1::integer[]) AND a.state = 'open'
       RETURNING a.id AS "anomalyId", a.org_id AS "orgId", a.metric_id AS "metricId", a.backfill,
                 a.kind, a.severity, a.value, a.peak_value AS "peakValue", a.lower, a.upper, a.start_timestamp AS "startTimestamp",
                 a.end_timestamp AS "endTimestamp", ${OUT_UNTIL_SQL} AS "outUntilTimestamp",
                 a.close_reason AS "closeReason", ${METRIC}`,
      [metricIds, reason === 'excluded' ? 'excluded' : 'resolved', reason, at, orgId],
    );
    return rows.map(({ anomalyId, orgId: ofOrg, metricId, backfill, ...facts }) => ({
      anomalyId,
      orgId: ofOrg,
      metricId,
      backfill,
      facts,
    }));
  }

  /**
   * Deletes, in the whole installation, at most `limit` anomalies that are older than the retention of their
   * organisation; returns their number. `now` in Unix seconds.
   */
  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Old anomalies could not be dropped', role: 'detect', batch: 10_000 })
  async forgetExpired(now: number, limit: number): Promise<number> {
    // An anomaly ends after its start, so the index on starts limits the rows to check.
    const [, count] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM anomaly WHERE id IN (
         SELECT a.id FROM org o JOIN LATERAL (
           SELECT id FROM anomaly
           WHERE org_id = o.id AND start_timestamp < $1::float8 - o.retention_2_period_seconds
             AND end_timestamp < $1::float8 - o.retention_2_period_seconds
           LIMIT $2
         ) AS a ON true LIMIT $2)`,
      [now, limit],
    );
    return count;
  }

  /**
   * Inserts or updates, keyed by metric and start; each key at most once among `events`. Rows that a user has marked as
   * trained or excluded keep their state and reason. Events of erased metrics are dropped. Returns the rows that
   * changed.
   */
  async upsert(events: readonly AnomalyEvent[], tx: Tx): Promise<RecordedAnomaly[]> {
    const metrics = await this.metricsOf(events, tx);
    const rows = events.map((event) => ({
      metric_id: event.seriesId,
      start_timestamp: event.startTimestamp,
      end_timestamp: event.endTimestamp,
      out_until_timestamp: event.outUntilTimestamp,
      peak_timestamp: event.peakTimestamp,
      value: event.value,
      peak_value: event.peakValue,
      expected: event.expected,
      lower: event.lower,
      upper: event.upper,
      score: event.score,
      severity: event.severity,
      rarity_days: event.rarityDays,
      kind: event.kind,
      explanation: explanationOf(event, metrics.get(event.seriesId)),
      state: event.type === 'closed' ? 'resolved' : 'open',
      close_reason: event.closeReason,
      backfill: event.backfill,
    }));
    return tx.query(
      `INSERT INTO anomaly AS a (org_id, metric_id, start_timestamp, end_timestamp, out_until_timestamp, peak_timestamp, value, peak_value,
              expected, lower, upper, score, severity, rarity_days, kind, explanation, state, close_reason, backfill)
       SELECT m.org_id, e.metric_id, e.start_timestamp, e.end_timestamp, e.out_until_timestamp, e.peak_timestamp, e.value, e.peak_value,
              e.expected, e.lower, e.upper, e.score, e.severity, e.rarity_days, e.kind, e.explanation,
              e.state, e.close_reason, e.backfill
       FROM jsonb_to_recordset($1::jsonb) AS e (
              metric_id integer, start_timestamp float8, end_timestamp float8, out_until_timestamp float8, peak_timestamp float8, value float8,
              peak_value float8, expected float8, lower float8, upper float8, score float8, severity smallint, rarity_days float8, kind text,
              explanation jsonb, state text, close_reason text, backfill boolean)
       JOIN metric m ON m.id = e.metric_id
       ORDER BY e.metric_id, e.start_timestamp
       ON CONFLICT (metric_id, start_timestamp) DO UPDATE SET
              end_timestamp = CASE WHEN a.state = 'excluded' THEN coalesce(excluded.end_timestamp, a.end_timestamp)
                ELSE excluded.end_timestamp END,
              out_until_timestamp = CASE WHEN a.state = 'excluded' THEN coalesce(excluded.out_until_timestamp, a.out_until_timestamp)
                ELSE excluded.out_until_timestamp END,
              peak_timestamp = excluded.peak_timestamp,
              value = excluded.value, peak_value = excluded.peak_value, expected = excluded.expected,
              lower = excluded.lower, upper = excluded.upper, score = excluded.score, severity = excluded.severity,
              rarity_days = excluded.rarity_days,
              kind = excluded.kind, explanation = excluded.explanation,
              state = CASE WHEN a.state IN ('trained', 'excluded') THEN a.state ELSE excluded.state END,
              close_reason = CASE WHEN a.state IN ('trained', 'excluded') THEN a.close_reason ELSE excluded.close_reason END
         WHERE (a.end_timestamp, a.out_until_timestamp, a.peak_timestamp, a.value, a.peak_value, a.expected, a.lower, a.upper, a.score, a.severity,
                a.rarity_days, a.kind, a.explanation, a.state, a.close_reason)
           IS DISTINCT FROM
               (excluded.end_timestamp, excluded.out_until_timestamp, excluded.peak_timestamp, excluded.value, excluded.peak_value, excluded.expected,
                excluded.lower, excluded.upper, excluded.score, excluded.severity, excluded.rarity_days, excluded.kind, excluded.explanation,
                excluded.state, excluded.close_reason)
       RETURNING a.id, a.org_id AS "orgId", a.metric_id AS "metricId", a.start_timestamp AS "startTimestamp", a.backfill,
                 (a.xmax = 0) AS "isNew", ${METRIC}`,
      [JSON.stringify(rows)],
    );
  }

  /** The format of the reasons of each metric. Erased metrics are omitted. */
  private async metricsOf(events: readonly AnomalyEvent[], tx: Tx): Promise<Map<number, WrittenMetric>> {
    const rows: (WrittenMetric & { id: number })[] = await tx.query(
      `SELECT m.id, m.unit, m.type, o.timezone AS zone, m.resolution_seconds AS "slotSeconds"
       FROM metric m JOIN org o ON o.id = m.org_id WHERE m.id = ANY($1::integer[])`,
      [[...new Set(events.map(({ seriesId }) => seriesId))]],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  async findRows(events: readonly Pick<AnomalyEvent, 'seriesId' | 'startTimestamp'>[], tx: Tx): Promise<AnomalyRow[]> {
    return tx.query(
      `SELECT a.id, a.org_id AS "orgId", a.metric_id AS "metricId", a.start_timestamp AS "startTimestamp", a.state
       FROM anomaly a
       JOIN unnest($1::integer[], $2::float8[]) AS e (metric_id, start_timestamp) USING (metric_id, start_timestamp)
       ORDER BY a.metric_id, a.start_timestamp FOR UPDATE OF a`,
      keyColumns(events),
    );
  }

  async findKnown(events: readonly AnomalyEvent[], tx: Tx): Promise<{ metricId: number; startTimestamp: number }[]> {
    return tx.query(
      `SELECT a.metric_id AS "metricId", a.start_timestamp AS "startTimestamp" FROM anomaly a
       JOIN unnest($1::integer[], $2::float8[]) AS e (metric_id, start_timestamp) USING (metric_id, start_timestamp)`,
      keyColumns(events),
    );
  }

  async setUnconfirmed(events: readonly AnomalyEvent[], unconfirmed: boolean, tx: Tx): Promise<void> {
    await tx.query(
      `UPDATE anomaly a SET unconfirmed = $3 FROM unnest($1::integer[], $2::float8[]) AS e (metric_id, start_timestamp)
       WHERE a.metric_id = e.metric_id AND a.start_timestamp = e.start_timestamp`,
      [...keyColumns(events), unconfirmed],
    );
  }

  /** No alert is sent about them. */
  async setQuiet(orgId: number, ids: readonly number[], tx: Tx): Promise<void> {
    await tx.query('UPDATE anomaly SET quiet = true WHERE org_id = $1 AND id = ANY($2::integer[])', [orgId, ids]);
  }

  async lock(orgId: number, id: number, tx: Tx): Promise<TrainedRow | null> {
    const rows: TrainedRow[] = await tx.query(
      `SELECT id, org_id AS "orgId", metric_id AS "metricId", start_timestamp AS "startTimestamp",
              end_timestamp AS "endTimestamp", value, state, close_reason AS "closeReason", positive
       FROM anomaly WHERE org_id = $1 AND id = $2 FOR UPDATE`,
      [orgId, id],
    );
    return rows[0] ?? null;
  }

  /** A restored anomaly is open again only if the detector has not seen its end yet. */
  async mark(orgId: number, id: number, mark: AnomalyMark, tx: Tx): Promise<AnomalyChanged | null> {
    const { state, closeReason, positive = null, matchId, quiet = null } = mark;
    const [rows]: [ChangedRow[], number] = await tx.query(
      `UPDATE anomaly AS a SET
         state = CASE WHEN $3 = 'open' AND a.end_timestamp IS NOT NULL THEN 'resolved' ELSE $3 END,
         close_reason = CASE WHEN $3 = 'open' AND a.end_timestamp IS NOT NULL THEN coalesce($4, ${ENDED_BY}) ELSE $4 END,
         positive = coalesce($5::boolean, a.positive), unconfirmed = false, quiet = coalesce($6::boolean, a.quiet)
       WHERE a.org_id = $1 AND a.id = $2 ${RETURNING_CHANGE}`,
      [orgId, id, state, closeReason, positive, quiet],
    );
    const [row] = rows;
    if (row === undefined) return null;
    const type = row.state === 'open' ? 'updated' : 'closed';
    return { ...changeOf(row, type), ...(matchId === undefined ? {} : { matchId }), ...(quiet ? { quiet } : {}) };
  }

  async remove(orgId: number, id: number, tx: Tx): Promise<void> {
    await tx.query('DELETE FROM anomaly WHERE org_id = $1 AND id = $2', [orgId, id]);
  }

  async acknowledge(
    orgId: number,
    ids: readonly number[],
    by: Acknowledgement | null,
    tx: Tx,
  ): Promise<AnomalyChanged[]> {
    const [rows]: [ChangedRow[], number] = await tx.query(
      `UPDATE anomaly AS a SET acknowledged_by = $3, acknowledged_at = to_timestamp($4::float8), acknowledge_note = $5
       WHERE a.org_id = $1 AND a.id = ANY($2::integer[]) AND a.state = 'open' ${RETURNING_CHANGE}`,
      [orgId, ids, by?.userId ?? null, by?.at ?? null, by?.note ?? null],
    );
    return rows.map((row) => changeOf(row, 'updated'));
  }
}

const SLOT = `coalesce(m.resolution_seconds, ${String(UNKNOWN_SLOT_SECONDS)})`;

/** SQL: last slot of an anomaly `a` that ends with the data of its metric `m`, at the time $4 or before. */
const END_WITH_DATA = `greatest(a.start_timestamp, least($4::float8, m.last_timestamp, a.out_until_timestamp - ${SLOT}))`;

/** For statements in which the row of the anomaly is called `a`. */
const METRIC = `(SELECT jsonb_build_object('name', w.name, 'unit', w.unit, 'type', w.type, 'zone', o.timezone)
  FROM metric w JOIN org o ON o.id = w.org_id WHERE w.id = a.metric_id) AS metric`;

type WrittenMetric = Omit<AnomalyMetric, 'name'> & { slotSeconds: number | null };

function explanationOf({ explanation }: AnomalyEvent, metric: WrittenMetric | undefined): Explanation[] {
  const context = metric === undefined ? { unit: null, zone: 'UTC' } : { ...metric, unit: shownUnit(metric) };
  return writtenReasons(explanation, context);
}

/**
 * SQL: why an anomaly `a` with an end is over, if the reason was not stored. A recovery is always detected by a later
 * point.
 */
const ENDED_BY = `CASE WHEN EXISTS (SELECT FROM metric m WHERE m.id = a.metric_id AND m.last_timestamp <= a.end_timestamp)
                         THEN 'data_ended' ELSE 'recovered' END`;

const keyColumns = (events: readonly Pick<AnomalyEvent, 'seriesId' | 'startTimestamp'>[]): [number[], number[]] => [
  events.map(({ seriesId }) => seriesId),
  events.map(({ startTimestamp }) => startTimestamp),
];

type ChangedRow = AnomalyFacts & {
  anomalyId: number;
  orgId: number;
  metricId: number;
  backfill: boolean;
  state: AnomalyState;
};

const RETURNING_CHANGE = `RETURNING a.id AS "anomalyId", a.org_id AS "orgId", a.metric_id AS "metricId", a.backfill, a.state,
  a.kind, a.severity, a.value, a.peak_value AS "peakValue", a.lower, a.upper, a.start_timestamp AS "startTimestamp",
  a.end_timestamp AS "endTimestamp", ${OUT_UNTIL_SQL} AS "outUntilTimestamp", a.close_reason AS "closeReason", ${METRIC}`;

function changeOf(
  { anomalyId, orgId, metricId, backfill, state: _, ...facts }: ChangedRow,
  type: AnomalyChanged['type'],
): AnomalyChanged {
  return { type, orgId, anomalyId, metricId, backfill, facts };
}
