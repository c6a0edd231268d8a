import { compileChips, FoldedTarget, type MatchTarget } from '../chips/chips-match.js';
import { isInForce } from './exclusion-schedule.js';
import { type HeldAlerts } from './exclusion.types.js';

/**
 * True if alerts about a metric are suppressed at a moment (Unix seconds): like
 * `ExclusionDirectoryService.holdsAlertsBack`, for many metrics at the same moments.
 */
export function heldBackBy({ timezone, exclusions }: HeldAlerts): (metric: MatchTarget, at: number) => boolean {
  const all = exclusions.map((exclusion) => ({ exclusion, covers: compileChips(exclusion.chips) }));
  let inForce: typeof all = [];
  let askedAt: number | undefined;
  return (metric, at) => {
    if (at !== askedAt) inForce = all.filter(({ exclusion }) => isInForce(exclusion, at, timezone));
    askedAt = at;
    if (inForce.length === 0) return false;
    const target = new FoldedTarget(metric);
    return inForce.some(({ covers }) => covers(target));
  };
}
