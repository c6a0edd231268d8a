import { type ReactNode } from 'react';
import { type Schema } from '../../../lib/api';
import classes from '../deliveries.module.css';

export type DeliveryState = Schema<'AlertDeliveryDto'>['state'];

/** One shape for each state: colour alone does not distinguish them. */
const MARKS: Readonly<Record<DeliveryState, string>> = {
  sent: 'M2 6.5 5 9.5 10 3',
  failed: 'M2.5 2.5l7 7M9.5 2.5l-7 7',
  retrying: 'M10 6a4 4 0 1 1-1.5-3.1M8.5 1v2.2H6.3',
  queued: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 1 1 0-9M6 3.5V6l2 1.5',
  suppressed: 'M2 6h8',
};

/** The outcome of a message: its mark and its text. */
export function StateMark({ state, children }: { state: DeliveryState; children: ReactNode }) {
  return (
    <span className={classes.state} data-state={state}>
      <svg className={classes.mark} viewBox="0 0 12 12" aria-hidden="true">
        <path d={MARKS[state]} />
      </svg>
      <span>{children}</span>
    </span>
  );
}
