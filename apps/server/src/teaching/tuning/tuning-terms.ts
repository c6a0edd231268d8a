import { ANOMALY_KINDS } from '#libs/contracts';
import { type SeriesTerms } from '#libs/detection';
import { type TuningSettings } from './tuning.types.js';

/**
 * Settings in the form of the detector: only the differences from its defaults, so that equal settings have equal
 * terms.
 */
export function termsOf(settings: TuningSettings): SeriesTerms {
  const { sensitivity, direction, kinds, minDurationSeconds, periodSeconds, minimumSize, falseAlarmsPerMonth } =
    settings;
  const isSome = kinds.length > 0 && kinds.length < ANOMALY_KINDS.length;
  return {
    ...(sensitivity !== 1 && { sensitivity }),
    ...(falseAlarmsPerMonth !== null && { budgetPerMonth: falseAlarmsPerMonth }),
    ...(direction !== 'both' && { direction }),
    ...(isSome && { kinds: ANOMALY_KINDS.filter((kind) => kinds.includes(kind)) }),
    ...(minDurationSeconds > 0 && { leastSeconds: minDurationSeconds }),
    ...(minimumSize !== null && minimumSize > 0 && { leastSize: minimumSize }),
    ...(periodSeconds !== null && { periodSeconds }),
  };
}
