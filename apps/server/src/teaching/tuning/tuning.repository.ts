import { Injectable } from '@nestjs/common';
import { IsNull, type Repository, type SelectQueryBuilder } from 'typeorm';
import { type SeriesTerms } from '#libs/detection';
import { idFor } from '../../common/database/dry-run.js';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { type Chip } from '../../data/chips/chips.js';
import { everCoveredBy, metricsCoveredBy } from '../../data/chips/covered-metrics.repository.js';
import { termsOf } from './tuning-terms.js';
import { TuningEntity } from './tuning.entity.js';
import { type TuningSettings } from './tuning.types.js';

/** Tunings, and the resulting terms of metrics: rows of the metric table, with separate SQL. */
@Injectable()
export class TuningRepository {
  constructor(@InjectRepository(TuningEntity) private readonly rows: Repository<TuningEntity>) {}

  private in(tx?: Tx): Repository<TuningEntity> {
    return tx ? tx.getRepository(TuningEntity) : this.rows;
  }

  findById(orgId: number, id: number, tx?: Tx): Promise<TuningEntity | null> {
    return this.in(tx).findOneBy({ orgId, id, deletedAt: IsNull() });
  }

  /** Also finds a deleted tuning. */
  findEver(orgId: number, id: number, tx: Tx): Promise<TuningEntity | null> {
    return this.in(tx).findOneBy({ orgId, id });
  }

  /** Oldest first. */
  listAll(orgId: number, tx?: Tx): Promise<TuningEntity[]> {
    return this.in(tx).find({ where: { orgId, deletedAt: IsNull() }, order: { id: 'ASC' } });
  }

  count(orgId: number, tx?: Tx): Promise<number> {
    return this.in(tx).countBy({ orgId, deletedAt: IsNull() });
  }

  async insert(row: Omit<TuningEntity, 'id'>, tx?: Tx): Promise<TuningEntity> {
    const { identifiers } = await this.in(tx).insert({ ...row, ...idFor(tx) });
    return { ...row, id: (identifiers[0] as { id: number }).id };
  }

  async update(orgId: number, id: number, fields: Partial<TuningEntity>, tx?: Tx): Promise<void> {
    await this.in(tx).update({ orgId, id }, fields);
  }

  /** False if it was already deleted, or never existed. */
  async markDeleted(orgId: number, id: number, at: Date, tx: Tx): Promise<boolean> {
    const { affected } = await this.in(tx).update({ orgId, id, deletedAt: IsNull() }, { deletedAt: at });
    return affected === 1;
  }

  countMetrics(orgId: number, chips: readonly Chip[]): Promise<number> {
    return metricsCoveredBy(this.rows.manager, orgId, chips)
      .select('count(*)::integer', 'count')
      .getRawOne<{ count: number }>()
      .then((found) => found?.count ?? 0);
  }

  /** Ids of the metrics that chips select, up to a number, by id. */
  async metricIds(orgId: number, chips: readonly Chip[], limit: number): Promise<number[]> {
    const query = metricsCoveredBy(this.rows.manager, orgId, chips).limit(limit);
    return idsOf(query);
  }

  /**
   * Ids of all metrics that chips select, including removed ones: the tuning applies from their first point when they
   * return.
   */
  everSelectedIds(orgId: number, chips: readonly Chip[], tx: Tx): Promise<number[]> {
    return idsOf(everCoveredBy(tx, orgId, chips));
  }

  /**
   * Id of the terms of some settings, the same for equal settings of all organisations; null: they are the defaults.
   */
  async termsIdOf(settings: TuningSettings, tx: Tx): Promise<number | null> {
    const terms = termsOf(settings);
    if (Object.keys(terms).length === 0) return null;
    const find = () => tx.query<{ id: number }[]>('SELECT id FROM detection_terms WHERE terms = $1', [terms]);
    const [known] = await find();
    // An insert with a conflict also uses up an id.
    if (known) return known.id;
    await tx.query('INSERT INTO detection_terms (terms) VALUES ($1) ON CONFLICT (terms) DO NOTHING', [terms]);
    const [created] = await find();
    return created!.id;
  }

  /** The terms of some metrics in the form of detection. Metrics without terms are omitted. */
  async listTerms(orgId: number, metricIds: readonly number[]): Promise<Map<number, SeriesTerms>> {
    const rows = await this.rows.query<{ id: number; terms: SeriesTerms }[]>(
      `SELECT m.id, t.terms FROM metric m JOIN detection_terms t ON t.id = m.terms_id
       WHERE m.org_id = $1 AND m.id = ANY($2::integer[])`,
      [orgId, metricIds],
    );
    return new Map(rows.map(({ id, terms }) => [id, terms]));
  }

  /**
   * Gives each listed metric its terms, and removes those of all other metrics of the organisation. Detection is
   * notified of the changes. Returns their number.
   */
  async setTerms(orgId: number, terms: ReadonlyMap<number, number>, tx: Tx): Promise<number> {
    const [, changed]: [unknown, number] = await tx.query(
      `UPDATE metric SET terms_id = found.terms_id
       FROM (SELECT m.id, w.terms_id FROM metric m
             LEFT JOIN unnest($2::integer[], $3::integer[]) AS w (id, terms_id) ON w.id = m.id
             WHERE m.org_id = $1 AND m.terms_id IS DISTINCT FROM w.terms_id ORDER BY m.id) AS found
       WHERE metric.id = found.id`,
      [orgId, [...terms.keys()], [...terms.values()]],
    );
    return changed;
  }

  /** Schedules the application of the tunings of the organisation to its metrics. `at`: earliest time. */
  async scheduleApplication(orgId: number, at: Date, tx?: Tx): Promise<void> {
    await (tx ?? this.rows.manager).query(
      `INSERT INTO tuning_application (org_id, due_at) VALUES ($1, $2)
       ON CONFLICT (org_id) DO UPDATE SET due_at = EXCLUDED.due_at`,
      [orgId, at],
    );
  }

  /** An organisation whose tunings are due; locked until `tx` ends. */
  async claimReady(now: Date, tx: Tx): Promise<number | null> {
    const [row] = await tx.query<{ orgId: number }[]>(
      `SELECT org_id AS "orgId" FROM tuning_application WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [now],
    );
    return row?.orgId ?? null;
  }

  async cancelApplication(orgId: number, tx: Tx): Promise<void> {
    await tx.query('DELETE FROM tuning_application WHERE org_id = $1', [orgId]);
  }
}

async function idsOf(selected: SelectQueryBuilder<object>): Promise<number[]> {
  const rows = await selected.select('s.metric_id', 'id').orderBy('s.metric_id').getRawMany<{ id: number }>();
  return rows.map(({ id }) => id);
}
