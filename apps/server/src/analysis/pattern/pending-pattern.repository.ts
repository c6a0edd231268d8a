import { Injectable } from '@nestjs/common';
import { type Repository, type SelectQueryBuilder } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { type Page } from '../../common/paging/paging.js';
import { PendingPatternEntity } from './pattern.entity.js';
import { type PendingPattern, type PendingStatus } from './pattern.types.js';

const COLUMNS: Readonly<Record<keyof PendingPattern, string>> = {
  id: 'p.id',
  orgId: 'p.org_id',
  metricId: 'p.metric_id',
  metricName: 'm.name',
  anomalyId: 'p.anomaly_id',
  trainingId: 'p.training_id',
  duration: 'p.duration',
  origin: 'p.origin',
  label: 'p.label',
  positive: 'p.positive',
  learn: 'p.learn',
  status: 'p.status',
  message: 'p.message',
  requestedBy: 'p.requested_by',
  requestedTimestamp: 'extract(epoch FROM p.requested_at)::float8',
  progressId: 'p.progress_id',
};

export interface NewPendingPattern extends Omit<PendingPattern, 'id' | 'metricName' | 'requestedTimestamp'> {
  requestedAt: Date;
}

@Injectable()
export class PendingPatternRepository {
  constructor(@InjectRepository(PendingPatternEntity) private readonly rows: Repository<PendingPatternEntity>) {}

  async list(
    orgId: number,
    { metricId, anomalyIds }: { metricId?: number; anomalyIds?: readonly number[] },
    { limit, offset }: Page,
  ): Promise<{ pending: PendingPattern[]; total: number }> {
    const query = this.select().where('p.org_id = :orgId', { orgId });
    if (metricId !== undefined) query.andWhere('p.metric_id = :metricId', { metricId });
    if (anomalyIds !== undefined) query.andWhere('p.anomaly_id = ANY(:anomalyIds)', { anomalyIds });
    const total = await query.getCount();
    const pending = await query.orderBy('p.id').limit(limit).offset(offset).getRawMany<PendingPattern>();
    return { pending, total };
  }

  async insert(rows: readonly NewPendingPattern[], tx: Tx): Promise<void> {
    await tx.getRepository(PendingPatternEntity).insert([...rows]);
  }

  /**
   * Patterns that can be built, oldest first, of all organisations: a pattern of an open anomaly only after that has
   * ended.
   */
  ready(limit: number): Promise<PendingPattern[]> {
    return this.select()
      .innerJoin('anomaly', 'a', 'a.id = p.anomaly_id')
      .where(`p.status IN ('queued', 'building') OR (p.status = 'waiting_for_data' AND a.end_timestamp IS NOT NULL)`)
      .orderBy('p.id')
      .limit(limit)
      .getRawMany<PendingPattern>();
  }

  /** Locks it until `tx` ends; false if it no longer exists. */
  async lock(orgId: number, id: number, tx: Tx): Promise<boolean> {
    const rows: unknown[] = await tx.query('SELECT FROM pending_pattern WHERE org_id = $1 AND id = $2 FOR UPDATE', [
      orgId,
      id,
    ]);
    return rows.length > 0;
  }

  async setStatus(orgId: number, id: number, status: PendingStatus, message: string | null): Promise<void> {
    await this.rows.update({ orgId, id }, { status, message });
  }

  async remove(orgId: number, id: number, tx: Tx): Promise<void> {
    await tx.getRepository(PendingPatternEntity).delete({ orgId, id });
  }

  async removeOfTrainings(orgId: number, trainingIds: readonly number[], tx: Tx): Promise<void> {
    await tx.query('DELETE FROM pending_pattern WHERE org_id = $1 AND training_id = ANY($2::integer[])', [
      orgId,
      trainingIds,
    ]);
  }

  /** Remaining number with a progress. */
  async countOfProgress(orgId: number, progressId: number, tx: Tx): Promise<number> {
    return tx.getRepository(PendingPatternEntity).countBy({ orgId, progressId });
  }

  private select(): SelectQueryBuilder<PendingPatternEntity> {
    const query = this.rows.createQueryBuilder('p').innerJoin('metric', 'm', 'm.id = p.metric_id').select([]);
    for (const [name, column] of Object.entries(COLUMNS)) query.addSelect(column, name);
    return query;
  }
}
