import { ApiProperty } from '@nestjs/swagger';
import { amountString } from './money.js';
import { type Plan, PLAN_INTERVALS, type PlanInterval } from './plan.types.js';

/** The plan of an organisation. */
export class PlanDto {
  @ApiProperty({ type: String, example: 'team' })
  id!: string;

  @ApiProperty({ type: String, example: 'Team' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Most metrics of the organisation', example: 5000 })
  metric_limit!: number;

  @ApiProperty({ type: 'integer', description: 'Minor units, for each interval', example: 4900 })
  amount!: number;

  @ApiProperty({ type: String, example: '49.00 EUR' })
  amount_string!: string;

  @ApiProperty({ type: String, example: 'EUR' })
  currency!: string;

  @ApiProperty({ enum: PLAN_INTERVALS, example: 'month' })
  interval!: PlanInterval;
}

export function toPlanDto(plan: Plan): PlanDto {
  return {
    id: plan.id,
    name: plan.name,
    metric_limit: plan.metricLimit,
    amount: plan.amount,
    amount_string: amountString(plan.amount, plan.currency),
    currency: plan.currency,
    interval: plan.interval,
  };
}
