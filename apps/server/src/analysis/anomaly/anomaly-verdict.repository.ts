import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AnomalyKind } from '#libs/contracts';
import { DETECTOR_VERSION } from '#libs/detection';
import { type Tx } from '../../common/database/transactions.js';
import { AnomalyVerdictEntity } from './anomaly-verdict.entity.js';

/** An anomaly with a shape for comparison. */
export interface EarlierShape {
  anomalyId: number;
  /** Unix seconds. */
  startTimestamp: number;
  kind: AnomalyKind;
  shape: number[];
}

export type AccountedVerdict = Pick<
  AnomalyVerdictEntity,
  | 'parameters'
  | 'fromTimestamp'
  | 'untilTimestamp'
  | 'isReproduced'
  | 'parts'
  | 'counterfactual'
  | 'shape'
  | 'lookAlikeId'
  | 'lookAlikeSimilarity'
  | 'explanation'
>;

@Injectable()
export class AnomalyVerdictRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Anomalies of any organisation that have just opened or closed; those of backfilled history wait until somebody
   * reads them.
   */
  async note(anomalyIds: readonly number[], tx: Tx): Promise<void> {
    if (anomalyIds.length === 0) return;
    await tx.query(
      `INSERT INTO anomaly_verdict (anomaly_id, metric_id, start_timestamp, detector_version, is_due)
       SELECT id, metric_id, start_timestamp, $2, NOT backfill FROM anomaly WHERE id = ANY($1::integer[]) ORDER BY id
       ON CONFLICT (anomaly_id) DO UPDATE SET is_due = excluded.is_due`,
      [anomalyIds, DETECTOR_VERSION],
    );
  }

  /** The earliest recorded anomaly that is due, of all organisations; marks it as done. */
  async claimPendingOfAll(): Promise<{ orgId: number; anomalyId: number } | null> {
    const [rows] = await this.dataSource.query<[{ orgId: number; anomalyId: number }[], number]>(
      `UPDATE anomaly_verdict AS v SET is_due = false FROM anomaly a
       WHERE a.id = v.anomaly_id AND v.anomaly_id = (
         SELECT anomaly_id FROM anomaly_verdict WHERE is_due ORDER BY anomaly_id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING a.org_id AS "orgId", v.anomaly_id AS "anomalyId"`,
    );
    return rows[0] ?? null;
  }

  /** Also false for anomalies that were recorded before verdicts were stored. */
  async isAccounted(orgId: number, anomalyId: number): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `SELECT 1 FROM anomaly_verdict v JOIN anomaly a ON a.id = v.anomaly_id
       WHERE a.org_id = $1 AND a.id = $2 AND v.parameters IS NOT NULL`,
      [orgId, anomalyId],
    );
    return rows.length > 0;
  }

  /** Anomalies of the metric that started before a time (Unix seconds), newest first. */
  earlierShapes(orgId: number, metricId: number, before: number, limit: number): Promise<EarlierShape[]> {
    return this.dataSource.query(
      `SELECT v.anomaly_id AS "anomalyId", v.start_timestamp AS "startTimestamp", a.kind, v.shape
       FROM anomaly_verdict v JOIN anomaly a ON a.id = v.anomaly_id
       WHERE a.org_id = $1 AND v.metric_id = $2 AND v.start_timestamp < $3::float8 AND v.shape IS NOT NULL
       ORDER BY v.start_timestamp DESC LIMIT $4`,
      [orgId, metricId, before, limit],
    );
  }

  /** Stores the result; the version stays that of the detector that opened the anomaly. */
  async save(orgId: number, anomalyId: number, verdict: AccountedVerdict): Promise<void> {
    const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
    await this.dataSource.query(
      `INSERT INTO anomaly_verdict (anomaly_id, metric_id, start_timestamp, detector_version, is_due, parameters,
              from_timestamp, until_timestamp, is_reproduced, parts, counterfactual, shape, look_alike_id,
              look_alike_similarity, explanation)
       SELECT a.id, a.metric_id, a.start_timestamp, $3, false, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
       FROM anomaly a WHERE a.org_id = $1 AND a.id = $2
       ON CONFLICT (anomaly_id) DO UPDATE SET parameters = excluded.parameters, from_timestamp = excluded.from_timestamp,
              until_timestamp = excluded.until_timestamp, is_reproduced = excluded.is_reproduced, parts = excluded.parts,
              counterfactual = excluded.counterfactual, shape = excluded.shape, look_alike_id = excluded.look_alike_id,
              look_alike_similarity = excluded.look_alike_similarity, explanation = excluded.explanation`,
      [
        orgId,
        anomalyId,
        DETECTOR_VERSION,
        json(verdict.parameters),
        verdict.fromTimestamp,
        verdict.untilTimestamp,
        verdict.isReproduced,
        json(verdict.parts),
        json(verdict.counterfactual),
        verdict.shape,
        verdict.lookAlikeId,
        verdict.lookAlikeSimilarity,
        json(verdict.explanation),
      ],
    );
  }
}
