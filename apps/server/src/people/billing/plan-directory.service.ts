import { Injectable } from '@nestjs/common';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingConfig } from './billing.config.js';
import { type PlanDto, toPlanDto } from './plan.dto.js';

/** The plans of organisations, for other areas. */
@Injectable()
export class PlanDirectoryService {
  constructor(
    private readonly config: BillingConfig,
    private readonly accounts: BillingAccountRepository,
  ) {}

  /** True if a payment provider is connected: then plans define metric_limit, and it cannot be set manually. */
  get isConfigured(): boolean {
    return this.config.isConfigured;
  }

  /**
   * The limit of an organisation without plan. Null: no limit, which also applies while no payment provider is
   * connected.
   */
  get limitWithoutPlan(): number | null {
    return this.isConfigured ? (this.config.metricsWithoutPlan ?? null) : null;
  }

  /** The plan of an organisation; null without one, and while no payment provider is connected. */
  async getPlan(orgId: number): Promise<PlanDto | null> {
    if (!this.isConfigured) return null;
    const account = await this.accounts.find(orgId);
    return account?.plan ? toPlanDto(account.plan) : null;
  }
}
