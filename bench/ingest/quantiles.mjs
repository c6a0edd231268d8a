/** Quantiles of numbers; members are null if there are no numbers. */
export function quantiles(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  const at = (share) =>
    sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}
