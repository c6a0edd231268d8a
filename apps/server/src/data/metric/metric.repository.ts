import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Repository, type SelectQueryBuilder } from 'typeorm';
import { METRIC_STATES, type MetricState, type MetricType } from '#libs/contracts';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Chip } from '../chips/chips.js';
import { chipsToSearchSql } from '../chips/chips-search-sql.js';
import { metricStateSql } from '../chips/metric-state-sql.js';
import { type Page } from '../../common/paging/paging.js';
import { type MetricOrder } from './dto/list-metrics.params.js';
import { type AnomalyFacts } from './dto/metric.dto.js';
import { MetricEntity, MetricSearchEntity } from './metric.entity.js';
import { type MetricRecord } from './metric.types.js';
import { type Narrowings, narrowingsSql, type NarrowingsWanted } from './narrowings-sql.js';
import { MAX_ROW_ID } from '../../common/validation/param-kind.js';

export interface MetricFilter {
  chips: readonly Chip[];
  /** Empty = all. */
  states: readonly MetricState[];
  type?: MetricType;
  source?: string;
}

/** `reverse`: the last row first, `offset` counts from the end. */
export interface MetricPage extends Page {
  reverse?: boolean;
}

type OrderColumn = readonly [expression: string, direction: 'ASC' | 'DESC'];

const BY_ID: OrderColumn = ['s.metric_id', 'ASC'];
const OPPOSITE = { ASC: 'DESC', DESC: 'ASC' } as const;

const ORDER_SQL: Record<MetricOrder, readonly OrderColumn[]> = {
  // The index covers the first part.
  name: [
    ['left(s.name, 128)', 'ASC'],
    ['s.name', 'ASC'],
  ],
  // Ids increase with each created metric.
  created: [['s.metric_id', 'DESC']],
  last_data: [['coalesce(m.last_timestamp, 0)', 'DESC']],
  anomalies: [['coalesce(counted.anomalies, 0)', 'DESC']],
};

/**
 * Reads the metric table, joined with data about anomalies. Lists use `metric_search`, whose states may be half a
 * minute old; records contain the current state. MetricRegistryRepository writes.
 */
@Injectable()
export class MetricRepository {
  constructor(
    @InjectRepository(MetricEntity) private readonly rows: Repository<MetricEntity>,
    @InjectRepository(MetricSearchEntity) private readonly searchRows: Repository<MetricSearchEntity>,
  ) {}

  async findById(orgId: number, id: number, now: number): Promise<MetricRecord | null> {
    return (await this.findByIds(orgId, [id], now))[0] ?? null;
  }

  async findByName(orgId: number, name: string, now: number): Promise<MetricRecord | null> {
    const hash = createHash('sha256').update(name).digest();
    const query = this.records(orgId, now).andWhere('m.name_hash = :hash', { hash });
    return (await toRecords(query))[0] ?? null;
  }

  /** Existing metrics, ordered by name. */
  findByNames(orgId: number, names: readonly string[], now: number): Promise<MetricRecord[]> {
    const hashes = names.map((name) => createHash('sha256').update(name).digest());
    return toRecords(this.records(orgId, now).andWhere('m.name_hash = ANY(:hashes)', { hashes }).orderBy('m.name'));
  }

  /** Existing metrics, ordered by id. */
  findByIds(orgId: number, ids: readonly number[], now: number): Promise<MetricRecord[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const known = ids.filter((id) => id <= MAX_ROW_ID);
    return toRecords(this.records(orgId, now).andWhere('m.id = ANY(:ids)', { ids: known }).orderBy('m.id'));
  }

  async findRows(
    orgId: number,
    filter: MetricFilter,
    order: MetricOrder,
    page: MetricPage,
    now: number,
  ): Promise<MetricRecord[]> {
    const ids = await this.ids(orgId, filter, order, page);
    const records = new Map((await this.findByIds(orgId, ids, now)).map((record) => [record.id, record]));
    return ids.flatMap((id) => records.get(id) ?? []);
  }

  async count(orgId: number, filter: MetricFilter): Promise<number> {
    const query = this.search(orgId, filter).select('count(*)::int', 'count');
    return (await query.getRawOne<{ count: number }>())?.count ?? 0;
  }

  private async ids(orgId: number, filter: MetricFilter, order: MetricOrder, page: MetricPage): Promise<number[]> {
    const query = this.search(orgId, filter).select('s.metric_id', 'id');
    if (order === 'last_data') query.innerJoin('metric', 'm', 'm.id = s.metric_id');
    if (order === 'anomalies') {
      query.leftJoin(
        (sub) =>
          sub
            .select(['a.metric_id', 'count(*) AS anomalies'])
            .from('anomaly', 'a')
            .where('a.org_id = :orgId')
            .groupBy('a.metric_id'),
        'counted',
        'counted.metric_id = s.metric_id',
      );
    }
    const columns = order === 'created' ? ORDER_SQL.created : [...ORDER_SQL[order], BY_ID];
    for (const [expression, direction] of columns) {
      query.addOrderBy(expression, page.reverse === true ? OPPOSITE[direction] : direction);
    }
    query.limit(page.limit).offset(page.offset);
    return (await query.getRawMany<{ id: number }>()).map(({ id }) => id);
  }

  /** Anomalies, matches and patterns of each metric. */
  async anomalyFacts(orgId: number, ids: readonly number[]): Promise<Map<number, AnomalyFacts>> {
    if (ids.length === 0) return new Map();
    const rows = await this.rows.manager.query<(AnomalyFacts & { metricId: number })[]>(
      `SELECT ids.id AS "metricId", a.count, a."openId", a."lastTimestamp", x.matches, x."lastMatchTimestamp", p.patterns
       FROM unnest($2::integer[]) AS ids (id)
       CROSS JOIN LATERAL (
         SELECT count(*)::integer AS count, max(id) FILTER (WHERE state = 'open') AS "openId",
                max(start_timestamp) AS "lastTimestamp"
         FROM anomaly WHERE org_id = $1 AND metric_id = ids.id) AS a
       CROSS JOIN LATERAL (
         SELECT count(*)::integer AS matches, max(start_timestamp) AS "lastMatchTimestamp"
         FROM pattern_match WHERE org_id = $1 AND metric_id = ids.id) AS x
       CROSS JOIN LATERAL (
         SELECT count(*)::integer AS patterns FROM pattern WHERE org_id = $1 AND metric_id = ids.id AND enabled) AS p`,
      [orgId, ids],
    );
    return new Map(rows.map(({ metricId, ...facts }) => [metricId, facts]));
  }

  /**
   * Number of selected metrics, and the most frequent labels and name prefixes that would narrow the selection (whole
   * segments of dotted names, `web.` and `web.cpu.`, and names before labels, `http_requests_total{`). Texts that
   * differ only in case count together, as `ILIKE` would count. One statement that reads the names once, because it
   * runs while somebody types. For a large number of metrics it counts a sample.
   */
  async narrowings(
    orgId: number,
    filter: MetricFilter,
    { names: withNames, ...wanted }: NarrowingsWanted,
  ): Promise<Narrowings> {
    const hits = this.search(orgId, filter).select('count(*)::int', 'total').addSelect('array_agg(s.metric_id)', 'ids');
    const found = await this.rows.manager
      .createQueryBuilder()
      .from(`(${narrowingsSql(hits.getQuery(), withNames)})`, 'found')
      .setParameters({ ...hits.getParameters(), ...wanted })
      .select('found.total', 'total')
      .addSelect('found.size', 'size')
      .addSelect('found.labels', 'labels')
      .addSelect('found.names', 'names')
      .getRawOne<Narrowings & { size: number }>();
    const { total = 0, size = 0, labels = [], names = [] } = found ?? {};
    const ofAll = <Counted extends { count: number }>(counted: Counted): Counted => ({
      ...counted,
      count: Math.round((counted.count / size) * total),
    });
    return { total, labels: labels.map(ofAll), names: names.map(ofAll) };
  }

  /** Number of selected metrics per value. */
  countByMember(
    orgId: number,
    filter: MetricFilter,
    member: 'source' | 'type' | 'state',
  ): Promise<{ value: string; count: number }[]> {
    return this.search(orgId, filter)
      .select(`s.${member}`, 'value')
      .addSelect('count(*)::int', 'count')
      .groupBy(`s.${member}`)
      .getRawMany();
  }

  private search(orgId: number, { chips, states, type, source }: MetricFilter): SelectQueryBuilder<MetricSearchEntity> {
    const condition = chipsToSearchSql(chips, 's');
    const query = this.searchRows.createQueryBuilder('s').where('s.org_id = :orgId', { orgId });
    query.andWhere(`(${condition.where})`, condition.parameters);
    if (states.length > 0 && states.length < METRIC_STATES.length) query.andWhere('s.state = ANY(:states)', { states });
    if (type !== undefined) query.andWhere('s.type = :type', { type });
    if (source !== undefined) query.andWhere('s.source = lower(:source)', { source });
    return query;
  }

  private selectOrg(orgId: number): SelectQueryBuilder<MetricEntity> {
    return this.rows.createQueryBuilder('m').where('m.org_id = :orgId', { orgId });
  }

  private records(orgId: number, now: number): SelectQueryBuilder<MetricEntity> {
    const query = this.selectOrg(orgId)
      .innerJoin('metric_search', 'found', 'found.metric_id = m.id')
      .select([])
      .setParameter('now', now);
    for (const [column, expression] of Object.entries(COLUMNS)) query.addSelect(expression, column);
    return query.addSelect(metricStateSql('m', ':now'), 'state');
  }
}

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
  valuesNeeded: 'CASE WHEN m.ready_range THEN 0 ELSE m.values_needed END',
  isSteady: 'm.steady_pace',
  resolutionSeconds: 'm.resolution_seconds',
  seasonalPeriods: 'm.seasonal_periods',
  terms: '(SELECT t.terms FROM detection_terms t WHERE t.id = m.terms_id)',
  excludedTimestamp: 'extract(epoch FROM found.excluded_at)::double precision',
  readyRange: 'm.ready_range',
  readyDaily: 'm.ready_daily',
  readyWeekly: 'm.ready_weekly',
  isOnlyHistory: 'm.only_history',
};

async function toRecords(query: SelectQueryBuilder<MetricEntity>): Promise<MetricRecord[]> {
  const rows = await query.getRawMany<Row>();
  return rows.map(({ readyRange, readyDaily, readyWeekly, ...row }) => ({
    ...row,
    ready: { range: readyRange, daily: readyDaily, weekly: readyWeekly },
  }));
}
