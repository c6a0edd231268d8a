export const DELIVERY_STATES = ['queued', 'sent', 'retrying', 'failed', 'suppressed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
