import { Injectable } from '@nestjs/common';
import { type Repository, type SelectQueryBuilder } from 'typeorm';
import { type AnomalyEvent } from '#libs/detection';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { type Page } from '../../common/paging/paging.js';
import { HOUR } from '../../common/time.js';
import { MAX_ROW_ID } from '../../common/validation/param-kind.js';
import { type Chip } from '../../data/chips/chips.js';
import { chipsToSql } from '../../data/chips/chips-sql.js';
import { MatchEntity } from './match.entity.js';
import { type Verdict } from '../../analysis/pattern/pattern.types.js';
import { type Match } from './match.types.js';

const COLUMNS: Readonly<Record<keyof Match, string>> = {
  id: 'x.id',
  orgId: 'x.org_id',
  metricId: 'x.metric_id',
  metricName: 'm.name',
  metricType: 'm.type',
  metricUnit: 'm.unit',
  patternId: 'x.pattern_id',
  patternLabel: 'p.label',
  duration: 'p.duration',
  startTimestamp: 'x.start_timestamp',
  matchType: 'x.match_type',
  similarity: 'x.similarity',
  distance: 'x.distance',
  shapeIndex: 'x.shape_index',
  windowStart: 'x.window_start',
  windowSlots: 'x.window_slots',
  areaPercent: 'x.area_percent',
  explanation: 'x.explanation',
  value: `(x.event ->> 'value')::float8`,
  score: `(x.event ->> 'score')::float8`,
  lower: `(x.event ->> 'lower')::float8`,
  upper: `(x.event ->> 'upper')::float8`,
  validated: 'x.validated',
  validatedBy: 'x.validated_by',
  validatedTimestamp: 'extract(epoch FROM x.validated_at)::float8',
  anomalyId: 'x.anomaly_id',
};

/** Members that a later comparison may change. */
const RENEWED = [
  'pattern_id',
  'match_type',
  'similarity',
  'distance',
  'shape_index',
  'window_start',
  'window_slots',
  'area_percent',
  'explanation',
  'event',
] as const;

export interface MatchFilter {
  patternId?: number;
  metricId?: number;
  /** Unix seconds, inclusive. */
  from?: number;
  until?: number;
  validated?: Verdict;
  chips?: readonly Chip[];
}

export type NewMatch = Pick<
  MatchEntity,
  | 'orgId'
  | 'metricId'
  | 'patternId'
  | 'startTimestamp'
  | 'matchType'
  | 'similarity'
  | 'distance'
  | 'shapeIndex'
  | 'windowStart'
  | 'windowSlots'
  | 'areaPercent'
  | 'explanation'
  | 'event'
  | 'anomalyId'
>;

/** The data needed to convert a match back to an anomaly. */
export interface MatchOfEvent {
  id: number;
  orgId: number;
  metricId: number;
  patternId: number;
  startTimestamp: number;
  event: AnomalyEvent;
  anomalyId: number | null;
  hasCreatedAnomaly: boolean;
  validated: boolean | null;
  similarity: number;
  /** Patterns that the verdict on the match has disabled. */
  disabledPatternIds: number[];
}

@Injectable()
export class MatchRepository {
  constructor(@InjectRepository(MatchEntity) private readonly rows: Repository<MatchEntity>) {}

  private in(tx?: Tx): Repository<MatchEntity> {
    return tx ? tx.getRepository(MatchEntity) : this.rows;
  }

  async find(orgId: number, id: number): Promise<Match | null> {
    if (id > MAX_ROW_ID) return null;
    return (await this.select(orgId).andWhere('x.id = :id', { id }).getRawOne<Match>()) ?? null;
  }

  findByIds(orgId: number, ids: readonly number[]): Promise<Match[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.select(orgId).andWhere('x.id = ANY(:ids)', { ids }).getRawMany<Match>();
  }

  /** Newest first; `now` defines the state of a metric for chips. */
  async list(
    orgId: number,
    filter: MatchFilter,
    { limit, offset }: Page,
    now: number,
  ): Promise<{ matches: Match[]; total: number }> {
    const { patternId, metricId, from, until, validated, chips } = filter;
    const query = this.select(orgId);
    if (chips !== undefined) {
      const { where, parameters } = chipsToSql(chips, 'm', now);
      query.andWhere(where, parameters);
    }
    if (patternId !== undefined) query.andWhere('x.pattern_id = :patternId', { patternId });
    if (metricId !== undefined) query.andWhere('x.metric_id = :metricId', { metricId });
    if (from !== undefined) query.andWhere('x.start_timestamp >= :from', { from });
    if (until !== undefined) query.andWhere('x.start_timestamp <= :until', { until });
    if (validated === 'none') query.andWhere('x.validated IS NULL');
    else if (validated !== undefined) query.andWhere('x.validated = :validated', { validated: validated === 'true' });
    const total = await query.getCount();
    const matches = await query
      .orderBy('x.start_timestamp', 'DESC')
      .addOrderBy('x.id', 'DESC')
      .limit(limit)
      .offset(offset)
      .getRawMany<Match>();
    return { matches, total };
  }

  /** Newest matches of all metrics, the newest first. */
  newest(orgId: number, limit: number): Promise<Match[]> {
    return this.select(orgId)
      .orderBy('x.start_timestamp', 'DESC')
      .addOrderBy('x.id', 'DESC')
      .limit(limit)
      .getRawMany<Match>();
  }

  /** Matches near a time, the nearest first. */
  startedNear(orgId: number, timestamp: number, seconds: number, limit: number): Promise<Match[]> {
    return this.select(orgId)
      .andWhere('x.start_timestamp BETWEEN :from AND :until', { from: timestamp - seconds, until: timestamp + seconds })
      .orderBy('abs(x.start_timestamp - :timestamp)')
      .addOrderBy('x.id')
      .setParameter('timestamp', timestamp)
      .limit(limit)
      .getRawMany<Match>();
  }

  /** The latest match of each metric, newest first. */
  async latestOfMetrics(
    orgId: number,
    chips: readonly Chip[] | undefined,
    limit: number,
    now: number,
  ): Promise<Match[]> {
    const latest = this.rows
      .createQueryBuilder('l')
      .innerJoin('metric', 'lm', 'lm.id = l.metric_id')
      .select('DISTINCT ON (l.metric_id) l.id', 'id')
      .where('l.org_id = :orgId', { orgId })
      .orderBy('l.metric_id')
      .addOrderBy('l.start_timestamp', 'DESC')
      .addOrderBy('l.id', 'DESC');
    const query = this.select(orgId);
    if (chips !== undefined) {
      const { where, parameters } = chipsToSql(chips, 'lm', now);
      latest.andWhere(where);
      query.setParameters(parameters);
    }
    return query
      .andWhere(`x.id IN (${latest.getQuery()})`)
      .orderBy('x.start_timestamp', 'DESC')
      .addOrderBy('x.id', 'DESC')
      .limit(limit)
      .getRawMany<Match>();
  }

  /** Returns their ids, in the same order. */
  async insert(matches: readonly NewMatch[], tx: Tx): Promise<number[]> {
    const { identifiers } = await this.in(tx).insert([...matches]);
    return (identifiers as { id: number }[]).map(({ id }) => id);
  }

  /** Writes the latest results of the comparisons of matches. */
  async renew(orgId: number, renewed: readonly (NewMatch & { id: number })[], tx: Tx): Promise<void> {
    if (renewed.length === 0) return;
    const rows = renewed.map((match) => ({
      id: match.id,
      pattern_id: match.patternId,
      match_type: match.matchType,
      similarity: match.similarity,
      distance: match.distance,
      shape_index: match.shapeIndex,
      window_start: match.windowStart,
      window_slots: match.windowSlots,
      area_percent: match.areaPercent,
      explanation: match.explanation,
      event: match.event,
    }));
    await tx.query(
      `UPDATE pattern_match x SET ${RENEWED.map((column) => `${column} = r.${column}`).join(', ')}
       FROM jsonb_to_recordset($2::jsonb) AS r (id integer, pattern_id integer, match_type text, similarity float8,
         distance float8, shape_index integer, window_start float8, window_slots integer, area_percent float8,
         explanation text, event jsonb)
       WHERE x.org_id = $1 AND x.id = r.id AND (${RENEWED.map((column) => `x.${column}`).join(', ')}) IS DISTINCT FROM
         (${RENEWED.map((column) => `r.${column}`).join(', ')})`,
      [orgId, JSON.stringify(rows)],
    );
  }

  async update(orgId: number, id: number, change: Partial<MatchEntity>, tx: Tx): Promise<void> {
    await this.in(tx).update({ orgId, id }, change);
  }

  /** Locked until `tx` ends. */
  async lock(orgId: number, id: number, tx: Tx): Promise<MatchOfEvent | null> {
    if (id > MAX_ROW_ID) return null;
    const rows = await this.events(orgId, 'x.id = $2', [id], tx);
    return rows[0] ?? null;
  }

  /** The matches of candidates, locked until `tx` ends. */
  lockOfKeys(
    orgId: number,
    keys: readonly { metricId: number; startTimestamp: number }[],
    tx: Tx,
  ): Promise<MatchOfEvent[]> {
    const where = `(x.metric_id, x.start_timestamp) IN (SELECT * FROM unnest($2::integer[], $3::float8[]))`;
    const columns = [keys.map(({ metricId }) => metricId), keys.map(({ startTimestamp }) => startTimestamp)];
    return this.events(orgId, where, columns, tx);
  }

  /** The matches of patterns, locked until `tx` ends. */
  ofPatterns(orgId: number, patternIds: readonly number[], tx: Tx): Promise<MatchOfEvent[]> {
    return this.events(orgId, 'x.pattern_id = ANY($2::integer[])', [patternIds], tx);
  }

  async remove(orgId: number, ids: readonly number[], tx: Tx): Promise<void> {
    await tx.query('DELETE FROM pattern_match WHERE org_id = $1 AND id = ANY($2::integer[])', [orgId, ids]);
  }

  /** Highest similarity of matches that were marked wrong; null if there are none. */
  async nearestWrong(orgId: number, patternId: number, tx: Tx): Promise<number | null> {
    const rows: { nearest: number | null }[] = await tx.query(
      'SELECT max(similarity) AS nearest FROM pattern_match WHERE org_id = $1 AND pattern_id = $2 AND validated = false',
      [orgId, patternId],
    );
    return rows[0]?.nearest ?? null;
  }

  /** Records with the nearest wrong match of a pattern which patterns were disabled because of it. */
  async noteDisabled(orgId: number, patternId: number, ids: readonly number[], tx: Tx): Promise<void> {
    await tx.query(
      `UPDATE pattern_match SET disabled_pattern_ids = disabled_pattern_ids || $3::integer[] WHERE org_id = $1 AND id = (
         SELECT id FROM pattern_match WHERE org_id = $1 AND pattern_id = $2 AND validated = false
         ORDER BY similarity DESC, id LIMIT 1)`,
      [orgId, patternId, ids],
    );
  }

  async countWrong(orgId: number, patternId: number, tx: Tx): Promise<number> {
    return this.in(tx).countBy({ orgId, patternId, validated: false });
  }

  /**
   * Deletes matches of the whole installation that are older than the retention of their organisation. Returns their
   * number.
   */
  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Old matches could not be dropped', role: 'detect', batch: 10_000 })
  async forgetExpired(now: number, limit: number): Promise<number> {
    const [, count] = await this.rows.manager.query<[unknown[], number]>(
      `DELETE FROM pattern_match WHERE id IN (
         SELECT x.id FROM org o JOIN LATERAL (
           SELECT id FROM pattern_match
           WHERE org_id = o.id AND start_timestamp < $1::float8 - o.retention_2_period_seconds LIMIT $2
         ) AS x ON true LIMIT $2)`,
      [now, limit],
    );
    return count;
  }

  private events(orgId: number, where: string, values: unknown[], tx: Tx): Promise<MatchOfEvent[]> {
    return tx.query(
      `SELECT x.id, x.org_id AS "orgId", x.metric_id AS "metricId", x.pattern_id AS "patternId",
              x.start_timestamp AS "startTimestamp", x.event, x.anomaly_id AS "anomalyId",
              x.made_anomaly AS "hasCreatedAnomaly", x.validated, x.similarity,
              x.disabled_pattern_ids AS "disabledPatternIds"
       FROM pattern_match x WHERE x.org_id = $1 AND ${where} ORDER BY x.id FOR UPDATE`,
      [orgId, ...values],
    );
  }

  private select(orgId: number): SelectQueryBuilder<MatchEntity> {
    const query = this.rows
      .createQueryBuilder('x')
      .innerJoin('metric', 'm', 'm.id = x.metric_id')
      .innerJoin('pattern', 'p', 'p.id = x.pattern_id')
      .select([]);
    for (const [name, column] of Object.entries(COLUMNS)) query.addSelect(column, name);
    return query.where('x.org_id = :orgId', { orgId });
  }
}
