import { type AnomalyKind } from '#libs/contracts';

/** Names of the kinds of anomalies in running text. */
export const KIND_TEXT: Record<AnomalyKind, string> = {
  spike: 'spike',
  dip: 'dip',
  level_shift_up: 'level shift up',
  level_shift_down: 'level shift down',
  variance_change: 'variance change',
  seasonal_break: 'seasonal break',
  flatline: 'flat line',
  missing_data: 'missing data',
  new_value_range: 'new value range',
};

export const kindText = (kind: AnomalyKind | null): string => (kind === null ? '' : KIND_TEXT[kind]);
