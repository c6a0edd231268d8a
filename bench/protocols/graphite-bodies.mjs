/** Lines for `npm run bench:protocols`, each of a different series, with the same bytes in every run. */

const POINTS = 5_000;

/** Deterministic values with as many digits as real measurements. */
const valueAt = (i) => ((i * 2_654_435_761) % 1_000_003) / 1000;

export function graphiteLines(now) {
  const token = `pl_${'t'.repeat(43)}`;
  const lines = Array.from(
    { length: POINTS },
    (_, i) => `${token}.web-${i % 250}.cpu-${Math.floor(i / 250)}.cpu-user ${valueAt(i)} ${now - (i % 60)}\r\n`,
  );
  return Buffer.from(lines.join(''));
}
