import { type RetentionTiers } from '#libs/series';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Seconds per unit of VictoriaMetrics; a number without unit is months. */
const UNITS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: HOUR,
  d: DAY,
  w: 7 * DAY,
  y: 365 * DAY,
  '': 31 * DAY,
};
/** Maximum distance of a sample from the start of its slot. */
const SLOT_SPREAD_SECONDS = 0.999;

/**
 * Returns the problem of the flags of a VictoriaMetrics server for series with these retention tiers, in words for an
 * operator; null if there is none.
 */
export function flagsProblem(flags: ReadonlyMap<string, string>, kept: readonly RetentionTiers[]): string | null {
  // Flags with their default, which is one month, are not reported.
  const retention = flags.get('retentionPeriod') ?? '1';
  const retained = durationOf(retention);
  const longest = Math.max(...kept.map(({ tier1, tier2 }) => Math.max(tier1.periodSeconds, tier2.periodSeconds)));
  if (retained !== null && retained < longest) {
    const days = String(Math.ceil(longest / DAY));
    return (
      `keeps points for ${String(Math.floor(retained / DAY))} days (-retentionPeriod=${retention}), but they are to be ` +
      `kept for ${days}: start it with -retentionPeriod=${days}d or more, or shorten the retention of the organisations`
    );
  }
  const interval = durationOf(flags.get('dedup.minScrapeInterval') ?? '0s');
  const shortest = Math.min(...kept.map(({ tier1 }) => tier1.resolutionSeconds));
  if (interval !== null && interval > shortest - SLOT_SPREAD_SECONDS) {
    return (
      `drops all but one sample of ${flags.get('dedup.minScrapeInterval')!} (-dedup.minScrapeInterval), but there are ` +
      `slots of ${String(shortest)} s: start it without this flag`
    );
  }
  return null;
}

/** Seconds; null for any other form. */
function durationOf(text: string): number | null {
  const [, amount, unit] = /^(\d{1,12}(?:\.\d{1,9})?)([a-z]{0,2})$/.exec(text) ?? [];
  const factor = unit === undefined ? undefined : UNITS[unit];
  return amount === undefined || factor === undefined ? null : Number(amount) * factor;
}
