import { type RetentionTiers } from '#libs/series';
import { DAY, HOUR } from '../../common/time.js';

/** The analysis variables of an organisation that say what of its data is kept. Seconds. */
export interface TierSettings {
  retention1ResolutionSeconds: number;
  retention1PeriodSeconds: number;
  retention2ResolutionSeconds: number;
  retention2PeriodSeconds: number;
}

/** Of series of which nothing else is known, as of metrics that are no more. */
export const DEFAULT_TIERS: RetentionTiers = {
  tier1: { resolutionSeconds: 60, periodSeconds: 7 * DAY },
  tier2: { resolutionSeconds: 600, periodSeconds: 730 * DAY },
};

const LONGEST_SLOT = HOUR;

/**
 * The tiers that an organisation's settings mean. Settings that do not fit each other, which the API refuses, must not
 * keep the retention of all others from its work: roll-ups are made of whole slots, and kept as long as slots at least.
 */
export function tiersOf(settings: TierSettings): RetentionTiers {
  const slot = settings.retention1ResolutionSeconds;
  const parts = Math.max(1, Math.ceil(Math.min(settings.retention2ResolutionSeconds, LONGEST_SLOT) / slot));
  return {
    tier1: { resolutionSeconds: slot, periodSeconds: settings.retention1PeriodSeconds },
    tier2: {
      resolutionSeconds: Math.min(parts, Math.floor(LONGEST_SLOT / slot)) * slot,
      periodSeconds: Math.max(settings.retention1PeriodSeconds, settings.retention2PeriodSeconds),
    },
  };
}
