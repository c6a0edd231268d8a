import { type Sender, SENDERS } from '../../lib/senders';

/** Steps from the first point to the first message, by their names in the address. */
export const STEPS = ['send', 'learn', 'anomaly', 'teach', 'alert'] as const;
export type StepId = (typeof STEPS)[number];

export interface StartSearch {
  /** The open step; `none`: all are closed. */
  step?: StepId | 'none';
  sender?: Sender;
}

const isOneOf = <Item extends string>(items: readonly Item[], value: unknown): value is Item =>
  (items as readonly unknown[]).includes(value);

export function validateStartSearch({ step, sender }: Record<string, unknown>): StartSearch {
  return {
    ...(isOneOf([...STEPS, 'none'] as const, step) ? { step } : {}),
    ...(isOneOf(SENDERS, sender) ? { sender } : {}),
  };
}
