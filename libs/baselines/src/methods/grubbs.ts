const { atan, cos, PI, sin, sqrt } = Math;

const known = new Map<number, number>();

/**
 * Critical value of Grubbs' two-sided test for one outlier among `count` (3 or more) normal values, significance 0.05:
 * in sample standard deviations from the mean. The result is cached. Source: Grubbs (1950), "Sample Criteria for
 * Testing Outlying Observations".
 */
export function grubbsCritical(count: number): number {
  const before = known.get(count);
  if (before !== undefined) return before;
  const t = studentExceededWith(0.05 / (2 * count), count - 2);
  const critical = ((count - 1) / sqrt(count)) * sqrt((t * t) / (count - 2 + t * t));
  known.set(count, critical);
  return critical;
}

/**
 * Probability that Student's t with `degrees` (1, 2, …) degrees of freedom exceeds `t` ≥ 0. O(degrees).
 * Source: Abramowitz & Stegun (1964), 26.7.3 and 26.7.4.
 */
export function studentTail(t: number, degrees: number): number {
  const angle = atan(t / sqrt(degrees));
  const cosine = cos(angle);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = 0;
  for (let i = isOdd ? 1 : 0; i <= degrees - 2; i += 2) {
    sum += term;
    term *= (cosine * cosine * (i + 1)) / (i + 2);
  }
  const within = isOdd ? (2 / PI) * (angle + sin(angle) * sum) : sin(angle) * sum;
  return (1 - within) / 2;
}

/** The t that is exceeded with this probability (0..0.5). */
export function studentExceededWith(probability: number, degrees: number): number {
  let low = 0;
  let high = 1;
  while (studentTail(high, degrees) > probability) high *= 2;
  while (high - low > 1e-10 * high) {
    const middle = (low + high) / 2;
    if (studentTail(middle, degrees) > probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
