import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Counts whether an installation has one organisation or several. */
@Injectable()
export class OrganisationCountRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Excludes demo organisations: their visitors cannot change settings. */
  async hasSecondOrg(): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      'SELECT 1 FROM org WHERE deleted_at IS NULL AND NOT is_demo LIMIT 2',
    );
    return rows.length > 1;
  }
}
