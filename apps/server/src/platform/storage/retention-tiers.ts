import { type RetentionTiers } from '#libs/series';
import { DAY, HOUR } from '../../common/time.js';

/** The analysis variables of an organisation that define how long its data is kept. Seconds. */
export interface TierSettings {
  retention1ResolutionSeconds: number;
  retention1PeriodSeconds: number;
  retention2ResolutionSeconds: number;
  retention2PeriodSeconds: number;
}

/** Tiers of series without settings, such as series of deleted metrics. */
export const DEFAULT_TIERS: RetentionTiers = {
  tier1: { resolutionSeconds: 60, periodSeconds: 7 * DAY },
  tier2: { resolutionSeconds: 600, periodSeconds: 730 * DAY },
};

const LONGEST_SLOT = HOUR;

/**
 * The tiers according to the settings of an organisation. Contradictory settings, which the API refuses, must not block
 * the retention of all other organisations: roll-ups then consist of whole slots, and are kept at least as long as
 * slots.
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
