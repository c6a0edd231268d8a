import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { type SeriesHomeName } from './series-home.js';

/** A series that was copied. */
export interface CopiedSeries {
  id: number;
  points: number;
  rollupDays: number;
}

/** Progress of copying the points of the installation. */
@Injectable()
export class SeriesCopyRepository {
  constructor(private readonly dataSource: DataSource) {}

  get connectionString(): string {
    return (this.dataSource.options as { url: string }).url;
  }

  /** Metrics that are not copied to a store yet, ordered by id. */
  async listIdsOfInstallation(to: SeriesHomeName, most: number): Promise<number[]> {
    const rows: { id: number }[] = await this.dataSource.query(
      `SELECT m.id FROM metric m
       WHERE NOT EXISTS (SELECT FROM series_copied c WHERE c.home = $1 AND c.metric_id = m.id) ORDER BY m.id LIMIT $2`,
      [to, most],
    );
    return rows.map(({ id }) => id);
  }

  async countOfInstallation(to: SeriesHomeName): Promise<{ all: number; copied: number }> {
    const rows: { all: number; copied: number }[] = await this.dataSource.query(
      `SELECT (SELECT count(*) FROM metric)::int AS "all",
              (SELECT count(*) FROM series_copied c JOIN metric m ON m.id = c.metric_id WHERE c.home = $1)::int AS copied`,
      [to],
    );
    return rows[0]!;
  }

  async recordOfInstallation(to: SeriesHomeName, copied: readonly CopiedSeries[]): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO series_copied (home, metric_id, points, rollup_days)
       SELECT $1, * FROM unnest($2::int[], $3::bigint[], $4::int[]) ON CONFLICT (home, metric_id) DO NOTHING`,
      [to, copied.map(({ id }) => id), copied.map(({ points }) => points), copied.map(({ rollupDays }) => rollupDays)],
    );
  }

  async totalOfInstallation(to: SeriesHomeName): Promise<{ points: number; rollupDays: number }> {
    const rows: { points: number; rollupDays: number }[] = await this.dataSource.query(
      `SELECT coalesce(sum(points), 0)::float8 AS points, coalesce(sum(rollup_days), 0)::float8 AS "rollupDays"
       FROM series_copied WHERE home = $1`,
      [to],
    );
    return rows[0]!;
  }

  /** True if a process runs detection, and therefore writes points. */
  async isDetecting(): Promise<boolean> {
    const rows: { found: boolean }[] = await this.dataSource.query(
      `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS found`,
      [DATABASE_LOCKS.detectionPartition.number],
    );
    return rows[0]!.found;
  }
}
