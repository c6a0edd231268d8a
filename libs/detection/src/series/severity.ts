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

/** Evidence beyond the threshold at which a score has covered 63 % of the way from 0.5 to 1. */
const SURE = 2.5;

/** Score 0..1 of evidence against the threshold in force: 0.5 exactly at the threshold. */
export function scoreOf(evidence: number, threshold: number): number {
  if (evidence < threshold) return (0.5 * max(0, evidence)) / threshold;
  return 1 - 0.5 * exp(-(evidence - threshold) / SURE);
}
