import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Aggregation, type MetricType } from '#libs/contracts';
import { type ProgressColumns } from '#libs/detection';
import { type SeriesHeader } from '#libs/protocols';
import { type Tx } from '../common/database/transactions.js';

export interface KnownName {
  id: number;
  name: string;
  isRemoved: boolean;
}

export interface NewMetric {
  header: SeriesHeader;
  nameHash: Buffer;
}

export interface SeriesRow {
  id: number;
  orgId: number;
  type: MetricType;
  aggregation: Aggregation;
  slotSeconds: number;
  timezone: string;
}

/** The statements of the hot path over `metric`: many rows each, columns as arrays. */
@Injectable()
export class MetricRegistryRepository {
  constructor(private readonly dataSource: DataSource) {}

  findByHash(orgId: number, hashes: readonly Buffer[], tx?: Tx): Promise<KnownName[]> {
    return this.in(tx).query(
      `SELECT id, name, removed_at IS NOT NULL AS "isRemoved" FROM metric
       WHERE org_id = $1 AND name_hash = ANY($2::bytea[])`,
      [orgId, hashes],
    );
  }

  /**
   * Room for further metrics under the organisation's limit: null = no limit. Holds the organisation's row until the
   * transaction ends, so that two senders cannot both take the last place.
   */
  async lockQuota(orgId: number, tx: Tx): Promise<number | null> {
    const rows: { limit: number | null }[] = await tx.query(
      `SELECT metric_limit AS "limit" FROM org WHERE id = $1 FOR NO KEY UPDATE`,
      [orgId],
    );
    const limit = rows[0]?.limit ?? null;
    if (limit === null) return null;
    const counted: { used: number }[] = await tx.query(
      `SELECT count(*)::integer AS used FROM metric WHERE org_id = $1 AND removed_at IS NULL`,
      [orgId],
    );
    return Math.max(0, limit - counted[0]!.used);
  }

  /** Names that exist by now are left as they are. Rows in the order of the hash, so that two senders cannot deadlock. */
  async insert(orgId: number, source: string, metrics: readonly NewMetric[], tx: Tx): Promise<void> {
    const sorted = [...metrics].sort((a, b) => Buffer.compare(a.nameHash, b.nameHash));
    const headers = sorted.map(({ header }) => header);
    await tx.query(
      `INSERT INTO metric (org_id, source, name, name_hash, display_name, labels, type, aggregation, unit, description)
       SELECT $1, $2, r.name, r.name_hash, r.display_name, r.labels::jsonb, r.type, r.aggregation, r.unit, r.description
       FROM unnest($3::text[], $4::bytea[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
         AS r (name, name_hash, display_name, labels, type, aggregation, unit, description)
       ON CONFLICT (org_id, name_hash) DO NOTHING`,
      [
        orgId,
        source,
        headers.map((header) => header.name),
        sorted.map(({ nameHash }) => nameHash),
        headers.map((header) => header.displayName),
        headers.map((header) => JSON.stringify(header.labels)),
        headers.map((header) => header.type ?? 'gauge'),
        headers.map((header) => header.aggregation ?? 'last'),
        headers.map((header) => header.unit),
        headers.map((header) => header.description),
      ],
    );
  }

  /** Removed metrics count against the quota again. */
  async restore(orgId: number, ids: readonly number[], tx: Tx): Promise<void> {
    await tx.query(`UPDATE metric SET removed_at = NULL WHERE org_id = $1 AND id = ANY($2::integer[])`, [orgId, ids]);
  }

  /** Of all organisations: detection works through partitions, not organisations. Erased metrics are left out. */
  findSeries(ids: readonly number[]): Promise<SeriesRow[]> {
    return this.dataSource.query(
      `SELECT m.id, m.org_id AS "orgId", m.type, m.aggregation,
              o.retention_1_resolution_seconds AS "slotSeconds", o.timezone
       FROM metric m JOIN org o ON o.id = m.org_id WHERE m.id = ANY($1::integer[])`,
      [ids],
    );
  }

  /** Absolute values: writing the same again changes nothing. In the order of ids, so that writers cannot deadlock. */
  async updateProgress(progress: ProgressColumns, tx: Tx): Promise<void> {
    const order = progress.ids.map((_, row) => row).sort((a, b) => progress.ids[a]! - progress.ids[b]!);
    await tx.query(
      `UPDATE metric AS m SET first_timestamp = p.first, last_timestamp = p.last, last_value = p.value, points = p.points,
              resolution_seconds = nullif(p.resolution, 0), ready_range = p.ready & 1 <> 0,
              ready_daily = p.ready & 2 <> 0, ready_weekly = p.ready & 4 <> 0,
              seasonal_periods = array_remove(ARRAY[p.short, p.long], 0)
       FROM unnest($1::integer[], $2::float8[], $3::float8[], $4::float8[], $5::integer[], $6::integer[], $7::integer[],
                   $8::integer[], $9::integer[])
         AS p (id, first, last, value, points, resolution, short, long, ready)
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
        arrayOf(order, (row) => progress.readiness[row]!),
      ],
    );
  }

  private in(tx?: Tx): Pick<Tx, 'query'> {
    return tx ?? this.dataSource;
  }
}

const LARGEST_INTEGER = 2_147_483_647;

/** An array literal: the driver would quote every number of an array. */
function arrayOf(rows: Uint32Array, value: (row: number) => number): string {
  let text = '{';
  for (let i = 0; i < rows.length; i++) text += i === 0 ? String(value(rows[i]!)) : `,${String(value(rows[i]!))}`;
  return `${text}}`;
}
