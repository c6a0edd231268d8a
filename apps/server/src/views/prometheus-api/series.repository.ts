import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { EXPORTED_METRIC_LABEL, METRIC_LABEL } from '#libs/contracts';
import { isNameProblem, parseMetricName } from '#libs/protocols';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { AnomalyEntity } from '../../analysis/anomaly/anomaly.entity.js';
import { foldCase } from '../../data/chips/chips.js';
import {
  displayNameIs,
  displayNameIsAnyOf,
  displayNameStart,
  INDEXED_CHARACTERS,
} from '../../data/chips/display-name-sql.js';
import { MAX_PROGRESS_LAG_SECONDS } from '../../data/chips/metric-state-sql.js';
import { MetricEntity } from '../../data/metric/metric.entity.js';
import { isOnName, type ReadyMatcher } from './matchers.js';
import { NAME_LABEL } from './promql.types.js';
import { type SeriesWindow, type StoredSeriesRow } from './series.types.js';

/** Selects metrics that may have series for the matchers. */
export interface SeriesFilter {
  /** All of them must match. */
  matchers: readonly ReadyMatcher[];
  /** As stored metrics, or as metrics with derived series: for these the name is not restricted. */
  view: 'stored' | 'derived';
  /** Only metrics with data in the window, or before it while the last value is valid. */
  window: SeriesWindow | null;
  /** Minimum time that a value is valid, seconds, and the same as a multiple of the pace of its metric. */
  lookback: { seconds: number; paces: number };
}

/** An anomaly of a metric: Unix seconds of its first and last slot; `until` null while it is open. */
export interface AnomalyPeriod {
  metricId: number;
  from: number;
  until: number | null;
}

/** A row of GET /api/v1/metadata. */
export interface MetadataRow {
  name: string;
  type: string;
  help: string;
  unit: string;
}

const COLUMNS = `m.id, m.name, m.display_name AS "displayName", m.labels, m.type, m.first_timestamp AS "firstTimestamp",
  m.last_timestamp AS "lastTimestamp", m.last_value AS "lastValue", m.resolution_seconds AS "resolutionSeconds",
  m.has_ended AS "hasEnded"`;

/** Greater than all names in the byte order of the index on names. */
const AFTER_ALL = '\u{10ffff}';
const INDEXED = String(INDEXED_CHARACTERS);
const NAME_START = displayNameStart('m.display_name');

/** The newest point of a metric may be this much later than in its record. */
const LAG = String(MAX_PROGRESS_LAG_SECONDS);

/** Maximum number of names found step by step: if there are more, one query scans all. */
const MAX_STEPS = 2000;

/** Filter of listed names: those that start with `prefix`, of metrics with data in the window. */
type NamesByPrefix = Pick<SeriesFilter, 'window' | 'lookback'> & { prefix: string };

/** SQL condition of `NamesByPrefix`: `$1` to `$6` are the values of `valuesOf`. */
const PREFIX_CONDITION = `m.org_id = $1 AND m.removed_at IS NULL AND starts_with(m.display_name, $2) AND ($3::float8 IS NULL OR (
  m.last_timestamp > $3 - ${LAG} - greatest($5::float8, $6::float8 * coalesce(m.resolution_seconds, 0))
  AND coalesce(m.first_timestamp, m.last_timestamp) <= $4::float8))`;

const valuesOf = (orgId: number, { prefix, window, lookback }: NamesByPrefix): unknown[] => [
  ...[orgId, prefix, window?.from ?? null, window?.until ?? null],
  ...[lookback.seconds, lookback.paces],
];

/** Finds metrics for matchers with the indexes of `metric` and `metric_search`. Removed metrics are omitted. */
@Injectable()
export class SeriesRepository {
  constructor(
    @InjectRepository(MetricEntity) private readonly rows: Repository<MetricEntity>,
    @InjectRepository(AnomalyEntity) private readonly anomalies: Repository<AnomalyEntity>,
  ) {}

  /** Ids of the metrics that pass a filter, unordered, up to a limit: reads no rows. */
  async findIds(orgId: number, filter: SeriesFilter, limit: number): Promise<number[]> {
    const { from, where, parameters } = conditionOf(orgId, filter);
    const rows = await this.rows.query<{ id: number }[]>(
      `SELECT m.id FROM ${from} WHERE ${where} LIMIT $${String(parameters.length + 1)}`,
      [...parameters, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Names without labels of the metrics that pass a filter, up to a limit, unordered. */
  async findNames(orgId: number, filter: SeriesFilter, limit: number): Promise<string[]> {
    const { from, where, parameters } = conditionOf(orgId, filter);
    const rows = await this.rows.query<{ name: string }[]>(
      `SELECT DISTINCT m.display_name AS name FROM ${from} WHERE ${where} LIMIT $${String(parameters.length + 1)}`,
      [...parameters, limit],
    );
    return rows.map(({ name }) => name);
  }

  /** The existing metrics with these ids, ordered by id. */
  findByIds(orgId: number, ids: readonly number[]): Promise<StoredSeriesRow[]> {
    return this.rows.query(
      `SELECT ${COLUMNS} FROM metric m
       WHERE m.org_id = $1 AND m.id = ANY($2::integer[]) AND m.removed_at IS NULL ORDER BY m.id`,
      [orgId, ids],
    );
  }

  /** Names without labels that start with a prefix, unordered, of metrics with data in the window. */
  async listNames(orgId: number, filter: NamesByPrefix, limit: number): Promise<string[]> {
    return (await this.stepNames(orgId, filter))?.slice(0, limit) ?? this.scanNames(orgId, filter, limit);
  }

  /** Whole names, sorted. */
  listMetricNames(orgId: number, window: SeriesWindow | null, limit: number): Promise<string[]> {
    return this.listTexts(orgId, window, 'SELECT m.name AS text', '', limit);
  }

  /** Names of labels, sorted. */
  listLabels(orgId: number, window: SeriesWindow | null, limit: number): Promise<string[]> {
    return this.listTexts(
      orgId,
      window,
      'SELECT l.key AS text',
      'CROSS JOIN LATERAL jsonb_object_keys(m.labels) AS l (key)',
      limit,
    );
  }

  /** Values of a label, sorted. */
  listLabelValues(orgId: number, window: SeriesWindow | null, limit: number, label: string): Promise<string[]> {
    return this.listTexts(orgId, window, 'SELECT m.labels ->> $5 AS text', '', limit, label);
  }

  /** Metadata of names without labels; for each name the newest `limitPerName` different entries. */
  listMetadata(orgId: number, name: string | null, limit: number, limitPerName: number): Promise<MetadataRow[]> {
    return this.rows.query(
      `WITH names AS (
         SELECT DISTINCT m.display_name AS name FROM metric m
         WHERE m.org_id = $1 AND m.removed_at IS NULL AND ($2::text IS NULL OR ${displayNameIs('$2::text')})
         ORDER BY 1 LIMIT $3
       )
       SELECT names.name, of.type, of.help, of.unit
       FROM names CROSS JOIN LATERAL (
         SELECT m.type, coalesce(m.description, '') AS help, coalesce(m.unit, '') AS unit FROM metric m
         WHERE m.org_id = $1 AND ${displayNameIs('names.name')} AND m.removed_at IS NULL
         GROUP BY 1, 2, 3 ORDER BY max(m.id) DESC LIMIT $4) AS of
       ORDER BY names.name`,
      [orgId, name, limit, limitPerName],
    );
  }

  /** Anomalies that overlap a window, of all metrics or of some; without those that users have marked as expected. */
  listAnomalies(
    orgId: number,
    { from, until }: SeriesWindow,
    metricIds: readonly number[] | null,
  ): Promise<AnomalyPeriod[]> {
    return this.anomalies.query(
      `SELECT metric_id AS "metricId", start_timestamp AS "from", end_timestamp AS "until" FROM anomaly
       WHERE org_id = $1 AND start_timestamp <= $3 AND (end_timestamp IS NULL OR end_timestamp >= $2)
         AND ($4::integer[] IS NULL OR metric_id = ANY($4)) AND state IN ('open', 'resolved')
       ORDER BY metric_id, start_timestamp`,
      [orgId, from, until, metricIds],
    );
  }

  /**
   * Steps from name to name along the index: the cost grows with the number of names, not of metrics. Null if there are
   * too many.
   */
  private async stepNames(orgId: number, filter: NamesByPrefix): Promise<string[] | null> {
    const first = `SELECT ${NAME_START} FROM metric m
      WHERE m.org_id = $1 AND m.removed_at IS NULL AND ${NAME_START} <= left($2, ${INDEXED}) || $8::text`;
    const has = `${PREFIX_CONDITION} AND ${NAME_START} = s.start`;
    const rows = await this.rows.query<{ start: string; name: string | null }[]>(
      `WITH RECURSIVE starts (start) AS (
         (${first} AND ${NAME_START} >= left($2, ${INDEXED}) ORDER BY 1 LIMIT 1)
         UNION ALL
         SELECT (${first} AND ${NAME_START} > starts.start ORDER BY 1 LIMIT 1) FROM starts WHERE starts.start IS NOT NULL
       )
       SELECT s.start, named.name FROM (SELECT start FROM starts WHERE start IS NOT NULL LIMIT $7) AS s
       LEFT JOIN LATERAL (
         (SELECT m.display_name AS name FROM metric m WHERE length(s.start) < ${INDEXED} AND ${has} LIMIT 1)
         UNION ALL
         SELECT DISTINCT m.display_name FROM metric m WHERE length(s.start) = ${INDEXED} AND ${has}
       ) AS named ON true`,
      [...valuesOf(orgId, filter), MAX_STEPS + 1, AFTER_ALL],
    );
    if (new Set(rows.map(({ start }) => start)).size > MAX_STEPS) return null;
    return rows.flatMap(({ name }) => name ?? []);
  }

  /** Scans all metrics, which is faster if most names have only one metric; returns the first names, sorted. */
  private async scanNames(orgId: number, filter: NamesByPrefix, limit: number): Promise<string[]> {
    const rows = await this.rows.query<{ name: string }[]>(
      `SELECT found.name FROM (SELECT m.display_name AS name FROM metric m WHERE ${PREFIX_CONDITION}) AS found
       GROUP BY found.name ORDER BY found.name COLLATE "C" LIMIT $7`,
      [...valuesOf(orgId, filter), limit],
    );
    return rows.map(({ name }) => name);
  }

  private async listTexts(
    orgId: number,
    window: SeriesWindow | null,
    select: string,
    join: string,
    limit: number,
    ...more: string[]
  ): Promise<string[]> {
    const rows = await this.rows.query<{ text: string }[]>(
      `SELECT found.text FROM (
         ${select} FROM metric m ${join}
         WHERE m.org_id = $1 AND m.removed_at IS NULL
           AND ($2::float8 IS NULL OR (m.last_timestamp >= $2 - ${LAG} AND coalesce(m.first_timestamp, m.last_timestamp) <= $3))
       ) AS found WHERE found.text IS NOT NULL GROUP BY found.text ORDER BY found.text COLLATE "C" LIMIT $4`,
      [orgId, window?.from ?? null, window?.until ?? null, limit, ...more],
    );
    return rows.map(({ text }) => text);
  }
}

interface Condition {
  /** `metric` alone if no search column is needed. */
  from: string;
  where: string;
  parameters: unknown[];
}

/**
 * Values from requests never become part of the SQL text. The condition selects at least the metrics that the matchers
 * select.
 */
function conditionOf(orgId: number, { matchers, view, window, lookback }: SeriesFilter): Condition {
  const parameters: unknown[] = [];
  const put = (value: unknown): string => `$${String(parameters.push(value))}`;
  const own = put(orgId);
  const parts = [`m.org_id = ${own}`, 'm.removed_at IS NULL'];
  for (const matcher of matchers) {
    if (isOnName(matcher)) {
      if (view === 'stored') parts.push(...nameConditions(matcher, put));
    } else if (matcher.name === METRIC_LABEL) {
      parts.push(...metricConditions(matcher, view, own, put));
    } else if (view === 'stored' || matcher.name !== EXPORTED_METRIC_LABEL) {
      parts.push(...labelConditions(matcher, put));
    }
  }
  if (window) {
    const holds = `greatest(${put(lookback.seconds)}::float8, ${put(lookback.paces)}::float8 * coalesce(m.resolution_seconds, 0))`;
    parts.push(`m.last_timestamp > ${put(window.from)}::float8 - ${LAG} - ${holds}`);
    parts.push(`coalesce(m.first_timestamp, m.last_timestamp) <= ${put(window.until)}::float8`);
  }
  const isSearched = parts.some((part) => part.startsWith('s.') || part.startsWith('left(s.'));
  if (isSearched) parts.push(`s.org_id = ${own}`);
  const from = isSearched ? 'metric m JOIN metric_search s ON s.metric_id = m.id' : 'metric m';
  return { from, where: parts.map((part) => `(${part})`).join(' AND '), parameters };
}

type Put = (value: unknown) => string;

function nameConditions(matcher: ReadyMatcher, put: Put): string[] {
  const { operator, value, facts } = matcher;
  if (operator === '=') return [displayNameIs(`${put(value)}::text`)];
  if (operator === '!=') return [`m.display_name <> ${put(value)}`];
  if (operator !== '=~' || facts === null) return [];
  if (facts.set !== null) return [displayNameIsAnyOf(`${put(facts.set)}::text[]`)];
  if (facts.prefix === '') return [];
  const prefix = put(facts.prefix);
  const [name, low] = [`left(s.name, ${INDEXED})`, `left(lower(${prefix}), ${INDEXED})`];
  return [
    `${name} >= ${low}`,
    `${name} <= ${low} || ${put(AFTER_ALL)}::text`,
    `starts_with(m.display_name, ${prefix})`,
  ];
}

/** Matches the whole name, or a label named `metric`. */
function metricConditions(
  { operator, value }: ReadyMatcher,
  view: SeriesFilter['view'],
  org: string,
  put: Put,
): string[] {
  if (operator !== '=') return [];
  const parsed = parseMetricName(value);
  const hash = createHash('sha256')
    .update(isNameProblem(parsed) ? value : parsed.name)
    .digest();
  const byName = `SELECT id FROM metric WHERE org_id = ${org} AND name_hash = ${put(hash)}`;
  if (view === 'derived') return [`m.id IN (${byName})`];
  return [
    `m.id IN (${byName} UNION SELECT metric_id FROM metric_search WHERE ${holdsLabel(METRIC_LABEL, value, 'metric_search', put)})`,
  ];
}

function labelConditions({ name, operator, value, facts, matchesEmpty }: ReadyMatcher, put: Put): string[] {
  const isNegated = operator === '!=' && value !== '';
  const isAbsent = operator === '=' && value === '';
  // The matcher itself checks a missing label; an unused parameter would be an error.
  if (matchesEmpty && !isNegated && !isAbsent) return [];
  const own = `(m.labels ->> ${put(name)})`;
  if (isAbsent) return [`${own} IS NULL`];
  if (isNegated) return [`${own} IS DISTINCT FROM ${put(value)}`];
  if (operator === '=') return [`${own} = ${put(value)}`, holdsLabel(name, value, 's', put)];
  if (operator === '=~' && facts?.set) return [`${own} = ANY(${put(facts.set)}::text[])`];
  return [`${own} IS NOT NULL`];
}

/** In this form the index on labels is used; it ignores case. Keys that differ only in case have a list of values. */
function holdsLabel(label: string, value: string, alias: string, put: Put): string {
  const [key, text] = [foldCase(label), foldCase(value)];
  const [one, several] = [put(JSON.stringify({ [key]: text })), put(JSON.stringify({ [key]: [text] }))];
  return `${alias}.labels @> ${one}::jsonb OR ${alias}.labels @> ${several}::jsonb`;
}

/** True if a filter selects exactly the metrics that its matchers select. */
export function isExact({ matchers, view }: SeriesFilter): boolean {
  return matchers.every(({ name, operator, facts, matchesEmpty }) => {
    if (view === 'derived' && (name === NAME_LABEL || name === EXPORTED_METRIC_LABEL)) return name === NAME_LABEL;
    const isText = operator === '=' || operator === '!=';
    if (name === METRIC_LABEL) return operator === '=';
    return isText || (operator === '=~' && facts?.set != null && !matchesEmpty);
  });
}
