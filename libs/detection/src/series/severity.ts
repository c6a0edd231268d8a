const { exp, max, min, round } = Math;

/** Shares of the three parts of severity. */
const SCORE_PART = 45;
const DISTANCE_PART = 35;
const DURATION_PART = 20;
/** Widths (half ranges beyond the edge) and seconds at which a part reaches 63 % of its share. */
const TYPICAL_WIDTHS = 3;
const TYPICAL_SECONDS = 3600;

/**
 * Severity 0..100: how certain (score 0.5..1), how far outside the range (in half widths of it), how long (seconds).
 */
export function severityOf(score: number, widths: number, durationSeconds: number): number {
  const certain = max(0, min(1, (score - 0.5) * 2));
  const far = 1 - exp(-max(0, widths) / TYPICAL_WIDTHS);
  const long = 1 - exp(-max(0, durationSeconds) / TYPICAL_SECONDS);
  return round(SCORE_PART * certain + DISTANCE_PART * far + DURATION_PART * long);
}
