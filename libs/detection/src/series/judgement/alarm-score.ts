const { exp } = Math;

/** Score 0..1 of evidence: 0.5 exactly at the level, towards 1 far beyond it. */
export function scoreOf(evidence: number, level: number): number {
  if (!(evidence > 0)) return 0;
  return evidence < level ? (0.5 * evidence) / level : 1 - 0.5 * exp((-2 * (evidence - level)) / level);
}
