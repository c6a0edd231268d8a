import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type RetentionPlan, type RetentionTiers } from '#libs/series';
import { DEFAULT_TIERS, tiersOf, type TierSettings } from './retention-tiers.js';

interface GroupRow extends TierSettings {
  ids: number[];
}

/** What all organisations have set, as the series store is told of it. */
@Injectable()
export class RetentionPlans {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The plan of the whole installation. Organisations that keep the default tiers are not named; those that are being
   * erased are, with all others.
   */
  async ofInstallation(): Promise<RetentionPlan> {
    // Read first: what is made after this is left alone.
    const newest: { id: number }[] = await this.dataSource.query('SELECT coalesce(max(id), 0) AS id FROM metric');
    const { tier1, tier2 } = DEFAULT_TIERS;
    const rows: GroupRow[] = await this.dataSource.query(
      `SELECT ${COLUMNS.map(([column, name]) => `o.${column} AS "${name}"`).join(', ')},
              array_remove(array_agg(m.id ORDER BY m.id), NULL) AS ids
       FROM org o LEFT JOIN metric m ON m.org_id = o.id
       WHERE (${COLUMNS.map(([column]) => `o.${column}`).join(', ')}) IS DISTINCT FROM ($1::int, $2::int, $3::int, $4::int)
       GROUP BY 1, 2, 3, 4`,
      [tier1.resolutionSeconds, tier1.periodSeconds, tier2.resolutionSeconds, tier2.periodSeconds],
    );
    return {
      groups: rows.map(({ ids, ...settings }) => ({ tiers: tiersOf(settings), ids: Uint32Array.from(ids) })),
      newestId: newest[0]!.id,
    };
  }

  /** Those of an organisation. The default ones when it is gone. */
  async ofOrg(orgId: number): Promise<RetentionTiers> {
    const rows: TierSettings[] = await this.dataSource.query(
      `SELECT ${COLUMNS.map(([column, name]) => `${column} AS "${name}"`).join(', ')} FROM org WHERE id = $1`,
      [orgId],
    );
    return rows[0] ? tiersOf(rows[0]) : DEFAULT_TIERS;
  }
}

const COLUMNS: readonly [column: string, name: keyof TierSettings][] = [
  ['retention_1_resolution_seconds', 'retention1ResolutionSeconds'],
  ['retention_1_period_seconds', 'retention1PeriodSeconds'],
  ['retention_2_resolution_seconds', 'retention2ResolutionSeconds'],
  ['retention_2_period_seconds', 'retention2PeriodSeconds'],
];
