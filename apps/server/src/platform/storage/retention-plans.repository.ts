import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type RetentionTiers } from '#libs/series';
import { type TierSettings } from './retention-tiers.js';

const COLUMNS: readonly [column: string, name: keyof TierSettings][] = [
  ['retention_1_resolution_seconds', 'retention1ResolutionSeconds'],
  ['retention_1_period_seconds', 'retention1PeriodSeconds'],
  ['retention_2_resolution_seconds', 'retention2ResolutionSeconds'],
  ['retention_2_period_seconds', 'retention2PeriodSeconds'],
];
const SETTINGS = COLUMNS.map(([column, name]) => `o.${column} AS "${name}"`).join(', ');

/** Reads settings of organisations together with the ids of their metrics. */
@Injectable()
export class RetentionPlansRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The largest id of a metric of the installation; 0 if there is none. */
  async newestIdOfInstallation(): Promise<number> {
    const rows: { id: number }[] = await this.dataSource.query('SELECT coalesce(max(id), 0) AS id FROM metric');
    return rows[0]!.id;
  }

  /** Metrics of all organisations of the installation whose retention differs from `usual`, grouped by retention. */
  unusualOfInstallation({ tier1, tier2 }: RetentionTiers): Promise<(TierSettings & { ids: number[] })[]> {
    return this.dataSource.query(
      `SELECT ${SETTINGS}, coalesce(array_agg(m.id ORDER BY m.id) FILTER (WHERE m.id IS NOT NULL), '{}') AS ids
       FROM org o LEFT JOIN metric m ON m.org_id = o.id
       WHERE (${COLUMNS.map(([column]) => `o.${column}`).join(', ')}) IS DISTINCT FROM ($1::int, $2::int, $3::int, $4::int)
       GROUP BY 1, 2, 3, 4`,
      [tier1.resolutionSeconds, tier1.periodSeconds, tier2.resolutionSeconds, tier2.periodSeconds],
    );
  }

  async findPlan(orgId: number): Promise<TierSettings | undefined> {
    const rows: TierSettings[] = await this.dataSource.query(`SELECT ${SETTINGS} FROM org o WHERE o.id = $1`, [orgId]);
    return rows[0];
  }
}
