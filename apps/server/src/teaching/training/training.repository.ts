import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { TrainingEntity } from '../../analysis/pattern/training.entity.js';

export type StoredTraining = TrainingEntity;
export type NewTraining = Omit<TrainingEntity, 'id' | 'undoneAt'>;

/** An anomaly of the past, as a preview compares it. Times in Unix seconds. */
export interface PastAnomaly {
  id: number;
  startTimestamp: number;
  endTimestamp: number | null;
  /** True if a person has confirmed it as a real problem. */
  positive: boolean;
}

/** An anomaly that may be one of several similar ones. */
export interface RecurringAnomaly {
  id: number;
  startTimestamp: number;
  endTimestamp: number;
  value: number | null;
  /** True if a person has confirmed it as a real problem. */
  positive: boolean;
}

@Injectable()
export class TrainingRepository {
  constructor(@InjectRepository(TrainingEntity) private readonly rows: Repository<TrainingEntity>) {}

  private in(tx?: Tx): Repository<TrainingEntity> {
    return tx ? tx.getRepository(TrainingEntity) : this.rows;
  }

  /** Oldest first, including undone ones. */
  ofAnomaly(orgId: number, anomalyId: number, tx?: Tx): Promise<TrainingEntity[]> {
    return this.in(tx).find({ where: { orgId, anomalyId }, order: { id: 'ASC' } });
  }

  async insert(training: NewTraining, tx: Tx): Promise<number> {
    const { identifiers } = await this.in(tx).insert(training);
    return (identifiers[0] as { id: number }).id;
  }

  async markUndone(orgId: number, ids: readonly number[], at: Date, tx: Tx): Promise<void> {
    await tx.query('UPDATE training SET undone_at = $3 WHERE org_id = $1 AND id = ANY($2::integer[])', [
      orgId,
      ids,
      at,
    ]);
  }

  /** Anomalies of a metric since a time that are not marked as expected, newest first. */
  pastAnomalies(
    orgId: number,
    { metricId, since, exceptId }: { metricId: number; since: number; exceptId: number },
    limit: number,
  ): Promise<PastAnomaly[]> {
    return this.rows.manager.query(
      `SELECT id, start_timestamp AS "startTimestamp", end_timestamp AS "endTimestamp", positive FROM anomaly
       WHERE org_id = $1 AND metric_id = $2 AND start_timestamp >= $3 AND id <> $4 AND state IN ('open', 'resolved')
       ORDER BY start_timestamp DESC LIMIT $5`,
      [orgId, metricId, since, exceptId, limit],
    );
  }

  /** Anomalies of a metric since a time that have ended and have a shape, newest first. */
  recurringAnomalies(orgId: number, metricId: number, since: number, limit: number): Promise<RecurringAnomaly[]> {
    return this.rows.manager.query(
      `SELECT id, start_timestamp AS "startTimestamp", end_timestamp AS "endTimestamp", value, positive FROM anomaly
       WHERE org_id = $1 AND metric_id = $2 AND start_timestamp >= $3 AND state = 'resolved'
         AND end_timestamp IS NOT NULL AND kind <> 'missing_data'
       ORDER BY start_timestamp DESC LIMIT $4`,
      [orgId, metricId, since, limit],
    );
  }

  /** The anomaly from which patterns are built. */
  async anomaly(orgId: number, id: number): Promise<(PastAnomaly & { value: number | null }) | null> {
    const rows: (PastAnomaly & { value: number | null })[] = await this.rows.manager.query(
      `SELECT id, start_timestamp AS "startTimestamp", end_timestamp AS "endTimestamp", positive, value FROM anomaly
       WHERE org_id = $1 AND id = $2`,
      [orgId, id],
    );
    return rows[0] ?? null;
  }
}
