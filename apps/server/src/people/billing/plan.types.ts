export const PLAN_INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type PlanInterval = (typeof PLAN_INTERVALS)[number];

/** A plan that an organisation can buy. */
export interface Plan {
  id: string;
  name: string;
  /** Maximum number of metrics that count against the quota. */
  metricLimit: number;
  /** Minor units of the currency, per interval. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
  interval: PlanInterval;
}

/** A plan that can be bought. */
export interface OfferedPlan extends Plan {
  /** The provider's id of the price. */
  price: string;
}
