import { seedOf } from '../hash-noise.js';
import { Draw } from './draw.js';
import { type QuietSeries } from './quiet-series.js';

/**
 * Injects trouble into a quiet series, and determines whether a person would see it: whether it is large compared with
 * the same time of day on the previous ten days.
 */

export const QUIET_TROUBLES = ['outage', 'shift', 'spike', 'doubling', 'creep', 'stuck'] as const;
export type QuietTrouble = (typeof QUIET_TROUBLES)[number];

/** An injected trouble. `from` and `until`: first row, and the row after the last. */
export interface InjectedTrouble {
  trouble: QuietTrouble;
  from: number;
  until: number;
  isVisible: boolean;
}

const { abs, floor, max, min } = Math;

const DAY_SECONDS = 86_400;
const REFERENCE_DAYS = 10;
/** Minutes before and after the same time of day that belong to the reference. */
const AROUND_MINUTES = 30;
/**
 * Minimum distance from the median of visible trouble, in spreads of the reference: for trouble of few rows, and for
 * longer trouble.
 */
const VISIBLE_SHORT = 8;
const VISIBLE_LONG = 5;
const SHORT_ROWS = 5;
/** Minimum share of its rows that must be that far away. */
const VISIBLE_SHARE = 0.5;
/** A constant value is visible if it lasts this many times longer than in the reference. */
const STILL_LONGER = 5;

/** Shortest and longest duration, minutes. */
const MINUTES: Record<QuietTrouble, readonly [number, number]> = {
  outage: [15, 90],
  shift: [120, 360],
  spike: [1, 4],
  doubling: [30, 120],
  creep: [180, 420],
  stuck: [90, 240],
};

/**
 * A copy of the series with one trouble of each kind, a day or two apart and in an order that depends on the seed, the
 * first one on day `fromDay`. Requires ten days before that.
 */
export function withTroubles(
  series: QuietSeries,
  seed: number,
  fromDay: number,
): { series: QuietSeries; troubles: InjectedTrouble[] } {
  const { timestamps } = series;
  const values = series.values.slice();
  const draw = new Draw(seedOf(seed, 'troubles'));
  const step = timestamps[1]! - timestamps[0]!;
  const perDay = DAY_SECONDS / step;
  const order = [...QUIET_TROUBLES]
    .map((trouble) => ({ trouble, place: draw.uniform() }))
    .sort((a, b) => a.place - b.place);
  const size = usualSize(series.values);
  const troubles: InjectedTrouble[] = [];
  order.forEach(({ trouble }, index) => {
    const [shortest, longest] = MINUTES[trouble];
    const rows = max(1, Math.round((draw.whole(shortest, longest) * 60) / step));
    const from = floor((fromDay + index * 2 + draw.uniform(0.1, 0.9)) * perDay);
    const until = min(from + rows, values.length);
    inject(values, trouble, from, until, size, draw);
    const isVisible =
      trouble === 'stuck'
        ? isStandingOut(series.values, values[from]!, from, until, perDay)
        : isFarAway(series.values, values, trouble, from, until, perDay);
    troubles.push({ trouble, from, until, isVisible });
  });
  return { series: { timestamps, values }, troubles };
}

interface UsualSize {
  median: number;
  /** Difference between the 95th and the 5th percentile. */
  width: number;
}

function usualSize(values: Float64Array): UsualSize {
  const sorted = values.slice().sort();
  const at = (share: number): number => sorted[floor(share * (sorted.length - 1))]!;
  return { median: at(0.5), width: at(0.95) - at(0.05) };
}

function inject(
  values: Float64Array,
  trouble: QuietTrouble,
  from: number,
  until: number,
  { median, width }: UsualSize,
  draw: Draw,
): void {
  const side = draw.isTrue(0.5) ? 1 : -1;
  const scale = max(width, 0.05 * abs(median));
  const height = scale * draw.uniform(0.6, 2);
  const held = values[from]!;
  for (let row = from; row < until; row++) {
    const part = (row - from + 1) / (until - from);
    switch (trouble) {
      case 'outage':
        values[row] = 0;
        break;
      case 'shift':
        values[row] = values[row]! + side * height;
        break;
      case 'spike':
        values[row] = values[row]! + 2 * height;
        break;
      case 'doubling':
        values[row] = 2 * values[row]!;
        break;
      case 'creep':
        values[row] = values[row]! + part * 1.5 * height;
        break;
      case 'stuck':
        values[row] = held;
        break;
    }
  }
}

/** Values at about the same time of day on the previous days, ascending. */
function referenceAt(values: Float64Array, row: number, perDay: number): Float64Array {
  const around = Math.round((AROUND_MINUTES * perDay) / 1440);
  const found: number[] = [];
  for (let day = 1; day <= REFERENCE_DAYS; day++) {
    const middle = Math.round(row - day * perDay);
    for (let other = middle - around; other <= middle + around; other++) if (other >= 0) found.push(values[other]!);
  }
  return Float64Array.from(found).sort();
}

function isFarAway(
  quiet: Float64Array,
  values: Float64Array,
  trouble: QuietTrouble,
  from: number,
  until: number,
  perDay: number,
): boolean {
  const wanted = until - from < SHORT_ROWS ? VISIBLE_SHORT : VISIBLE_LONG;
  // A creep is checked at its end, where it is largest.
  const first = trouble === 'creep' ? floor(from + 0.7 * (until - from)) : from;
  const stride = max(1, floor((until - first) / 20));
  let rows = 0;
  let far = 0;
  for (let row = first; row < until; row += stride) {
    const reference = referenceAt(quiet, row, perDay);
    const at = (share: number): number => reference[floor(share * (reference.length - 1))]!;
    // In a normal distribution, the two are 3.29 standard deviations apart.
    const spread = (at(0.95) - at(0.05)) / 3.29;
    const isOutside = values[row]! < reference[0]! || values[row]! > reference[reference.length - 1]!;
    rows++;
    if (isOutside && abs(values[row]! - at(0.5)) > wanted * spread) far++;
  }
  return far >= VISIBLE_SHARE * rows;
}

/** True if the values of the previous ten days have not been constant for nearly this long. */
function isStandingOut(quiet: Float64Array, held: number, from: number, until: number, perDay: number): boolean {
  let longest = 0;
  let run = 0;
  let same = 0;
  const first = max(1, Math.round(from - REFERENCE_DAYS * perDay));
  for (let row = first; row < from; row++) {
    run = quiet[row] === quiet[row - 1] ? run + 1 : 0;
    if (run > 0) same++;
    longest = max(longest, run);
  }
  return until - from > STILL_LONGER * (longest + 1) && same < 0.5 * (from - first) && Number.isFinite(held);
}
