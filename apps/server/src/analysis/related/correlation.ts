/** How strongly two series move together, and by how much one follows the other. */
export interface Correlation {
  /** −1..1 */
  coefficient: number;
  /** Slots; positive: the second follows the first. */
  lag: number;
}

/** How a series moves. Missing values are NaN. */
export interface Movements {
  /** From slot to slot. */
  changes: Float64Array;
  /** For each of SCALES that the series is long enough for: unusual changes, by slot, relative to the usual ones. */
  events: ReadonlyMap<number, number>[];
  slots: number;
}

/** With fewer pairs of values the result depends on chance. */
const FEWEST_PAIRS = 30;
/**
 * Best correlation by chance over some dozens of lags, times the root of the number of pairs; changes of noise
 * alternate, which increases it.
 */
const BEYOND_CHANCE = 5;
/**
 * Number of slots before and after whose means are compared: single slots for sharp changes, many for slow or noisy
 * ones.
 */
const SCALES = [1, 2, 4, 8, 16];
/** Minimum number of pairs of such means; with fewer, the usual change between them is unknown. */
const STRETCHES = 8;
/** A change of this many usual changes is unusual; larger ones count the same. */
const STANDS_OUT = 5;
const MAX_UNITS = 15;
/** Ratio of median absolute deviation and standard deviation for normal noise. */
const DEVIATIONS = 1.4826;
/** Events whose correlation is below this are not the same. */
const SAME_EVENTS = 0.5;
/** A larger scale must be better by this much: it is less precise in time. */
const CLEARLY_MORE = 0.03;

/** Compares changes: levels that both rise or fall would always seem related. Missing values are null. */
export function movementsOf(values: readonly (number | null)[]): Movements {
  const series = Float64Array.from(values, (value) => value ?? NaN);
  const scales = SCALES.filter((scale) => scale === 1 || series.length >= 2 * scale * STRETCHES);
  return { changes: changesOf(series), events: scales.map((scale) => eventsOf(series, scale)), slots: series.length };
}

/**
 * The lag with the highest correlation of two series with the same slots, from −`mostLag` to `mostLag`; of equal ones
 * the nearest to 0. It correlates all changes from slot to slot, which shows series that always move together, and the
 * unusual changes, which shows that both contain the same faults, however much they differ otherwise; the higher
 * correlation counts. A correlation that may be chance has no lag. Null if the series have too few common slots, or one
 * of them never changes.
 */
export function correlate(first: Movements, second: Movements, mostLag: number): Correlation | null {
  const all = bestOf(mostLag, (lag) => pearson(first.changes, second.changes, lag));
  if (all === null) return null;
  const pairs = Math.min(first.slots, second.slots);
  let best: Correlation = all;
  if (Math.abs(all.coefficient) * Math.sqrt(pairs) < BEYOND_CHANCE) {
    best = { coefficient: pearson(first.changes, second.changes, 0) ?? 0, lag: 0 };
  }
  first.events.forEach((events, scale) => {
    const others = second.events[scale];
    if (others === undefined || events.size === 0 || others.size === 0) return;
    const found = bestOf(mostLag, (lag) => likeness(events, others, lag, first.slots, second.slots));
    if (found === null || Math.abs(found.coefficient) < SAME_EVENTS) return;
    if (Math.abs(found.coefficient) > Math.abs(best.coefficient) + CLEARLY_MORE) best = found;
  });
  return best;
}

function bestOf(mostLag: number, coefficientAt: (lag: number) => number | null): Correlation | null {
  let best: Correlation | null = null;
  for (let distance = 0; distance <= mostLag; distance++) {
    for (const lag of distance === 0 ? [0] : [distance, -distance]) {
      const coefficient = coefficientAt(lag);
      if (coefficient === null) continue;
      if (best === null || Math.abs(coefficient) > Math.abs(best.coefficient) + 1e-9) best = { coefficient, lag };
    }
  }
  return best;
}

function changesOf(series: Float64Array): Float64Array {
  const changes = new Float64Array(Math.max(0, series.length - 1));
  for (let i = 0; i < changes.length; i++) changes[i] = series[i + 1]! - series[i]!;
  return changes;
}

/** Mean of `scale` slots from each slot on minus that of the preceding ones, if the difference is unusual. */
function eventsOf(series: Float64Array, scale: number): Map<number, number> {
  const steps = stepsOf(series, scale);
  const known = steps.filter((step) => !Number.isNaN(step));
  const middle = medianOf(known);
  const distances = known.map((step) => Math.abs(step - middle));
  const largest = distances.reduce((most, distance) => Math.max(most, distance), 0);
  const usual = DEVIATIONS * medianOf(distances);
  // A series that is mostly constant: changes of half its largest change are unusual.
  const unit = usual > 1e-9 * largest ? usual : largest / (2 * STANDS_OUT);
  const events = new Map<number, number>();
  if (unit === 0) return events;
  steps.forEach((step, slot) => {
    const units = (step - middle) / unit;
    if (Math.abs(units) >= STANDS_OUT) events.set(slot, Math.max(-MAX_UNITS, Math.min(MAX_UNITS, units)));
  });
  return events;
}

function stepsOf(series: Float64Array, scale: number): Float64Array {
  const sums = new Float64Array(series.length + 1);
  const counts = new Uint32Array(series.length + 1);
  // Sums of values near zero: sums of large values would round small steps away.
  const origin = series.find((value) => !Number.isNaN(value)) ?? 0;
  series.forEach((value, slot) => {
    const isKnown = !Number.isNaN(value);
    sums[slot + 1] = sums[slot]! + (isKnown ? value - origin : 0);
    counts[slot + 1] = counts[slot]! + Number(isKnown);
  });
  const meanOf = (from: number, until: number): number => {
    const count = counts[until]! - counts[from]!;
    return 2 * count > until - from ? (sums[until]! - sums[from]!) / count : NaN;
  };
  return series.map((_, slot) =>
    slot < scale || slot + scale > series.length ? NaN : meanOf(slot, slot + scale) - meanOf(slot - scale, slot),
  );
}

function medianOf(values: Float64Array): number {
  if (values.length === 0) return 0;
  return Float64Array.from(values).sort()[values.length >> 1]!;
}

function pearson(one: Float64Array, other: Float64Array, lag: number): number | null {
  let [pairs, sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0, 0];
  for (let i = Math.max(0, -lag); i < one.length && i + lag < other.length; i++) {
    const x = one[i]!;
    const y = other[i + lag]!;
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    pairs++;
    sumX += x;
    sumY += y;
    sumXX += x * x;
    sumYY += y * y;
    sumXY += x * y;
  }
  if (pairs < FEWEST_PAIRS) return null;
  const spreadX = sumXX - (sumX * sumX) / pairs;
  const spreadY = sumYY - (sumY * sumY) / pairs;
  // Rounding errors of a series that never changes are not a spread.
  if (spreadX <= 1e-12 * sumXX || spreadY <= 1e-12 * sumYY) return null;
  return Math.max(-1, Math.min(1, (sumXY - (sumX * sumY) / pairs) / Math.sqrt(spreadX * spreadY)));
}

/** The same for events, which are zero in between; those that the lag shifts outside the other series do not count. */
function likeness(
  one: ReadonlyMap<number, number>,
  other: ReadonlyMap<number, number>,
  lag: number,
  slots: number,
  otherSlots: number,
): number | null {
  let [sumXX, sumYY, sumXY] = [0, 0, 0];
  for (const [slot, units] of one) {
    if (slot + lag < 0 || slot + lag >= otherSlots) continue;
    sumXX += units * units;
    sumXY += units * (other.get(slot + lag) ?? 0);
  }
  for (const [slot, units] of other) if (slot - lag >= 0 && slot - lag < slots) sumYY += units * units;
  return sumXX > 0 && sumYY > 0 ? sumXY / Math.sqrt(sumXX * sumYY) : null;
}
