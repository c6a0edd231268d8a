import { Injectable } from '@nestjs/common';
import { AS_IT_WAS, type Habit, type Shape } from '#libs/patterns';
import { type Repository, type SelectQueryBuilder } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { type Page } from '../../common/paging/paging.js';
import { type Chip } from '../../data/chips/chips.js';
import { chipsToSql } from '../../data/chips/chips-sql.js';
import { MAX_ROW_ID } from '../../common/validation/param-kind.js';
import { PatternEntity } from './pattern.entity.js';
import {
  type ComparablePattern,
  DEFAULT_THRESHOLD,
  type NewPattern,
  type Pattern,
  type PatternOrigin,
  type ShapeFrame,
  type Verdict,
} from './pattern.types.js';
import { bytesOf, stretchFrom } from './stored-stretch.js';

const COLUMNS: Readonly<Record<keyof Pattern, string>> = {
  id: 'p.id',
  orgId: 'p.org_id',
  metricId: 'p.metric_id',
  metricName: 'm.name',
  metricType: 'm.type',
  metricUnit: 'm.unit',
  anomalyId: 'p.anomaly_id',
  trainingId: 'p.training_id',
  parentId: 'p.parent_id',
  rootId: 'p.root_id',
  generation: 'p.generation',
  origin: 'p.origin',
  creatorUserId: 'p.creator_user_id',
  duration: 'p.duration',
  partStart: 'p.part_start',
  partEnd: 'p.part_end',
  starts: 'p.starts',
  anomalyValue: 'p.anomaly_value',
  label: 'p.label',
  enabled: 'p.enabled',
  positive: 'p.positive',
  shadow: 'p.shadow',
  learn: 'p.learn',
  validated: 'p.validated',
  similarityThreshold: 'p.similarity_threshold',
  checks: 'p.checks',
  matches: 'p.matches',
  invalidMatches: 'p.invalid_matches',
  agreements: 'p.agreements',
  lastMatchTimestamp: 'p.last_match_timestamp',
  createdTimestamp: 'extract(epoch FROM p.created_at)::float8',
  hasRelatives: '(p.root_id IS NOT NULL OR EXISTS (SELECT FROM pattern c WHERE c.root_id = p.id))',
};

export const PATTERN_ORDERS = ['newest', 'oldest', 'matches', 'last_match'] as const;
export type PatternOrder = (typeof PATTERN_ORDERS)[number];

const ORDERS: Readonly<Record<PatternOrder, readonly [string, 'ASC' | 'DESC', 'NULLS LAST']>> = {
  newest: ['p.created_at', 'DESC', 'NULLS LAST'],
  oldest: ['p.created_at', 'ASC', 'NULLS LAST'],
  matches: ['p.matches', 'DESC', 'NULLS LAST'],
  last_match: ['p.last_match_timestamp', 'DESC', 'NULLS LAST'],
};

/** Waits for a verdict of a person. */
const WAITING = 'p.enabled AND p.shadow AND p.validated IS NULL';

export interface PatternFilter {
  metricId?: number;
  enabled?: boolean;
  origin?: PatternOrigin;
  positive?: boolean;
  shadow?: boolean;
  validated?: Verdict;
  /** In shadow, compared, and without a verdict. */
  waiting?: boolean;
  chips?: readonly Chip[];
}

type ComparableRow = Omit<ComparablePattern, 'frame' | 'habit'> & ShapeFrame & Habit;

interface ShapeRow {
  id: number;
  duration: number;
  partStart: number;
  partEnd: number;
  fineStart: number;
  fineStep: number;
  fine: Buffer;
  contextStart: number;
  contextStep: number;
  context: Buffer;
}

const COMPARABLE_COLUMNS: Readonly<Record<keyof ComparableRow, string>> = {
  id: 'p.id',
  metricId: 'p.metric_id',
  rootId: 'p.root_id',
  parentId: 'p.parent_id',
  generation: 'p.generation',
  origin: 'p.origin',
  label: 'p.label',
  positive: 'p.positive',
  shadow: 'p.shadow',
  learn: 'p.learn',
  validated: 'p.validated',
  starts: 'p.starts',
  instances: 'p.instances',
  shortest: 'p.shortest',
  longest: 'p.longest',
  lowest: 'p.lowest',
  highest: 'p.highest',
  threshold: 'p.similarity_threshold',
  createdTimestamp: 'extract(epoch FROM p.created_at)::float8',
  duration: 'p.duration',
  partStart: 'p.part_start',
  partEnd: 'p.part_end',
  fineStep: 'p.fine_step',
  contextStep: 'p.context_step',
};

/** Columns of a pattern that can change. */
const STAMPED = ['id', 'label', 'positive', 'shadow', 'learn', 'validated', 'starts', 'threshold'] as const;

const SHAPE_COLUMNS: Readonly<Record<keyof ShapeRow, string>> = {
  id: 'p.id',
  duration: 'p.duration',
  partStart: 'p.part_start',
  partEnd: 'p.part_end',
  fineStart: 'p.fine_start',
  fineStep: 'p.fine_step',
  fine: 'p.fine',
  contextStart: 'p.context_start',
  contextStep: 'p.context_step',
  context: 'p.context',
};

/** Results of shadows, one after the other, compared with those of trusted patterns. */
export interface AgreementRuns {
  /**
   * Number of agreements before the first difference; longest run of agreements; and number of agreements after the
   * last difference.
   */
  first: number;
  longest: number;
  last: number;
  differed: boolean;
}

@Injectable()
export class PatternRepository {
  constructor(@InjectRepository(PatternEntity) private readonly rows: Repository<PatternEntity>) {}

  private in(tx?: Tx): Repository<PatternEntity> {
    return tx ? tx.getRepository(PatternEntity) : this.rows;
  }

  async find(orgId: number, id: number, tx?: Tx): Promise<Pattern | null> {
    if (id > MAX_ROW_ID) return null;
    return (await this.select(orgId, tx).andWhere('p.id = :id', { id }).getRawOne<Pattern>()) ?? null;
  }

  findByIds(orgId: number, ids: readonly number[], tx?: Tx): Promise<Pattern[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.select(orgId, tx).andWhere('p.id = ANY(:ids)', { ids }).orderBy('p.id').getRawMany<Pattern>();
  }

  /** `now` defines the state of a metric for chips. */
  async list(
    orgId: number,
    filter: PatternFilter,
    { limit, offset, order }: Page & { order: PatternOrder },
    now: number,
  ): Promise<{ patterns: Pattern[]; total: number }> {
    const { metricId, enabled, origin, positive, shadow, validated, waiting, chips } = filter;
    const query = this.select(orgId);
    if (metricId !== undefined) query.andWhere('p.metric_id = :metricId', { metricId });
    if (chips !== undefined) {
      const { where, parameters } = chipsToSql(chips, 'm', now);
      query.andWhere(where, parameters);
    }
    if (shadow !== undefined) query.andWhere('p.shadow = :shadow', { shadow });
    if (validated === 'none') query.andWhere('p.validated IS NULL');
    else if (validated !== undefined) query.andWhere('p.validated = :verdict', { verdict: validated === 'true' });
    if (waiting !== undefined) query.andWhere(`(${WAITING}) = :waiting`, { waiting });
    if (enabled !== undefined) query.andWhere('p.enabled = :enabled', { enabled });
    if (origin !== undefined) query.andWhere('p.origin = :origin', { origin });
    if (positive !== undefined) query.andWhere('p.positive = :positive', { positive });
    const total = await query.getCount();
    const patterns = await query
      .orderBy(...ORDERS[order])
      .addOrderBy('p.id', order === 'oldest' ? 'ASC' : 'DESC')
      .limit(limit)
      .offset(offset)
      .getRawMany<Pattern>();
    return { patterns, total };
  }

  /** The rest of its family, oldest first. */
  relatives(orgId: number, { id, rootId }: Pattern, limit: number): Promise<Pattern[]> {
    return this.select(orgId)
      .andWhere('(p.root_id = :root OR p.id = :root) AND p.id <> :id', { root: rootId ?? id, id })
      .orderBy('p.id')
      .limit(limit)
      .getRawMany<Pattern>();
  }

  /** By anomaly: the patterns trained from it, and those that it resembles; oldest first. */
  async ofAnomalies(orgId: number, anomalyIds: readonly number[]): Promise<(Pattern & { ofAnomalyId: number })[]> {
    if (anomalyIds.length === 0) return [];
    return this.select(orgId)
      .innerJoin(
        `(SELECT id AS pattern_id, anomaly_id FROM pattern WHERE org_id = :orgId AND anomaly_id = ANY(:anomalyIds)
            AND training_id IS NOT NULL
          UNION SELECT pattern_id, anomaly_id FROM anomaly_resemblance WHERE org_id = :orgId AND anomaly_id = ANY(:anomalyIds))`,
        'of_anomaly',
        'of_anomaly.pattern_id = p.id',
      )
      .setParameter('anomalyIds', anomalyIds)
      .addSelect('of_anomaly.anomaly_id', 'ofAnomalyId')
      .orderBy('p.id')
      .getRawMany<Pattern & { ofAnomalyId: number }>();
  }

  async insert(pattern: NewPattern, tx: Tx): Promise<number> {
    const { shape, starts, habit = AS_IT_WAS, similarityThreshold = DEFAULT_THRESHOLD, ...row } = pattern;
    const { identifiers } = await this.in(tx).insert({
      ...row,
      ...habit,
      starts: [...starts],
      similarityThreshold,
      duration: shape.duration,
      partStart: shape.partStart,
      partEnd: shape.partEnd,
      fineStart: shape.fine.start,
      fineStep: shape.fine.step,
      fine: bytesOf(shape.fine),
      contextStart: shape.context.start,
      contextStep: shape.context.step,
      context: bytesOf(shape.context),
      enabled: true,
    });
    return (identifiers[0] as { id: number }).id;
  }

  /** Patterns of metrics with comparable patterns; ids ascend. */
  async comparable(orgId: number, metricIds: readonly number[]): Promise<ComparablePattern[]> {
    const rows = await this.selectOnly(COMPARABLE_COLUMNS, orgId)
      .andWhere('p.metric_id = ANY(:metricIds) AND p.enabled', { metricIds })
      .orderBy('p.id')
      .getRawMany<ComparableRow>();
    return rows.map(comparableOf);
  }

  /**
   * For metrics with compared patterns: a text that changes whenever the result of `comparable` changes. The database
   * reads the patterns for it, but callers need not receive the rows.
   */
  async stamps(orgId: number, metricIds: readonly number[]): Promise<Map<number, string>> {
    const columns = STAMPED.map((name) => COMPARABLE_COLUMNS[name]).join(', ');
    const rows: { metricId: number; stamp: string }[] = await this.rows.manager.query(
      `SELECT p.metric_id AS "metricId",
              count(*)::text || ':' || sum(hash_record_extended(ROW(${columns}), 0))::text AS stamp
       FROM pattern p WHERE p.org_id = $1 AND p.metric_id = ANY($2::integer[]) AND p.enabled GROUP BY p.metric_id`,
      [orgId, metricIds],
    );
    return new Map(rows.map(({ metricId, stamp }) => [metricId, stamp]));
  }

  async comparableById(orgId: number, id: number): Promise<ComparablePattern | null> {
    const query = this.selectOnly(COMPARABLE_COLUMNS, orgId).andWhere('p.id = :id', { id });
    const row = await query.getRawOne<ComparableRow>();
    return row === undefined ? null : comparableOf(row);
  }

  /** All patterns of a metric, including those that are not compared; newest first. */
  async everyShape(orgId: number, metricId: number, limit: number): Promise<Shape[]> {
    const rows = await this.selectOnly(SHAPE_COLUMNS, orgId)
      .andWhere('p.metric_id = :metricId', { metricId })
      .orderBy('p.id', 'DESC')
      .limit(limit)
      .getRawMany<ShapeRow>();
    return rows.map(shapeOf);
  }

  async shapes(orgId: number, ids: readonly number[]): Promise<Map<number, Shape>> {
    if (ids.length === 0) return new Map();
    const rows = await this.selectOnly(SHAPE_COLUMNS, orgId)
      .andWhere('p.id = ANY(:ids)', { ids })
      .getRawMany<ShapeRow>();
    return new Map(rows.map((row) => [row.id, shapeOf(row)]));
  }

  /** The metrics with an enabled pattern; `suppresses`: with one that suppresses anomalies. */
  async metricsWithPatterns(
    metricIds: readonly number[],
    tx: Tx,
  ): Promise<{ metricId: number; orgId: number; suppresses: boolean }[]> {
    return tx.query(
      `SELECT metric_id AS "metricId", org_id AS "orgId", bool_or(NOT shadow AND NOT positive) AS suppresses
       FROM pattern WHERE metric_id = ANY($1::integer[]) AND enabled GROUP BY metric_id, org_id`,
      [metricIds],
    );
  }

  /** Locks the patterns until `tx` ends; returns the ids of the enabled ones. */
  async lockEnabled(orgId: number, ids: readonly number[], tx: Tx): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const rows: { id: number }[] = await tx.query(
      'SELECT id FROM pattern WHERE org_id = $1 AND id = ANY($2::integer[]) AND enabled ORDER BY id FOR UPDATE',
      [orgId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Adds to the numbers of comparisons. */
  async addChecks(orgId: number, counts: ReadonlyMap<number, number>): Promise<void> {
    await this.rows.manager.query(
      `UPDATE pattern p SET checks = p.checks + held.more FROM (
         SELECT c.id, c.more FROM unnest($2::integer[], $3::integer[]) AS c (id, more)
         JOIN pattern USING (id) WHERE org_id = $1 ORDER BY c.id FOR UPDATE OF pattern
       ) AS held WHERE p.id = held.id`,
      [orgId, [...counts.keys()], [...counts.values()]],
    );
  }

  async addMatches(orgId: number, added: readonly { id: number; count: number; at: number }[], tx: Tx): Promise<void> {
    await tx.query(
      `UPDATE pattern p SET matches = p.matches + a.count, last_match_timestamp = greatest(p.last_match_timestamp, a.at)
       FROM unnest($2::integer[], $3::integer[], $4::float8[]) AS a (id, count, at) WHERE p.org_id = $1 AND p.id = a.id`,
      [orgId, added.map(({ id }) => id), added.map(({ count }) => count), added.map(({ at }) => at)],
    );
  }

  /** Call it once the matches belong to another pattern, or are deleted. */
  async takeMatchesBack(orgId: number, taken: readonly { id: number; count: number }[], tx: Tx): Promise<void> {
    await tx.query(
      `UPDATE pattern p SET matches = greatest(0, p.matches - t.count), last_match_timestamp =
         (SELECT max(start_timestamp) FROM pattern_match WHERE pattern_id = p.id)
       FROM unnest($2::integer[], $3::integer[]) AS t (id, count) WHERE p.org_id = $1 AND p.id = t.id`,
      [orgId, taken.map(({ id }) => id), taken.map(({ count }) => count)],
    );
  }

  /**
   * Counts results of shadows that equal those of trusted patterns, or are the opposite, one after the other. Returns
   * those that become trusted.
   */
  async noteAgreements(
    orgId: number,
    runs: ReadonlyMap<number, AgreementRuns>,
    enough: number,
    tx: Tx,
  ): Promise<number[]> {
    if (runs.size === 0) return [];
    const all = [...runs.values()];
    const [rows]: [{ id: number; shadow: boolean }[], number] = await tx.query(
      `UPDATE pattern p SET agreements = CASE WHEN r.differed THEN r.last ELSE p.agreements + r.first END,
              shadow = p.agreements + r.first < $6 AND r.longest < $6
       FROM unnest($2::integer[], $3::integer[], $4::integer[], $5::integer[], $7::boolean[])
         AS r (id, first, longest, last, differed)
       WHERE p.org_id = $1 AND p.id = r.id AND p.shadow RETURNING p.id, p.shadow`,
      [
        orgId,
        [...runs.keys()],
        all.map(({ first }) => first),
        all.map(({ longest }) => longest),
        all.map(({ last }) => last),
        enough,
        all.map(({ differed }) => differed),
      ],
    );
    return rows.filter(({ shadow }) => !shadow).map(({ id }) => id);
  }

  /** The pattern and all patterns derived from it. */
  async withDescendants(orgId: number, id: number, tx: Tx): Promise<number[]> {
    const rows: { id: number }[] = await tx.query(
      `WITH RECURSIVE family AS (
         SELECT id FROM pattern WHERE org_id = $1 AND id = $2
         UNION SELECT c.id FROM pattern c JOIN family f ON c.parent_id = f.id WHERE c.org_id = $1
       ) SELECT id FROM family ORDER BY id`,
      [orgId, id],
    );
    return rows.map((row) => row.id);
  }

  /** Returns the ids of those that were enabled. */
  async disable(orgId: number, ids: readonly number[], tx: Tx): Promise<number[]> {
    const [rows]: [{ id: number }[], number] = await tx.query(
      'UPDATE pattern SET enabled = false WHERE org_id = $1 AND id = ANY($2::integer[]) AND enabled RETURNING id',
      [orgId, ids],
    );
    return rows.map(({ id }) => id).sort((a, b) => a - b);
  }

  /** Enables patterns again, unless a person has marked them wrong. Returns their ids. */
  async enable(orgId: number, ids: readonly number[], tx: Tx): Promise<number[]> {
    if (ids.length === 0) return [];
    const [rows]: [{ id: number }[], number] = await tx.query(
      `UPDATE pattern SET enabled = true
       WHERE org_id = $1 AND id = ANY($2::integer[]) AND NOT enabled AND validated IS DISTINCT FROM false RETURNING id`,
      [orgId, ids],
    );
    return rows.map(({ id }) => id).sort((a, b) => a - b);
  }

  async update(
    orgId: number,
    id: number,
    change: Partial<
      Pick<
        PatternEntity,
        'enabled' | 'label' | 'positive' | 'validated' | 'shadow' | 'similarityThreshold' | 'invalidMatches'
      >
    >,
    tx: Tx,
  ): Promise<void> {
    await this.in(tx).update({ orgId, id }, change);
  }

  /** Other starts at which the shapes were seen; each once. */
  async addStarts(orgId: number, ids: readonly number[], starts: readonly number[], tx: Tx): Promise<void> {
    if (ids.length === 0 || starts.length === 0) return;
    await tx.query(
      `UPDATE pattern SET starts = (SELECT array_agg(DISTINCT s ORDER BY s) FROM unnest(starts || $3::float8[]) AS s)
       WHERE org_id = $1 AND id = ANY($2::integer[])`,
      [orgId, ids, starts],
    );
  }

  /** Removes a start that turned out wrong; the last one stays. */
  async removeStart(orgId: number, id: number, start: number, tx: Tx): Promise<void> {
    await tx.query(
      `UPDATE pattern SET starts = array_remove(starts, $3::float8)
       WHERE org_id = $1 AND id = $2 AND cardinality(array_remove(starts, $3::float8)) > 0`,
      [orgId, id, start],
    );
  }

  /**
   * Enabled patterns of a metric: learnt ones before trained ones, oldest first; the order in which they are replaced.
   */
  async enabledOf(orgId: number, metricId: number, tx: Tx): Promise<{ id: number; isMachine: boolean }[]> {
    return tx.query(
      `SELECT id, origin <> 'trained' AS "isMachine" FROM pattern WHERE org_id = $1 AND metric_id = $2 AND enabled
       ORDER BY origin = 'trained', created_at, id`,
      [orgId, metricId],
    );
  }

  /** Ids of the patterns of trainings, and of all patterns derived from them. */
  async ofTrainings(orgId: number, trainingIds: readonly number[], tx: Tx): Promise<number[]> {
    const rows: { id: number }[] = await tx.query(
      `WITH RECURSIVE family AS (
         SELECT id FROM pattern WHERE org_id = $1 AND training_id = ANY($2::integer[])
         UNION SELECT c.id FROM pattern c JOIN family f ON c.parent_id = f.id WHERE c.org_id = $1
       ) SELECT id FROM family ORDER BY id`,
      [orgId, trainingIds],
    );
    return rows.map(({ id }) => id);
  }

  async remove(orgId: number, ids: readonly number[], tx: Tx): Promise<void> {
    await tx.query('DELETE FROM pattern WHERE org_id = $1 AND id = ANY($2::integer[])', [orgId, ids]);
  }

  /** Records which anomalies resemble known problems. */
  async noteResemblances(
    orgId: number,
    pairs: readonly { anomalyId: number; patternId: number }[],
    tx: Tx,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO anomaly_resemblance (anomaly_id, pattern_id, org_id)
       SELECT r.anomaly_id, p.id, $1 FROM unnest($2::integer[], $3::integer[]) AS r (anomaly_id, pattern_id)
       JOIN pattern p ON p.id = r.pattern_id AND p.org_id = $1 ORDER BY r.anomaly_id, p.id ON CONFLICT DO NOTHING`,
      [orgId, pairs.map(({ anomalyId }) => anomalyId), pairs.map(({ patternId }) => patternId)],
    );
  }

  /** Of the metrics, those for which the system has derived a pattern since a moment. */
  async learntSince(orgId: number, metricIds: readonly number[], since: Date, tx?: Tx): Promise<Set<number>> {
    const rows: { metricId: number }[] = await (tx ?? this.rows.manager).query(
      `SELECT DISTINCT metric_id AS "metricId" FROM pattern WHERE org_id = $1 AND metric_id = ANY($2::integer[])
         AND origin IN ('learnt', 'recurring') AND created_at > $3`,
      [orgId, metricIds, since],
    );
    return new Set(rows.map(({ metricId }) => metricId));
  }

  private select(orgId: number, tx?: Tx): SelectQueryBuilder<PatternEntity> {
    const query = this.in(tx).createQueryBuilder('p').innerJoin('metric', 'm', 'm.id = p.metric_id').select([]);
    for (const [name, column] of Object.entries(COLUMNS)) query.addSelect(column, name);
    return query.where('p.org_id = :orgId', { orgId });
  }

  private selectOnly(
    columns: Readonly<Record<string, string>>,
    orgId: number,
    tx?: Tx,
  ): SelectQueryBuilder<PatternEntity> {
    const query = this.in(tx).createQueryBuilder('p').select([]);
    for (const [name, column] of Object.entries(columns)) query.addSelect(column, name);
    return query.where('p.org_id = :orgId', { orgId });
  }
}

function comparableOf(row: ComparableRow): ComparablePattern {
  const { duration, partStart, partEnd, fineStep, contextStep, ...rest } = row;
  const { instances, shortest, longest, lowest, highest, ...pattern } = rest;
  return {
    ...pattern,
    habit: { instances, shortest, longest, lowest, highest },
    frame: { duration, partStart, partEnd, fineStep, contextStep },
  };
}

function shapeOf(row: ShapeRow): Shape {
  const { duration, partStart, partEnd } = row;
  return {
    duration,
    partStart,
    partEnd,
    fine: stretchFrom(row.fineStart, row.fineStep, row.fine),
    context: stretchFrom(row.contextStart, row.contextStep, row.context),
  };
}
