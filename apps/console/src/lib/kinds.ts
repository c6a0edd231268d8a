import { type AnomalyKind } from '#libs/contracts';

/** Names of the kinds of anomalies in running text. */
export const KIND_TEXT: Record<AnomalyKind, string> = {
  spike: 'spike',
  dip: 'dip',
  level_shift_up: 'level shift up',
  level_shift_down: 'level shift down',
  variance_change: 'change of variance',
  seasonal_break: 'break of the season',
  flatline: 'flat line',
  missing_data: 'missing data',
  new_value_range: 'new range of values',
};

export const kindText = (kind: AnomalyKind | null): string => (kind === null ? '' : KIND_TEXT[kind]);
