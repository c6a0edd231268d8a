import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AnomalyEvent } from '#libs/detection';
import { type Tx } from '../../common/database/transactions.js';
import { type CandidateState } from './match.types.js';

/** Identified by metric and start. Times in Unix seconds. */
export interface CandidateRow {
  metricId: number;
  startTimestamp: number;
  orgId: number;
  event: AnomalyEvent;
  state: CandidateState;
  revision: number;
  deadline: number;
  checkAt: number;
}

export type CandidateKey = Pick<CandidateRow, 'metricId' | 'startTimestamp'>;

const COLUMNS = `c.metric_id AS "metricId", c.start_timestamp AS "startTimestamp", c.org_id AS "orgId", c.event, c.state,
  c.revision, c.deadline, c.check_at AS "checkAt"`;

/** Findings of the detector on metrics with patterns, until the check is over. */
@Injectable()
export class CandidateRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The existing candidates with these keys, locked until `tx` ends. */
  async lockMany(keys: readonly CandidateKey[], tx: Tx): Promise<CandidateRow[]> {
    return tx.query(
      `SELECT ${COLUMNS} FROM anomaly_candidate c
       JOIN unnest($1::integer[], $2::float8[]) AS k (metric_id, start_timestamp) USING (metric_id, start_timestamp)
       ORDER BY c.metric_id, c.start_timestamp FOR UPDATE OF c`,
      columnsOf(keys),
    );
  }

  async insert(rows: readonly Omit<CandidateRow, 'revision'>[], tx: Tx): Promise<void> {
    if (rows.length === 0) return;
    await tx.query(
      `INSERT INTO anomaly_candidate (metric_id, start_timestamp, org_id, event, state, deadline, check_at)
       SELECT r.metric_id, r.start_timestamp, r.org_id, r.event, r.state, r.deadline, r.check_at
       FROM jsonb_to_recordset($1::jsonb) AS r (metric_id integer, start_timestamp float8, org_id integer, event jsonb,
         state text, deadline float8, check_at float8)
       JOIN metric m ON m.id = r.metric_id
       ON CONFLICT (metric_id, start_timestamp) DO NOTHING`,
      [
        JSON.stringify(
          rows.map((row) => ({
            metric_id: row.metricId,
            start_timestamp: row.startTimestamp,
            org_id: row.orgId,
            event: row.event,
            state: row.state,
            deadline: row.deadline,
            check_at: row.checkAt,
          })),
        ),
      ],
    );
  }

  /** The detector has sent a newer event. Each key at most once. */
  async renew(renewed: readonly { key: CandidateKey; event: AnomalyEvent }[], checkAt: number, tx: Tx): Promise<void> {
    if (renewed.length === 0) return;
    const rows = renewed.map(({ key, event }) => ({
      metric_id: key.metricId,
      start_timestamp: key.startTimestamp,
      event,
    }));
    await tx.query(
      `UPDATE anomaly_candidate c SET event = r.event, revision = c.revision + 1, check_at = $2
       FROM jsonb_to_recordset($1::jsonb) AS r (metric_id integer, start_timestamp float8, event jsonb)
       WHERE c.metric_id = r.metric_id AND c.start_timestamp = r.start_timestamp`,
      [JSON.stringify(rows), checkAt],
    );
  }

  /**
   * Claims candidates that are due, unreported ones first, in rotation between organisations: many candidates of one do
   * not delay those of others beyond their deadline. Other processes do not get them before `until`.
   */
  async claim(now: number, until: number, limit: number): Promise<CandidateRow[]> {
    const [rows]: [CandidateRow[], number] = await this.dataSource.query(
      // Materialized: a subquery in FROM may run again for each row, and then exceeds its limit.
      `WITH due AS MATERIALIZED (
         SELECT d.metric_id, d.start_timestamp
         FROM anomaly_candidate d JOIN (
           SELECT metric_id, start_timestamp,
                  row_number() OVER (PARTITION BY org_id, state = 'pending' ORDER BY check_at) AS turn
           FROM anomaly_candidate WHERE check_at <= $1
         ) AS t ON t.metric_id = d.metric_id AND t.start_timestamp = d.start_timestamp
         WHERE d.check_at <= $1
         ORDER BY d.state <> 'pending', t.turn, d.check_at LIMIT $3 FOR UPDATE OF d SKIP LOCKED
       )
       UPDATE anomaly_candidate c SET check_at = $2 FROM due
       WHERE c.metric_id = due.metric_id AND c.start_timestamp = due.start_timestamp
       RETURNING ${COLUMNS}`,
      [now, until, limit],
    );
    return rows.sort(
      (a, b) => Number(a.state !== 'pending') - Number(b.state !== 'pending') || a.deadline - b.deadline,
    );
  }

  /** Candidates without a verdict whose deadline has passed. */
  async overdue(now: number, limit: number): Promise<CandidateRow[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM anomaly_candidate c WHERE c.state = 'pending' AND c.deadline <= $1
       ORDER BY c.deadline LIMIT $2`,
      [now, limit],
    );
  }

  async set(
    rows: readonly Pick<CandidateRow, 'metricId' | 'startTimestamp' | 'state' | 'checkAt'>[],
    tx: Tx,
  ): Promise<void> {
    if (rows.length === 0) return;
    await tx.query(
      `UPDATE anomaly_candidate c SET state = r.state, check_at = r.check_at
       FROM unnest($1::integer[], $2::float8[], $3::text[], $4::float8[]) AS r (metric_id, start_timestamp, state, check_at)
       WHERE c.metric_id = r.metric_id AND c.start_timestamp = r.start_timestamp`,
      [...columnsOf(rows), rows.map(({ state }) => state), rows.map(({ checkAt }) => checkAt)],
    );
  }

  async remove(keys: readonly CandidateKey[], tx: Tx): Promise<void> {
    if (keys.length === 0) return;
    await tx.query(
      `DELETE FROM anomaly_candidate c USING unnest($1::integer[], $2::float8[]) AS k (metric_id, start_timestamp)
       WHERE c.metric_id = k.metric_id AND c.start_timestamp = k.start_timestamp`,
      columnsOf(keys),
    );
  }
}

const columnsOf = (keys: readonly CandidateKey[]): [number[], number[]] => [
  keys.map(({ metricId }) => metricId),
  keys.map(({ startTimestamp }) => startTimestamp),
];

/** Identifies a candidate within its process. */
export const keyOf = ({ metricId, startTimestamp }: CandidateKey): string =>
  `${String(metricId)}@${String(startTimestamp)}`;
