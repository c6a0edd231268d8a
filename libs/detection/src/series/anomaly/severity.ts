import { F, P } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

const { exp, log10, max, min, round } = Math;

const DAY_SECONDS = 86_400;

/** Shares of the four parts of severity. */
const SCORE_PART = 20;
const DISTANCE_PART = 35;
const DURATION_PART = 20;
const RARITY_PART = 25;
/** Widths (half ranges beyond the edge), seconds and days between anomalies at which a part reaches 63 % of its share. */
const TYPICAL_WIDTHS = 3;
const TYPICAL_SECONDS = 3600;
const TYPICAL_DAYS = 7;
/** Number of days over which the anomalies of a series are counted (false-alarm-budget.ts). */
const COUNTED_DAYS = 20;
/**
 * Severity of a deviation that a series shows once a year by its own tail, and the addition for ten years. Only
 * deviations that are rarer than a year are critical.
 */
const YEAR_DAYS = 365;
const YEARLY = 75;
const PER_TENFOLD = 25;
/** Remaining weight of one anomaly at which it no longer counts: after two months. */
const NO_OTHER = 0.05;

/**
 * Days from one anomaly of this series to the next, by its own history: the known days, at most 20, divided by the
 * anomalies in them, including one that opens now. For a new series, it is not yet known that anomalies are rare.
 */
export function daysApart({ f, p }: SeriesRecord, now: number): number {
  const known = min(COUNTED_DAYS, max(0, now - f[F.firstAnalysed]!) / DAY_SECONDS);
  return known / max(1, p[P.longEpisodes]!);
}

/** Rarity of the anomalies of a series. */
export interface Rarity {
  /** Expected number of days between two of them. */
  days: number;
  /** True if no other anomaly is known: anomalies may be rarer. */
  isLeast: boolean;
}

/**
 * Rarity of anomalies of this series when the open one started: the days since its first value over the anomalies in
 * them, including the open one. Earlier anomalies fade over COUNTED_DAYS; the days before are assumed to have had the
 * same number. Null while less than a day is known.
 */
export function rarityOf({ f, p }: SeriesRecord): Rarity | null {
  const known = (f[F.start]! - f[F.firstAnalysed]!) / DAY_SECONDS;
  if (!(known >= 1 && p[P.daysApart]! > 0)) return null;
  const others = max(0, min(COUNTED_DAYS, known) / p[P.daysApart]! - 1);
  const remembered = COUNTED_DAYS * (1 - exp(-known / COUNTED_DAYS));
  return { days: known / (1 + (others * known) / remembered), isLeast: others < NO_OTHER };
}

/**
 * Days until a series deviates this much again, by its own tail. Its anomalies are `days` apart; those that are n times
 * as far outside the range, or last n times as long, are n times as rare.
 *
 * @param widths half widths of the range beyond its edge
 */
export function returnDays(widths: number, durationSeconds: number, days: number): number {
  return max(0, days) * (1 + max(0, widths)) * (1 + max(0, durationSeconds) / TYPICAL_SECONDS);
}

/**
 * Severity 0..100: how certain (score 0.5..1), how far outside the range (in half widths of it), how long (seconds),
 * how rare (days from one anomaly of the series to the next). Deviations that are more frequent than once a year are
 * not critical.
 *
 * @param known the same days, by the whole known history of the series
 */
export function severityOf(score: number, widths: number, durationSeconds: number, days: number, known = days): number {
  const certain = max(0, min(1, (score - 0.5) * 2));
  const far = 1 - exp(-max(0, widths) / TYPICAL_WIDTHS);
  const long = 1 - exp(-max(0, durationSeconds) / TYPICAL_SECONDS);
  const rare = 1 - exp(-max(0, days) / TYPICAL_DAYS);
  const sum = SCORE_PART * certain + DISTANCE_PART * far + DURATION_PART * long + RARITY_PART * rare;
  const years = returnDays(widths, durationSeconds, known) / YEAR_DAYS;
  return round(min(sum, years < 1 ? YEARLY - 1 : YEARLY + PER_TENFOLD * log10(years)));
}
