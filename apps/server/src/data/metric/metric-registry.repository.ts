import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { type Aggregation, type MetricType } from '#libs/contracts';
import { type ProgressColumns, type SeriesTerms } from '#libs/detection';
import { countsAgainstQuotaSql } from '../chips/metric-state-sql.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { displayNameIs } from '../chips/display-name-sql.js';
import { type NewMetric, NewMetricKinds } from './new-metric-kinds.js';
import { type MetricDescription, TYPE_SOURCES, type TypeSource } from './metric-registry.types.js';

/** A name as stored in the database. */
export interface KnownName {
  id: number;
  name: string;
  isRemoved: boolean;
  type: MetricType;
  typeSource: TypeSource;
  unit: string | null;
  description: string | null;
}

/** A null member is unknown and changes nothing. */
export interface DescriptionUpdate extends MetricDescription {
  id: number;
}

/** Metadata for all metrics that share one name without labels. */
export interface FamilyUpdate extends MetricDescription {
  displayName: string;
}

export interface DescribedRow extends KnownName {
  orgId: number;
  typeBefore: MetricType;
}

export interface SeriesRow extends SeriesTerms {
  id: number;
  orgId: number;
  type: MetricType;
  aggregation: Aggregation;
  slotSeconds: number;
  timezone: string;
  mayBeCounter: boolean;
}

export interface OrgOfNewMetrics {
  /** Number of further metrics within the limit. */
  room: number;
  slotSeconds: number;
  timezone: string;
}

const KNOWN_NAME = `m.id, m.name, m.removed_at IS NOT NULL AS "isRemoved", m.type, m.type_source AS "typeSource", m.unit,
  m.description`;

/** Rank of a source by its strength. */
const rank = (source: string): string =>
  `array_position(ARRAY[${TYPE_SOURCES.map((known) => `'${known}'`).join(', ')}], ${source})`;

/** Sources that declare which series are counters: a series that they do not declare is not guessed at. */
export const TYPED_SOURCES: readonly string[] = ['prometheus', 'opentelemetry'];
const TYPED_SOURCES_SQL = `(${TYPED_SOURCES.map((source) => `'${source}'`).join(', ')})`;

/** Statements of the hot path over `metric`: many rows each, with arrays as columns. */
@Injectable()
export class MetricRegistryRepository {
  constructor(private readonly dataSource: DataSource) {}

  findByName(orgId: number, names: readonly string[], tx?: Tx): Promise<KnownName[]> {
    return this.in(tx).query(
      `SELECT ${KNOWN_NAME} FROM metric m WHERE m.org_id = $1
         AND m.name_hash = ANY (ARRAY(SELECT ${hashSql('asked.name')} FROM unnest($2::text[]) AS asked (name)))`,
      [orgId, textArray(names)],
    );
  }

  /**
   * Settings of an organisation for new metrics. Locks its row until the transaction ends, so that two senders cannot
   * both take the last place of the quota.
   */
  async lockOrg(orgId: number, tx: Tx): Promise<OrgOfNewMetrics> {
    const rows: { limit: number | null; slotSeconds: number; timezone: string }[] = await tx.query(
      `SELECT metric_limit AS "limit", retention_1_resolution_seconds AS "slotSeconds", timezone
       FROM org WHERE id = $1 FOR NO KEY UPDATE`,
      [orgId],
    );
    const { limit, slotSeconds, timezone } = rows[0] ?? { limit: null, slotSeconds: NaN, timezone: '' };
    if (limit === null) return { room: Infinity, slotSeconds, timezone };
    const counted: { used: number }[] = await tx.query(
      `SELECT (
         SELECT count(*) FROM metric_search s
         WHERE s.org_id = $1 AND ${countsAgainstQuotaSql('s', 'extract(epoch FROM now())')}
       )::integer + (
         SELECT coalesce(sum(cardinality(p.metric_ids)), 0) FROM metric_search_pending p WHERE p.org_id = $1
       )::integer AS used`,
      [orgId],
    );
    return { room: Math.max(0, limit - counted[0]!.used), slotSeconds, timezone };
  }

  /**
   * Inserts metrics and returns their ids in order; 0 if another process has already created the name, whose row stays
   * unchanged. Inserts in the order of the hash, so that two senders cannot deadlock and index pages are written in
   * sequence.
   * @param isSearchBehind lists and searches find the metrics only after `writeSearchRows` has processed them
   */
  async insert(
    orgId: number,
    source: string,
    metrics: readonly NewMetric[],
    isSearchBehind: boolean,
    tx: Tx,
  ): Promise<number[]> {
    if (isSearchBehind) await tx.query(`SELECT set_config('plumbline.search_behind', 'on', true)`);
    const kinds = new NewMetricKinds();
    const rows = metrics.map((metric) => kinds.numberOf(metric));
    const [created] = await tx.query<{ ids: string }[]>(
      `WITH r AS MATERIALIZED (
         SELECT n.name, ${hashSql('n.name')} AS hash, n.labels, n.kind, n.place
         FROM unnest($3::text[], $4::text[], $5::integer[]) WITH ORDINALITY AS n (name, labels, kind, place)
       ), made AS (
         INSERT INTO metric (org_id, source, name, name_hash, display_name, labels, type, type_source, aggregation, unit,
                             description, terms_id)
         SELECT $1, $2, r.name, r.hash, split_part(r.name, '{', 1), r.labels::jsonb, ($6::text[])[r.kind],
                ($7::text[])[r.kind], ($8::text[])[r.kind], ($9::text[])[r.kind], ($10::text[])[r.kind],
                ($11::integer[])[r.kind]
         FROM r ORDER BY r.hash
         ON CONFLICT (org_id, name_hash) DO NOTHING
         RETURNING id, name_hash
       )
       SELECT string_agg(coalesce(made.id, 0)::text, ',' ORDER BY r.place) AS ids
       FROM r LEFT JOIN made ON made.name_hash = r.hash`,
      [
        ...[orgId, source],
        textArray(metrics.map(({ header }) => header.name)),
        textArray(metrics.map(({ labels }) => JSON.stringify(labels))),
        `{${rows.join(',')}}`,
        ...kinds.columns(),
      ],
    );
    return created!.ids.split(',').map(Number);
  }

  /**
   * Writes missing search rows, oldest metrics first, and returns their number. If many are missing, it pauses for
   * twice as long as it has written, so that a flood of new names leaves capacity of the database for other work.
   */
  @Housekeeping({ everyMs: 1000, failure: 'New metrics could not be made searchable', role: 'detect', batch: 5000 })
  async writeSearchRows(_now: number, batch: number): Promise<number> {
    const began = performance.now();
    const [row] = await this.dataSource.query<{ count: number }[]>(
      `WITH due AS (
         SELECT p.id FROM metric_search_pending p JOIN (
           SELECT id, sum(cardinality(metric_ids)) OVER (ORDER BY id) - cardinality(metric_ids) AS before
           FROM (SELECT id, metric_ids FROM metric_search_pending ORDER BY id LIMIT $1) AS oldest
         ) AS counted USING (id)
         WHERE counted.before < $1 FOR UPDATE OF p SKIP LOCKED
       ), taken AS (
         DELETE FROM metric_search_pending WHERE id IN (SELECT id FROM due) RETURNING metric_ids
       ), ids AS MATERIALIZED (
         SELECT array_agg(id) AS ids FROM taken, unnest(metric_ids) AS id
       )
       SELECT coalesce(cardinality(ids), 0) AS count, metric_search_write(ids) FROM ids`,
      [batch],
    );
    const { count } = row!;
    if (count >= batch) await pause(2 * (performance.now() - began));
    return count;
  }

  /** Makes removed metrics count against the quota again, and clears the end that their removal has set. */
  async restore(orgId: number, ids: readonly number[], tx: Tx): Promise<void> {
    await tx.query(
      `UPDATE metric SET removed_at = NULL, has_ended = false WHERE id IN (
         SELECT id FROM metric WHERE org_id = $1 AND id = ANY($2::integer[]) ORDER BY id FOR UPDATE)`,
      [orgId, ids],
    );
  }

  /** Removes metrics from the quota; returns the ids of those that counted against it. */
  async remove(orgId: number, ids: readonly number[], tx: Tx): Promise<number[]> {
    const [rows] = await tx.query<[{ id: number }[], number]>(
      `UPDATE metric SET removed_at = now() WHERE id IN (
         SELECT id FROM metric WHERE org_id = $1 AND id = ANY($2::integer[]) AND removed_at IS NULL
         ORDER BY id FOR UPDATE)
       RETURNING id`,
      [orgId, ids],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes the metric and its anomalies. False if it does not exist. */
  async erase(orgId: number, id: number, tx: Tx): Promise<boolean> {
    const [, count] = await tx.query<[unknown[], number]>('DELETE FROM metric WHERE org_id = $1 AND id = $2', [
      orgId,
      id,
    ]);
    return count > 0;
  }

  /**
   * Changes rows, and returns those that changed. A type is only changed by a source at least as strong as that of the
   * stored type.
   */
  describe(updates: readonly DescriptionUpdate[], tx: Tx): Promise<DescribedRow[]> {
    return this.update(
      `unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[])
         AS u (id, type, type_source, unit, description) JOIN metric m ON m.id = u.id`,
      [updates.map(({ id }) => id), ...columnsOf(updates)],
      tx,
    );
  }

  /**
   * The same for all metrics that share one of the names without labels. A value that a sender has given for a single
   * metric is kept.
   */
  describeFamilies(orgId: number, updates: readonly FamilyUpdate[], tx: Tx): Promise<DescribedRow[]> {
    return this.update(
      `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
         AS u (display_name, type, type_source, unit, description)
         JOIN metric m ON m.org_id = $6 AND ${displayNameIs('u.display_name')}`,
      [updates.map(({ displayName }) => displayName), ...columnsOf(updates), orgId],
      tx,
    );
  }

  /** Sets the type of metrics whose type was not given and whose values revealed it. */
  async makeCounters(ids: readonly number[], tx: Tx): Promise<DescribedRow[]> {
    const [rows] = await tx.query<[DescribedRow[], number]>(
      `UPDATE metric AS m SET type = 'counter', type_source = 'detected' WHERE m.id IN (
         SELECT id FROM metric
         WHERE id = ANY($1::integer[]) AND type = 'gauge' AND type_source = 'default' AND source NOT IN ${TYPED_SOURCES_SQL}
         ORDER BY id FOR UPDATE)
       RETURNING ${KNOWN_NAME}, m.org_id AS "orgId", 'gauge' AS "typeBefore"`,
      [ids],
    );
    return rows;
  }

  /** Of all organisations: detection works by partition, not by organisation. Erased metrics are omitted. */
  async findSeries(ids: readonly number[]): Promise<SeriesRow[]> {
    const rows = await this.dataSource.query<(SeriesRow & { terms: SeriesTerms | null })[]>(
      `SELECT m.id, m.org_id AS "orgId", m.type, m.aggregation,
              o.retention_1_resolution_seconds AS "slotSeconds", o.timezone,
              m.type_source = 'default' AND m.source NOT IN ${TYPED_SOURCES_SQL} AS "mayBeCounter", t.terms
       FROM metric m JOIN org o ON o.id = m.org_id LEFT JOIN detection_terms t ON t.id = m.terms_id
       WHERE m.id = ANY($1::integer[])`,
      [ids],
    );
    return rows.map(({ terms, ...row }) => ({ ...row, ...terms }));
  }

  /** Terms by number. They never change. */
  async findTerms(ids: readonly number[]): Promise<Map<number, SeriesTerms>> {
    const rows = await this.dataSource.query<{ id: number; terms: SeriesTerms }[]>(
      'SELECT id, terms FROM detection_terms WHERE id = ANY($1::integer[])',
      [ids],
    );
    return new Map(rows.map(({ id, terms }) => [id, terms]));
  }

  /** Writes absolute values, so a repeated write changes nothing. Ordered by id, so that writers cannot deadlock. */
  async updateProgress(progress: ProgressColumns, tx: Tx): Promise<void> {
    const order = progress.ids.map((_, row) => row).sort((a, b) => progress.ids[a]! - progress.ids[b]!);
    await tx.query(
      `UPDATE metric AS m SET first_timestamp = p.first, last_timestamp = p.last, last_value = p.value, points = p.points,
              resolution_seconds = nullif(p.resolution, 0), ready_range = p.flags & 1 <> 0,
              ready_daily = p.flags & 2 <> 0, ready_weekly = p.flags & 4 <> 0, has_ended = p.flags & 8 <> 0,
              only_history = p.flags & 16 <> 0, values_needed = p.needed,
              steady_pace = CASE p.flags & 96 WHEN 32 THEN true WHEN 64 THEN false END,
              seasonal_periods = array_remove(ARRAY[p.short, p.long], 0)
       FROM unnest($1::integer[], $2::float8[], $3::float8[], $4::float8[], $5::integer[], $6::integer[], $7::integer[],
                   $8::integer[], $9::integer[], $10::integer[])
         AS p (id, first, last, value, points, resolution, short, long, flags, needed)
       WHERE m.id = p.id`,
      [
        arrayOf(order, (row) => progress.ids[row]!),
        arrayOf(order, (row) => progress.firstTimestamps[row]!),
        arrayOf(order, (row) => progress.lastTimestamps[row]!),
        arrayOf(order, (row) => progress.lastValues[row]!),
        arrayOf(order, (row) => Math.min(LARGEST_INTEGER, progress.points[row]!)),
        arrayOf(order, (row) => Math.min(LARGEST_INTEGER, Math.round(progress.resolutionSeconds[row]! || 0))),
        arrayOf(order, (row) => progress.shortPeriods[row]!),
        arrayOf(order, (row) => progress.longPeriods[row]!),
        arrayOf(order, (row) => progress.flags[row]!),
        arrayOf(order, (row) => progress.valuesNeeded[row]!),
      ],
    );
  }

  /** @param said rows `u` of metadata, each joined with its metric `m` */
  private async update(described: string, parameters: readonly unknown[], tx: Tx): Promise<DescribedRow[]> {
    const wins = `u.type IS NOT NULL AND ${rank('u.type_source')} >= ${rank('m.type_source')}`;
    // An explicit unit or text is only replaced by another explicit one.
    const isKept = `m.type_source = 'explicit' AND u.type_source <> 'explicit'`;
    const [rows] = await tx.query<[DescribedRow[], number]>(
      `UPDATE metric AS m
       SET type = n.type, type_source = n.type_source, unit = n.unit, description = n.description
       FROM (
         SELECT m.id, m.type AS type_before,
                CASE WHEN ${wins} THEN u.type ELSE m.type END AS type,
                CASE WHEN ${wins} THEN u.type_source ELSE m.type_source END AS type_source,
                CASE WHEN ${isKept} THEN coalesce(m.unit, u.unit) ELSE coalesce(u.unit, m.unit) END AS unit,
                CASE WHEN ${isKept} THEN coalesce(m.description, u.description)
                     ELSE coalesce(u.description, m.description) END AS description
         FROM ${described} ORDER BY m.id FOR UPDATE OF m
       ) AS n
       WHERE m.id = n.id AND (m.type, m.type_source, m.unit, m.description)
             IS DISTINCT FROM (n.type, n.type_source, n.unit, n.description)
       RETURNING ${KNOWN_NAME}, m.org_id AS "orgId", n.type_before AS "typeBefore"`,
      parameters,
    );
    return rows;
  }

  private in(tx?: Tx): Pick<Tx, 'query'> {
    return tx ?? this.dataSource;
  }
}

function columnsOf(updates: readonly MetricDescription[]): unknown[][] {
  return [
    updates.map(({ type }) => type),
    updates.map(({ typeSource }) => typeSource),
    updates.map(({ unit }) => unit),
    updates.map(({ description }) => description),
  ];
}

/** SQL: the lookup key of a name; for a column or expression of type text. */
const hashSql = (name: string): string => `sha256(convert_to(${name}, 'UTF8'))`;

/**
 * An array literal of names or JSON texts, built much faster than by the driver. Neither contains control characters,
 * so JSON escapes only quotes and backslashes, as PostgreSQL does.
 */
function textArray(texts: readonly string[]): string {
  return `{${JSON.stringify(texts).slice(1, -1)}}`;
}

const LARGEST_INTEGER = 2_147_483_647;

/** An array literal of numbers: the driver would quote every number. */
function arrayOf(rows: Uint32Array, value: (row: number) => number): string {
  let text = '{';
  for (let i = 0; i < rows.length; i++) text += i === 0 ? String(value(rows[i]!)) : `,${String(value(rows[i]!))}`;
  return `${text}}`;
}
