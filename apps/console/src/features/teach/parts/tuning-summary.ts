import { ANOMALY_KINDS } from '#libs/contracts';
import { durationText } from '../../../lib/time';
import { metricOfChip } from '../../../lib/metric-chip';
import { type TuningFields } from '../tuning-fields';
import { texts } from '../teach.texts';

/** The differences from the defaults, in a few words. */
export function tuningSummary(fields: Partial<TuningFields>): string {
  const { sensitivity = 1, direction = 'both', min_duration_seconds: seconds = 0, kinds = ANOMALY_KINDS } = fields;
  const parts = [
    ...(sensitivity === 1 ? [] : [texts.sensitivityShort(sensitivity)]),
    ...(direction === 'both' ? [] : [texts.directions[direction].toLowerCase()]),
    ...(seconds === 0 ? [] : [texts.minDurationShort(durationText(seconds))]),
    ...(typeof fields.minimum_size === 'number' ? [texts.minimumShort(fields.minimum_size)] : []),
    ...(typeof fields.false_alarms_per_month === 'number' ? [texts.budgetShort(fields.false_alarms_per_month)] : []),
    ...(kinds.length === ANOMALY_KINDS.length ? [] : [texts.kindsShort(kinds.length)]),
    ...(typeof fields.period_seconds === 'number' ? [texts.periodShort] : []),
  ];
  return parts.length === 0 ? texts.asUsual : parts.join(', ');
}

/** Chips for display: for one metric, only its name. */
export const chipsText = (chips: readonly string[]): string =>
  chips.map((chip) => metricOfChip(chip) ?? chip).join('  ');
