import { studentExceededWith } from './student-t.js';

const { sqrt } = Math;

const known = new Map<number, number>();

/**
 * Critical value of Grubbs' two-sided test for one outlier among `count` (3 or more) normal values, significance 0.05: so
 * many sample standard deviations from the mean. Kept once worked out.
 * Source: Grubbs (1950), "Sample Criteria for Testing Outlying Observations".
 */
export function grubbsCritical(count: number): number {
  const before = known.get(count);
  if (before !== undefined) return before;
  const t = studentExceededWith(0.05 / (2 * count), count - 2);
  const critical = ((count - 1) / sqrt(count)) * sqrt((t * t) / (count - 2 + t * t));
  known.set(count, critical);
  return critical;
}
