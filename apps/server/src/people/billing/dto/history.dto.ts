import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '../../../common/paging/paging.js';
import { BILLING_STATUSES, type BillingStatus } from '../billing.types.js';
import { PlanDto } from '../plan.dto.js';

/** An invoice. */
export class BillingRecordDto {
  @ApiProperty({ type: String, example: 'in_1' })
  id!: string;

  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  created_timestamp!: number;

  @ApiProperty({ type: String, example: 'October 9th 2025' })
  created_string!: string;

  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  period_from!: number;

  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  period_until!: number;

  @ApiProperty({ type: String, description: 'Empty if it is not a plan', example: 'team' })
  plan_id!: string;

  @ApiProperty({ type: String, example: 'Team' })
  plan_name!: string;

  @ApiProperty({ type: 'integer', description: '0 if it is not a plan' })
  metric_limit!: number;

  @ApiProperty({ type: 'integer', description: 'Minor units; below 0 for money that is paid back' })
  amount!: number;

  @ApiProperty({ type: String, example: '49.00 EUR' })
  amount_string!: string;

  @ApiProperty({ type: String, example: 'EUR' })
  currency!: string;

  @ApiProperty({ enum: BILLING_STATUSES })
  status!: BillingStatus;

  @ApiProperty({ type: String, nullable: true, description: 'Page of the payment provider with the invoice' })
  invoice_url!: string | null;
}

export class BillingHistoryDto extends PageDto {
  @ApiProperty({ type: [BillingRecordDto], description: 'Newest first' })
  history!: BillingRecordDto[];

  @ApiProperty({ type: [PlanDto], description: 'Plans that can be bought' })
  plans!: PlanDto[];

  @ApiProperty({ type: PlanDto, nullable: true })
  current_plan!: PlanDto | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds: when the next period begins' })
  renews_timestamp!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds: when the subscription ends' })
  cancels_timestamp!: number | null;
}
