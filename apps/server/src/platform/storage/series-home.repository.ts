import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type SeriesHomeName } from './series-home.js';

/** Records which store has the points of the installation. */
@Injectable()
export class SeriesHomeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Undefined before the first start of a version that supports several stores. */
  async findHomeOfInstallation(): Promise<SeriesHomeName | undefined> {
    const rows: { home: SeriesHomeName }[] = await this.dataSource.query('SELECT home FROM series_home');
    return rows[0]?.home;
  }

  async saveHomeOfInstallation(home: SeriesHomeName): Promise<void> {
    await this.dataSource.query(
      'INSERT INTO series_home (home) VALUES ($1) ON CONFLICT (one_row) DO UPDATE SET home = EXCLUDED.home',
      [home],
    );
  }

  async forgetCopyOfInstallation(): Promise<void> {
    await this.dataSource.query('DELETE FROM series_copied');
  }

  /** True if a store has points of series, or has had them. */
  async hasPointsOfInstallation(home: SeriesHomeName): Promise<boolean> {
    const tables =
      home === 'postgres'
        ? ['series_recent', 'series_block', 'series_rollup']
        : ['series_ahead', 'series_outside WHERE org_id IS NOT NULL'];
    const rows: { found: boolean }[] = await this.dataSource.query(
      `SELECT ${tables.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ')} AS found`,
    );
    return rows[0]!.found;
  }
}
