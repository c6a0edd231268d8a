/** Quantile of numbers by the nearest rank; `share` 0..1. */
export function quantile(numbers, share) {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
}

export function median(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median and spread of the repetitions of a row, and medians of its processor figures and costs, if there are any. */
export function summarise({ samples, processor, costs }) {
  return {
    median: median(samples),
    least: Math.min(...samples),
    most: Math.max(...samples),
    ...(processor === undefined ? {} : { perProcessorSecond: median(processor) }),
    ...(costs === undefined ? {} : { cost: median(costs) }),
  };
}
