import { Injectable } from '@nestjs/common';
import { type CallerOrg } from '../../common/auth/caller.js';
import { date } from '../../common/display/display.js';
import { type Page, pageOf } from '../../common/paging/paging.js';
import { secondsOf } from '../../common/time.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { type BillingRecordEntity } from './billing.entity.js';
import { BillingRecordRepository } from './billing-record.repository.js';
import { BillingConfig } from './billing.config.js';
import { type BillingHistoryDto, type BillingRecordDto } from './dto/history.dto.js';
import { amountString } from './money.js';
import { toPlanDto } from './plan.dto.js';

/** Invoices, plans and the subscription of an organisation. */
@Injectable()
export class BillingHistoryService {
  constructor(
    private readonly config: BillingConfig,
    private readonly accounts: BillingAccountRepository,
    private readonly records: BillingRecordRepository,
  ) {}

  async getHistory(org: CallerOrg, page: Page): Promise<BillingHistoryDto> {
    // History from before the provider was disconnected is stored, and shown again after it is connected.
    if (!this.config.isConfigured) {
      return { history: [], plans: [], ...NO_PLAN, ...pageOf(page, 0) };
    }
    const [account, [records, total]] = await Promise.all([
      this.accounts.find(org.id),
      this.records.findPage(org.id, page),
    ]);
    return {
      history: records.map((record) => toDto(record, org.timezone)),
      plans: this.config.plans.map(toPlanDto),
      current_plan: account?.plan ? toPlanDto(account.plan) : null,
      renews_timestamp: account?.renewsAt ? seconds(account.renewsAt) : null,
      cancels_timestamp: account?.cancelsAt ? seconds(account.cancelsAt) : null,
      ...pageOf(page, total),
    };
  }
}

const NO_PLAN = { current_plan: null, renews_timestamp: null, cancels_timestamp: null };

function toDto(record: BillingRecordEntity, timezone: string): BillingRecordDto {
  return {
    id: record.invoiceId,
    created_timestamp: seconds(record.createdAt),
    created_string: date(seconds(record.createdAt), timezone),
    period_from: seconds(record.periodFrom),
    period_until: seconds(record.periodUntil),
    plan_id: record.planId,
    plan_name: record.planName,
    metric_limit: record.metricLimit,
    amount: record.amount,
    amount_string: amountString(record.amount, record.currency),
    currency: record.currency,
    status: record.status,
    invoice_url: record.invoiceUrl,
  };
}

function seconds(time: Date): number {
  return secondsOf(time);
}
