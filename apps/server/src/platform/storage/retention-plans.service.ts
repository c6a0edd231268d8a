import { Injectable } from '@nestjs/common';
import { type RetentionPlan, type RetentionTiers } from '#libs/series';
import { RetentionPlansRepository } from './retention-plans.repository.js';
import { DEFAULT_TIERS, tiersOf } from './retention-tiers.js';

/** Retention settings of the organisations, in the form of the series store. */
@Injectable()
export class RetentionPlansService {
  constructor(private readonly plans: RetentionPlansRepository) {}

  /** Omits organisations with the default tiers. An organisation that is being erased is treated like any other. */
  async ofInstallation(): Promise<RetentionPlan> {
    // Read first: metrics that are created after this are not touched.
    const newestId = await this.plans.newestIdOfInstallation();
    const unusual = await this.plans.unusualOfInstallation(DEFAULT_TIERS);
    return {
      groups: unusual.map(({ ids, ...settings }) => ({ tiers: tiersOf(settings), ids: Uint32Array.from(ids) })),
      newestId,
    };
  }

  /** The default tiers if the organisation no longer exists. */
  async getTiers(orgId: number): Promise<RetentionTiers> {
    const settings = await this.plans.findPlan(orgId);
    return settings ? tiersOf(settings) : DEFAULT_TIERS;
  }
}
