import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository, type SelectQueryBuilder } from 'typeorm';
import { type MetricState, type MetricType } from '#libs/contracts';
import { type Chip } from '../common/chips/chips.js';
import { chipsToSql } from '../common/chips/chips-sql.js';
import { metricStateSql } from '../common/chips/metric-state-sql.js';
import { type Page } from '../common/paging/paging.js';
import { type MetricOrder } from './dto/list-metrics.query.dto.js';
import { type AnomalyFacts } from './dto/metric.dto.js';
import { MetricEntity } from './metric.entity.js';
import { type MetricRecord } from './metric.types.js';

export interface MetricFilter {
  chips: readonly Chip[];
  /** Empty = all. */
  states: readonly MetricState[];
  type?: MetricType;
  source?: string;
}

export interface LabelCount {
  key: string;
  value: string;
  count: number;
}

export interface NameCount {
  beginning: string;
  count: number;
}

/** Dotted names are suggested down to this depth. */
const SUGGESTED_SEGMENTS = 4;

const ORDER_SQL: Record<MetricOrder, readonly [expression: string, direction: 'ASC' | 'DESC'][]> = {
  name: [['m.name', 'ASC']],
  created: [['m.created_at', 'DESC']],
  last_data: [['coalesce(m.last_timestamp, 0)', 'DESC']],
  anomalies: [['coalesce(counted.anomalies, 0)', 'DESC']],
};

/** Reads of the metric table, joined with what anomalies say of a metric. Writing is the registry's. */
@Injectable()
export class MetricRepository {
  constructor(@InjectRepository(MetricEntity) private readonly rows: Repository<MetricEntity>) {}

  async findById(orgId: number, id: number, now: number): Promise<MetricRecord | null> {
    return (await this.findByIds(orgId, [id], now))[0] ?? null;
  }

  async findByName(orgId: number, name: string, now: number): Promise<MetricRecord | null> {
    const hash = createHash('sha256').update(name).digest();
    const query = this.records(orgId, now).andWhere('m.name_hash = :hash', { hash });
    return (await toRecords(query))[0] ?? null;
  }

  /** Those that exist, in the order of their ids. */
  findByIds(orgId: number, ids: readonly number[], now: number): Promise<MetricRecord[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const known = ids.filter((id) => id <= MAX_ID);
    return toRecords(this.records(orgId, now).andWhere('m.id = ANY(:ids)', { ids: known }).orderBy('m.id'));
  }

  async page(
    orgId: number,
    filter: MetricFilter,
    order: MetricOrder,
    page: Page,
    now: number,
  ): Promise<{ records: MetricRecord[]; total: number }> {
    const total = await this.count(orgId, filter, now);
    const query = narrow(this.records(orgId, now), filter, now);
    if (order === 'anomalies') {
      query.leftJoin(
        (sub) =>
          sub
            .select(['a.metric_id', 'count(*) AS anomalies'])
            .from('anomaly', 'a')
            .where('a.org_id = :orgId')
            .groupBy('a.metric_id'),
        'counted',
        'counted.metric_id = m.id',
      );
    }
    for (const [expression, direction] of ORDER_SQL[order]) query.addOrderBy(expression, direction);
    query.addOrderBy('m.id', 'ASC').limit(page.limit).offset(page.offset);
    return { records: await toRecords(query), total };
  }

  async count(orgId: number, filter: MetricFilter, now: number): Promise<number> {
    const query = narrow(this.ofOrg(orgId), filter, now).select('count(*)::int', 'count');
    return (await query.getRawOne<{ count: number }>())?.count ?? 0;
  }

  /** Numbers of anomalies, open ones, and the start of the newest, for each metric that has any. */
  async anomalyFacts(orgId: number, ids: readonly number[]): Promise<Map<number, AnomalyFacts>> {
    if (ids.length === 0) return new Map();
    const rows = await this.rows.manager
      .createQueryBuilder()
      .select('a.metric_id', 'metricId')
      .addSelect('count(*)::int', 'count')
      .addSelect(`max(a.id) FILTER (WHERE a.state = 'open')`, 'openId')
      .addSelect('max(a.start_timestamp)', 'lastTimestamp')
      .from('anomaly', 'a')
      .where('a.org_id = :orgId AND a.metric_id = ANY(:ids)', { orgId, ids })
      .groupBy('a.metric_id')
      .getRawMany<AnomalyFacts & { metricId: number }>();
    return new Map(rows.map(({ metricId, ...facts }) => [metricId, facts]));
  }

  /** Labels that some but not all of the selected metrics carry, the most frequent first; values alike but for case count together. */
  labelCounts(orgId: number, filter: MetricFilter, total: number, limit: number, now: number): Promise<LabelCount[]> {
    const found = narrow(this.ofOrg(orgId), filter, now).select('m.labels', 'labels');
    return this.rows.manager
      .createQueryBuilder()
      .from(`(SELECT each.* FROM (${found.getQuery()}) AS found, jsonb_each_text(found.labels) AS each)`, 'label')
      .setParameters(found.getParameters())
      .select('label.key', 'key')
      .addSelect('min(label.value)', 'value')
      .addSelect('count(*)::int', 'count')
      .groupBy('label.key')
      .addGroupBy('lower(label.value)')
      .having('count(*) < :total', { total })
      .orderBy('count(*)', 'DESC')
      .addOrderBy('label.key')
      .addOrderBy('min(label.value)')
      .limit(limit)
      .getRawMany<LabelCount>();
  }

  /**
   * Beginnings of names that some but not all of the selected metrics share, the most frequent first: whole segments of
   * dotted names (`web.`, `web.cpu.`), and names in front of labels (`http_requests_total{`). As `ILIKE` would count.
   */
  nameCounts(orgId: number, filter: MetricFilter, total: number, limit: number, now: number): Promise<NameCount[]> {
    const found = narrow(this.ofOrg(orgId), filter, now)
      .select('m.display_name', 'name')
      .addSelect(`count(*) FILTER (WHERE m.labels <> '{}')`, 'labelled')
      .addSelect('count(*)', 'count')
      .groupBy('m.display_name');
    const beginnings = `
      SELECT array_to_string(segments[1:depth], '.') || '.' AS beginning, found.count
      FROM (${found.getQuery()}) AS found,
           string_to_array(found.name, '.') AS segments,
           generate_series(1, least(cardinality(segments) - 1, ${String(SUGGESTED_SEGMENTS)})) AS depth
      UNION ALL
      SELECT found.name || '{', found.labelled FROM (${found.getQuery()}) AS found WHERE found.labelled > 0`;
    return this.rows.manager
      .createQueryBuilder()
      .from(`(${beginnings})`, 'shared')
      .setParameters(found.getParameters())
      .select('min(shared.beginning)', 'beginning')
      .addSelect('sum(shared.count)::int', 'count')
      .groupBy('lower(shared.beginning)')
      .having('sum(shared.count) < :total', { total })
      .orderBy('sum(shared.count)', 'DESC')
      .addOrderBy('min(shared.beginning)')
      .limit(limit)
      .getRawMany<NameCount>();
  }

  private ofOrg(orgId: number): SelectQueryBuilder<MetricEntity> {
    return this.rows.createQueryBuilder('m').where('m.org_id = :orgId', { orgId });
  }

  private records(orgId: number, now: number): SelectQueryBuilder<MetricEntity> {
    const query = this.ofOrg(orgId).select([]).setParameter('now', now);
    for (const [column, expression] of Object.entries(COLUMNS)) query.addSelect(expression, column);
    return query.addSelect(metricStateSql('m', ':now'), 'state');
  }
}

/** Ids are 32-bit integers in the database; a larger one is nobody's. */
const MAX_ID = 2_147_483_647;

type Row = Omit<MetricRecord, 'ready'> & { readyRange: boolean; readyDaily: boolean; readyWeekly: boolean };

const COLUMNS: Record<Exclude<keyof Row, 'state'>, string> = {
  id: 'm.id',
  orgId: 'm.org_id',
  name: 'm.name',
  displayName: 'm.display_name',
  labels: 'm.labels',
  type: 'm.type',
  aggregation: 'm.aggregation',
  unit: 'm.unit',
  description: 'm.description',
  source: 'm.source',
  createdTimestamp: 'floor(extract(epoch FROM m.created_at))::double precision',
  firstTimestamp: 'm.first_timestamp',
  lastTimestamp: 'm.last_timestamp',
  lastValue: 'm.last_value',
  points: 'm.points',
  resolutionSeconds: 'm.resolution_seconds',
  seasonalPeriods: 'm.seasonal_periods',
  readyRange: 'm.ready_range',
  readyDaily: 'm.ready_daily',
  readyWeekly: 'm.ready_weekly',
};

async function toRecords(query: SelectQueryBuilder<MetricEntity>): Promise<MetricRecord[]> {
  const rows = await query.getRawMany<Row>();
  return rows.map(({ readyRange, readyDaily, readyWeekly, ...row }) => ({
    ...row,
    ready: { range: readyRange, daily: readyDaily, weekly: readyWeekly },
  }));
}

function narrow(
  query: SelectQueryBuilder<MetricEntity>,
  { chips, states, type, source }: MetricFilter,
  now: number,
): SelectQueryBuilder<MetricEntity> {
  const condition = chipsToSql(chips, 'm', now);
  query.andWhere(condition.where, condition.parameters).setParameter('now', now);
  if (states.length > 0) query.andWhere(`${metricStateSql('m', ':now')} = ANY(:states)`, { states });
  if (type !== undefined) query.andWhere('m.type = :type', { type });
  if (source !== undefined) query.andWhere('m.source = :source', { source });
  return query;
}
