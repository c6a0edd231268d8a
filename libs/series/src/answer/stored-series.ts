import { type RetentionTiers, type SeriesColumns, type SeriesQuery } from '../series-store.js';
import { type AnsweredSlots, BucketColumns } from './bucket-values.js';
import { type StoredSeries } from './stored-series.types.js';

const MAX_FINE_SLOTS = 360;
/** Maximum slot length of a roll-up, for any tiers. */
export const LONGEST_SLOT = 3600;

/** A roll-up contains whole slots of tier 1, and a limited number of them. Throws RangeError for other tiers. */
export function requireFitting({ tier1, tier2 }: RetentionTiers): void {
  const [fine, coarse] = [tier1.resolutionSeconds, tier2.resolutionSeconds];
  if (coarse % fine !== 0) {
    throw new RangeError(
      `The resolution of tier 2 (${String(coarse)} s) must be a multiple of that of tier 1 (${String(fine)} s)`,
    );
  }
  if (coarse > LONGEST_SLOT) throw new RangeError(`A slot of tier 2 has at most ${String(LONGEST_SLOT)} seconds`);
  if (coarse / fine > MAX_FINE_SLOTS) {
    throw new RangeError(`A slot of tier 2 may have at most ${String(MAX_FINE_SLOTS)} of tier 1`);
  }
}

/**
 * The slots that answer a query. Slots of tier 2 count as a whole, and only if they start in the window.
 * @param tiers of series for which the query has none
 */
export function answeredSlots(
  { from, until, resolutionSeconds, slots }: SeriesQuery,
  tiers: RetentionTiers,
): AnsweredSlots {
  if (!Number.isInteger(resolutionSeconds) || resolutionSeconds < 1) {
    throw new RangeError(`A bucket is a whole number of seconds, got ${String(resolutionSeconds)}`);
  }
  const { tier1, tier2 } = slots ?? { tier1: tiers.tier1.resolutionSeconds, tier2: tiers.tier2.resolutionSeconds };
  const isForTier2 = resolutionSeconds % tier2 === 0 && resolutionSeconds > tier1;
  return isForTier2
    ? { from: Math.ceil(from / tier2) * tier2, until: Math.floor(until / tier2) * tier2 + tier2 - 1, tier: 2 }
    : { from, until, tier: 1 };
}

export function columnsOf(query: SeriesQuery, series: StoredSeries, wanted: AnsweredSlots): SeriesColumns {
  const columns = new BucketColumns(query);
  columns.addSeries(series, wanted);
  return columns.finish(wanted.tier);
}
