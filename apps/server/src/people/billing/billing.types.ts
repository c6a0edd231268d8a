/** A customer's data at the payment provider. Times are Unix seconds, amounts minor units, currencies upper case. */
export interface ProviderAccount {
  /** Subscriptions that currently entitle to a plan, newest first. */
  subscriptions: readonly ProviderSubscription[];
  /** The newest 100 finalised invoices. */
  invoices: readonly ProviderInvoice[];
}

export interface ProviderSubscription {
  id: string;
  createdTimestamp: number;
  /** Ids of the subscribed prices. */
  prices: readonly string[];
  /** Start of the next period; null if there is none. */
  renewsTimestamp: number | null;
  /** End of the subscription; null if it continues. */
  cancelsTimestamp: number | null;
}

export const BILLING_STATUSES = ['open', 'paid', 'void', 'refunded'] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];

export interface ProviderInvoice {
  id: string;
  createdTimestamp: number;
  periodFrom: number;
  periodUntil: number;
  /** Id of the paid price; null if the invoice names none. */
  price: string | null;
  /** The paid item, as the provider describes it. */
  description: string;
  amount: number;
  currency: string;
  status: BillingStatus;
  /** Page of the provider that shows the invoice. */
  url: string | null;
}

/** A message of the payment provider. Only its customer is used: the current state is requested from the provider. */
export interface ProviderEvent {
  id: string;
  type: string;
  customerId: string | null;
}

/** State of a checkout at the payment provider. */
export interface ProviderCheckout {
  customerId: string | null;
  isComplete: boolean;
}

/** A checkout that was opened: the address for the visitor, and its expiry. */
export interface OpenedCheckout {
  id: string;
  url: string;
  expiresTimestamp: number;
}
