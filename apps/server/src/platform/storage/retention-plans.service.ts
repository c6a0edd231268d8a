import { Injectable } from '@nestjs/common';
import { type RetentionPlan, type RetentionTiers } from '#libs/series';
import { RetentionPlansRepository } from './retention-plans.repository.js';
import { DEFAULT_TIERS, tiersOf } from './retention-tiers.js';

/** Retention settings of the organisations, in the form of the series store. */
@Injectable()
export class RetentionPlansService {
  constructor(private readonly plans: RetentionPlansRepository) {}

  /** Organisations that keep the default tiers are not named in it. One that is being erased is kept like any other. */
  async ofInstallation(): Promise<RetentionPlan> {
    // Read first: metrics that are created after this are not touched.
    const newestId = await this.plans.newestIdOfInstallation();
    const unusual = await this.plans.unusualOfInstallation(DEFAULT_TIERS);
    return {
      groups: unusual.map(({ ids, ...settings }) => ({ tiers: tiersOf(settings), ids: Uint32Array.from(ids) })),
      newestId,
    };
  }

  /** The default ones if the organisation does not exist any more. */
  async getTiers(orgId: number): Promise<RetentionTiers> {
    const settings = await this.plans.findPlan(orgId);
    return settings ? tiersOf(settings) : DEFAULT_TIERS;
  }
}
