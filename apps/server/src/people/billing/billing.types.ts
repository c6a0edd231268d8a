/** A customer's data at the payment provider. Times are Unix seconds, amounts minor units, currencies upper case. */
export interface ProviderAccount {
  /** Those that give a right to a plan at present, newest first. */
  subscriptions: readonly ProviderSubscription[];
  /** The newest hundred that have been finalised. */
  invoices: readonly ProviderInvoice[];
}

export interface ProviderSubscription {
  id: string;
  createdTimestamp: number;
  /** Ids of the subscribed prices. */
  prices: readonly string[];
  /** When the next period begins; null if none will. */
  renewsTimestamp: number | null;
  /** When it ends; null if it continues. */
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

/** A message of the payment provider. Only its customer is read: the current state is looked up. */
export interface ProviderEvent {
  id: string;
  type: string;
  customerId: string | null;
}

/** A checkout as the payment provider knows it. */
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
