import { type Schema } from './api';

type Anomaly = Pick<Schema<'AnomalyDto'>, 'state' | 'until_timestamp' | 'out_until_timestamp'>;

const STATE_TEXT: Record<Anomaly['state'], string> = {
  open: 'open',
  resolved: 'resolved',
  trained: 'expected',
  excluded: 'excluded',
};

/** True until it ends: also for one that was taught as expected in the meantime. */
export const isOpen = ({ until_timestamp: until }: Pick<Anomaly, 'until_timestamp'>): boolean => until === null;

/** `resolved`, `open`, `open, expected` if it was taught as expected and has not ended yet. */
export function stateText(anomaly: Anomaly): string {
  const text = STATE_TEXT[anomaly.state];
  return isOpen(anomaly) && anomaly.state !== 'open' ? `${STATE_TEXT.open}, ${text}` : text;
}

/** End of its last anomalous slot; null while it is open. Unix seconds. */
export const endOf = (anomaly: Anomaly): number | null => (isOpen(anomaly) ? null : anomaly.out_until_timestamp);
