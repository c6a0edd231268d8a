import { AS_IT_WAS, type Habit, type HabitualSlots, habitualSlots } from './habit.js';
import { type PreparedShape, BASELINE_SLOTS, contextWindow, LEAD_SLOTS, SETTLE_SLOTS, TAIL_SLOTS } from './shape.js';
import { type Squares, squaresIn, type SquaresByPlace, squaresOf, stretchedTo } from './squares.js';
import { median, momentsOf, noiseOf } from './statistics.js';
import { endOf, part, type Stretch } from './stretch.js';
import { isWithin, type StartWindow, timeOfDay } from './timing.js';
import { correlationOf, zDistance } from './z-distance.js';

/** An unusual part that the detector has found, and the known values of its series so far. */
export interface Candidate {
  /** First anomalous slot, and the last one if the part has ended. Unix seconds. */
  start: number;
  end: number | null;
  /** Newest known slot. */
  newest: number;
  /** In the same slots as the shapes: from LEAD_SLOTS before the earliest tried start to the newest slot. */
  fine: Stretch;
  /** By length of window, in the slots of the shapes; shapes with other windows are not compared. */
  contexts: ReadonlyMap<number, Stretch>;
}

/** The check that a candidate failed, cheapest first; `alike` if it failed none. */
export const STAGES = [
  'time',
  'gaps',
  'part',
  'range',
  'level',
  'spread',
  'shape',
  'length',
  'context',
  'alike',
] as const;
export type Stage = (typeof STAGES)[number];

export interface Likeness {
  alike: boolean;
  stage: Stage;
  /** 0..1; at least the threshold if alike. 0 if no alignment was possible. */
  similarity: number;
  /**
   * z-normalised distance of the compared windows, which have `size` slots and start in the shape at slot `index` of
   * `fine`.
   */
  distance: number;
  index: number;
  size: number;
  /** Start of the compared window in the candidate's series, Unix seconds. */
  from: number;
  /** Start of the shape in the series of the candidate, Unix seconds. */
  onset: number;
  /**
   * Number of slots of the part, and ratio of its height to that of the shape, with which the candidate fits best.
   * While it continues: so far.
   */
  slots: number;
  height: number;
  /** Difference between the areas of part and candidate, in percent of that of the part. */
  areaPercent: number;
  /**
   * Likeness of the time before: correlation corrected for noise; null if there is no shape to compare, or an earlier
   * check failed.
   */
  context: number | null;
}

/** Maximum difference between starts that still count as the same time. */
const SLIDE_SLOTS = 2;
const RANGE_TOLERANCE = 0.25;
const LEVEL_TOLERANCE = 0.5;
/** Allowed difference in range and level, in deviations of the noise, in addition to the usual one. */
const NOISE_ROOM = 4;
const SPREAD_RATIO = 2.5;
const SPREAD_SLOTS = 8;
const SHAPE_SLOTS = 8;
const GAPS_APART = 0.4;
/**
 * Number of lengths of the part that are tried first on each side of its actual length; the best one is then refined
 * between its neighbours.
 */
const LENGTHS_TRIED = 12;
/** Number of slots by which the part may seem longer than it is; the detector needs some slots to recognise its end. */
const LENGTH_SLOTS = 3;
const SLOTS_TO_CLOSE = 8;
/** Minimum correlation of the time before, corrected for noise. */
const CONTEXT_LIKENESS = 0.5;
const CONTEXT_TRIM = 0.1;
const MIN_RELIABILITY = 0.25;
const MIN_BINS = 24;

const NOWHERE: Likeness = {
  alike: false,
  stage: 'time',
  similarity: 0,
  distance: 0,
  index: 0,
  size: 0,
  from: 0,
  onset: 0,
  slots: 0,
  height: 1,
  areaPercent: 0,
  context: null,
};

export interface LikenessOptions {
  /** 0..1 */
  threshold: number;
  /** Allowed starts of the shape; null: any time. */
  window: StartWindow | null;
  timezone: string;
  /** Allowed length and height of the part; omitted: derived from one instance. */
  habit?: Habit;
  /**
   * Number of slots before the start of the candidate in which the shape may start; omitted: all slots of the shape.
   */
  reach?: number;
  /** Cached results of the shape in the series of the candidate, if many candidates of one series are compared. */
  known?: SquaresByPlace;
}

interface Alignment {
  onset: number;
  /** Number of slots of the stretched part. */
  slots: number;
  /** Number of known slots of part and tail. */
  known: number;
  values: Float32Array;
  baseline: number;
  /**
   * Mean square distance, including that of the slots before. Even below that of the noise, the smallest distance shows
   * which start is right.
   */
  square: number;
  /** Share of the square of the part by which part and tail differ, without the effect of noise. */
  apart: number;
}

/**
 * Compares a candidate with a shape. The candidate may have started with the shape or anywhere within it, because the
 * detector may open again in the middle of known behaviour. Of all possible starts of the shape, the best fit counts.
 */
export function likeness(prepared: PreparedShape, candidate: Candidate, options: LikenessOptions): Likeness {
  const { habit = AS_IT_WAS, threshold } = options;
  const allowed = habitualSlots(prepared.partSlots, habit);
  const best = bestAlignment(prepared, candidate, options, allowed);
  if (best === null) return NOWHERE;
  const fitted = fit(prepared, best, habit);
  const limits = { threshold, longest: allowed.most, edge: gapOf(prepared.partSlots, allowed) };
  // Of thousands of places in a search, only those that are alike count: the others need no measures.
  if (options.known !== undefined) {
    if (1 - fitted.apart < threshold) return NOWHERE;
    if (failedStage(prepared, candidate, best, fitted, 1, limits) !== null) return NOWHERE;
  }
  const measured = measure(prepared, candidate, best, fitted);
  const failed = failedStage(prepared, candidate, best, fitted, measured.similarity, limits);
  if (failed !== null) return { ...measured, context: null, stage: failed, alike: false };
  // The most expensive check: most shapes have already failed another one.
  const before = candidate.contexts.get(prepared.shape.duration);
  const context = before === undefined ? null : contextLikeness(prepared, before, best.onset);
  const stage = context !== null && context < CONTEXT_LIKENESS ? 'context' : 'alike';
  return { ...measured, context, stage, alike: stage === 'alike' };
}

/** The best of all allowed lengths, starting with that of the shape; the first one wins a tie. */
function bestAlignment(
  prepared: PreparedShape,
  candidate: Candidate,
  options: LikenessOptions,
  { least, most }: HabitualSlots,
): Alignment | null {
  const { partSlots } = prepared;
  const align = aligner(prepared, candidate, options);
  let best = align(partSlots, null);
  const side = Math.max(partSlots - least, most - partSlots);
  // No other length compensates for a larger difference than its own slots can have.
  const repairable = best === null ? 0 : 1 - options.threshold + (2 * side) / Math.min(best.known, best.slots);
  if (best === null || best.apart === 0 || best.apart > repairable) return best;
  let gap = gapOf(partSlots, { least, most });
  for (let turn = 1; turn <= LENGTHS_TRIED; turn++) {
    best = align(Math.max(least, partSlots - turn * gap), best);
    best = align(Math.min(most, partSlots + turn * gap), best);
  }
  while (best !== null && gap > 1) {
    gap = Math.ceil(gap / 2);
    const { slots } = best;
    best = align(Math.max(least, slots - gap), best);
    best = align(Math.min(most, slots + gap), best);
  }
  return best;
}

/** Slots between two lengths that are tried first. */
function gapOf(partSlots: number, { least, most }: HabitualSlots): number {
  return Math.ceil(Math.max(partSlots - least, most - partSlots) / LENGTHS_TRIED);
}

type Align = (slots: number, best: Alignment | null) => Alignment | null;

/** Finds the best start of the shape with its part stretched to this many slots, if it is better than `best`. */
function aligner(
  { shape, partSlots, baseline: level, residuals, size, partNoise, leadNoise }: PreparedShape,
  { start, newest, fine }: Candidate,
  { window, timezone, reach = Number.POSITIVE_INFINITY, known: memory }: LikenessOptions,
): Align {
  const { step } = shape.fine;
  const first = Math.floor(start / step) * step;
  const noise = noiseSquare({ partNoise, leadNoise });
  // Changes of the clock within the shape do not matter.
  const time = window === null ? 0 : timeOfDay(first, timezone);
  const lead = shape.fine.values.subarray(LEAD_SLOTS - BASELINE_SLOTS, LEAD_SLOTS).map((value) => value - level);
  const baselines = baselinesOf(fine, step);
  const tried = new Set<number>();
  return (slots, known) => {
    if (tried.has(slots)) return known;
    tried.add(slots);
    let best = known;
    const all = slots + residuals.length - partSlots;
    const kept = memory?.ofLength(slots);
    const stretched = kept === undefined ? stretchedTo(residuals, partSlots, slots) : residuals;
    const earlier = Math.min(all, reach);
    for (let turn = 0; turn < earlier + SLIDE_SLOTS; turn++) {
      // The start of the candidate is tried first: the first one wins a tie.
      const offset = turn < earlier ? turn : earlier - 1 - turn;
      const onset = first - offset * step;
      const seen = Math.min(all, Math.floor((newest - onset) / step) + 1);
      if (seen < 1 || offset >= seen || !isWithin(time - offset * step, window)) continue;
      const bound = best === null ? Number.POSITIVE_INFINITY : best.square * (BASELINE_SLOTS + seen);
      const place = Math.round((onset - fine.start) / step);
      if (kept !== undefined && seen === all && kept.least(place) > bound) continue;
      const values = part(fine, onset, onset + seen * step);
      let baseline = baselines.get(onset);
      if (baseline === undefined) {
        baseline = baselineOf(earlierPart(fine, onset, step));
        baselines.set(onset, baseline);
      }
      const inside =
        kept === undefined ? squaresOf(values, stretched, baseline, bound) : kept.at(place, values, baseline, bound);
      if (inside.sum > bound) continue;
      // A plateau is the same everywhere: only the edge before it shows where it started.
      const outside = squaresOf(earlierPart(fine, onset, step), lead, baseline, bound - inside.sum);
      const square = mean({ sum: inside.sum + outside.sum, count: inside.count + outside.count });
      const apart = shareApart(inside, noise, { slots, known: seen, size });
      if (best === null || square < best.square) best = { onset, slots, known: seen, values, baseline, square, apart };
    }
    return best;
  };
}

/** The shape with the length and height that fit the candidate best. */
interface Fitted {
  /** Known part and tail of the candidate, less the baseline. */
  residuals: Float32Array;
  /** Height of the candidate relative to that of the shape. */
  height: number;
  /** The same, limited to the range of other instances. */
  factor: number;
  /** Same as `Alignment.apart`. */
  apart: number;
}

function fit(prepared: PreparedShape, best: Alignment, { lowest, highest }: Habit): Fitted {
  const { partSlots, size } = prepared;
  const { slots, known, values, baseline } = best;
  const residuals = stretchedTo(prepared.residuals, partSlots, slots).slice(0, known);
  let product = 0;
  let square = 0;
  let count = 0;
  residuals.forEach((residual, slot) => {
    const difference = values[slot]! - baseline;
    if (!Number.isFinite(residual) || !Number.isFinite(difference)) return;
    product += residual * difference;
    square += residual ** 2;
    count++;
  });
  // A part that is not higher than the noise has no height.
  const height = square <= count * noiseSquare(prepared) ? 1 : product / square;
  const factor = Math.min(highest, Math.max(lowest, height));
  if (factor === 1) return { residuals, height, factor, apart: best.apart };
  const scaled = residuals.map((residual) => residual * factor);
  const squares = squaresOf(values, scaled, baseline, Number.POSITIVE_INFINITY);
  const apart = shareApart(squares, noiseSquare(prepared), { slots, known, size });
  return { residuals: scaled, height, factor, apart };
}

interface Baselines {
  /** Of the slots of the shapes. */
  step: number;
  byOnset: Map<number, number>;
}

/**
 * Baselines of candidates: hundreds of shapes are compared with the same slots and need the medians of the same
 * windows.
 */
const BASELINES = new WeakMap<Stretch, Baselines>();

function baselinesOf(fine: Stretch, step: number): Map<number, number> {
  const known = BASELINES.get(fine);
  if (known?.step === step) return known.byOnset;
  const byOnset = new Map<number, number>();
  BASELINES.set(fine, { step, byOnset });
  return byOnset;
}

const earlierPart = (fine: Stretch, onset: number, step: number): Float32Array =>
  part(fine, onset - BASELINE_SLOTS * step, onset);

/** 0 if no slot has data. */
function baselineOf(earlier: Float32Array): number {
  const before = median(earlier);
  return Number.isFinite(before) ? before : 0;
}

/** Mean square difference between two instances of a shape that noise alone causes. */
const noiseSquare = ({ partNoise, leadNoise }: Pick<PreparedShape, 'partNoise' | 'leadNoise'>): number =>
  partNoise ** 2 + Math.max(partNoise, leadNoise) ** 2;

/**
 * The upper limit of the mean of this many squares of noise by chance: two standard deviations above the expectation.
 */
const byChance = (square: number, count: number): number =>
  count === 0 ? square : square * (1 + 2 * Math.sqrt(2 / count));

/**
 * Squared difference of part and tail, less that of noise, relative to the square of the part: a tail of many slots
 * does not compensate for a part of few.
 */
function shareApart(
  squares: Squares,
  noise: number,
  { slots, known, size }: { slots: number; known: number; size: number },
): number {
  const beyond = Math.max(0, mean(squares) - byChance(noise, squares.count)) * squares.count;
  return beyond / (Math.min(slots, known) * size ** 2);
}

/** Root mean square by which a part may differ from that of a shape, including its own noise, and still be alike. */
export const spreadOf = (prepared: PreparedShape, threshold: number): number =>
  Math.sqrt((1 - threshold) * prepared.size ** 2 + noiseSquare(prepared));

const mean = ({ sum, count }: Squares): number => (count === 0 ? 0 : sum / count);

type Measured = Omit<Likeness, 'alike' | 'stage' | 'context'>;

function measure(
  prepared: PreparedShape,
  candidate: Candidate,
  { onset, slots, known, values, baseline }: Alignment,
  { residuals, height, apart }: Fitted,
): Measured {
  const { shape, leadNoise, partNoise } = prepared;
  const { step } = shape.fine;
  const index = LEAD_SLOTS - BASELINE_SLOTS;
  const size = BASELINE_SLOTS + known;
  const from = onset - BASELINE_SLOTS * step;
  const mine = new Float32Array(size);
  mine.set(shape.fine.values.subarray(index, LEAD_SLOTS));
  residuals.forEach((residual, slot) => (mine[BASELINE_SLOTS + slot] = prepared.baseline + residual));
  const theirs = part(candidate.fine, from, from + size * step);
  const distance = zDistance(theirs, mine);
  const noise = Math.max(leadNoise, partNoise);
  // A few slots have no shape yet: they are judged only by their values.
  const hasShape = known >= Math.min(SHAPE_SLOTS, prepared.partSlots);
  const shapeLikeness = hasShape ? freedCorrelation(correlationOf(distance, size), mine, theirs, noise) : null;
  const similarity = Math.max(0, Math.min(1, 1 - apart, shapeLikeness ?? 1));
  return {
    similarity: Math.min(similarity, 1),
    distance,
    index,
    size,
    from,
    onset,
    slots,
    height,
    areaPercent: areaPercent(values, residuals, baseline),
  };
}

/**
 * Noise reduces the likeness of any two windows below that of their shapes: a correlation is divided by the geometric
 * mean of the shares of shape in both (Spearman's correction for attenuation), and the possible loss by chance is
 * added. Null if there is only noise.
 */
function freedCorrelation(correlation: number, one: Float32Array, other: Float32Array, noise: number): number | null {
  const [first, second] = [reliability(one, noise), reliability(other, noise)];
  if (first < MIN_RELIABILITY && second < MIN_RELIABILITY) return null;
  const share = Math.sqrt(Math.max(first, MIN_RELIABILITY) * Math.max(second, MIN_RELIABILITY));
  const chance = (1 - correlation ** 2) / Math.sqrt(one.length);
  return Math.min(1, (correlation + 2 * chance) / share);
}

function reliability(values: Float32Array, noise: number): number {
  const { deviation } = momentsOf(values);
  return !(deviation > 0) ? 0 : Math.max(0, 1 - noise ** 2 / deviation ** 2);
}

function areaPercent(values: Float32Array, residuals: Float32Array, baseline: number): number {
  let mine = 0;
  let apart = 0;
  for (let slot = 0; slot < values.length; slot++) {
    const difference = values[slot]! - baseline - residuals[slot]!;
    if (!Number.isFinite(difference)) continue;
    apart += difference;
    mine += Math.abs(residuals[slot]!);
  }
  return mine === 0 ? 0 : (100 * Math.abs(apart)) / mine;
}

/** The first failed check, without that of the time before; null if none has failed. */
function failedStage(
  prepared: PreparedShape,
  candidate: Candidate,
  { onset, slots, known, values, baseline }: Alignment,
  { residuals, factor, apart }: Fitted,
  similarity: number,
  { threshold, longest, edge }: { threshold: number; longest: number; edge: number },
): Stage | null {
  const { shape, size, leadNoise, partNoise, range } = prepared;
  const { step } = shape.fine;
  const within = values.subarray(0, Math.min(known, slots));
  const noise = Math.max(leadNoise, partNoise);
  if (Math.abs(gapsOf(within) - gapsOf(residuals.subarray(0, within.length))) > GAPS_APART) return 'gaps';
  if (1 - apart < threshold) return 'part';
  const [least, most] = [factor * prepared.least, factor * prepared.most];
  const room = RANGE_TOLERANCE * size + NOISE_ROOM * noise;
  // At the start and the end of the shape, wherever these may be, the baseline is part of the allowed range.
  const isOut = within.some((value, slot) => {
    const isEdge = slot < edge || slot >= within.length - edge;
    const [low, high] = isEdge ? [Math.min(0, least), Math.max(0, most)] : [least, most];
    return value - baseline < low - room || value - baseline > high + room;
  });
  if (isOut) return 'range';
  if (Math.abs(baseline - prepared.baseline) > LEVEL_TOLERANCE * range + NOISE_ROOM * noise) return 'level';
  if (within.length >= SPREAD_SLOTS) {
    // The spread of few slots is uncertain.
    const ratio = SPREAD_RATIO * (1 + SPREAD_SLOTS / Math.min(within.length, prepared.partSlots));
    if (isSpreadApart(noiseOf(within), partNoise, size, ratio)) return 'spread';
  }
  if (similarity < threshold) return 'shape';
  const allowed = longest + LENGTH_SLOTS;
  const last = candidate.end ?? candidate.newest - SLOTS_TO_CLOSE * step;
  const lasted = (last - onset) / step + 1;
  const rest = { from: onset + allowed * step, last, slots: lasted, baseline, threshold };
  return lasted > allowed && !isBack(prepared, candidate, rest) ? 'length' : null;
}

/**
 * A candidate may continue after its shape, because the detector has adapted to the part and considers the values after
 * it unusual. The job has ended nevertheless if these values also stay at the end level of the shape: at the baseline.
 */
function isBack(
  { shape, residuals, partSlots, size, leadNoise }: PreparedShape,
  { fine }: Candidate,
  rest: { from: number; last: number; slots: number; baseline: number; threshold: number },
): boolean {
  const { step } = shape.fine;
  const room = (1 - rest.threshold) * size + NOISE_ROOM * leadNoise;
  const isNear = (distance: number): boolean => Math.abs(distance) <= room;
  if (rest.slots > partSlots + SETTLE_SLOTS || !isNear(median(residuals.subarray(partSlots)))) return false;
  const values = part(fine, rest.from, rest.last + step);
  const finite = values.filter(Number.isFinite);
  return values.length - finite.length <= LENGTH_SLOTS && finite.every((value) => isNear(value - rest.baseline));
}

/** Share of the slots without data. */
function gapsOf(values: Float32Array): number {
  let finite = 0;
  for (const value of values) if (Number.isFinite(value)) finite++;
  return values.length === 0 ? 0 : 1 - finite / values.length;
}

/** Noise that is small compared with the shape may have any size. */
function isSpreadApart(one: number, other: number, size: number, ratio: number): boolean {
  const [small, large] = one < other ? [one, other] : [other, one];
  return large > size / 12 && large > ratio * small;
}

/**
 * Likeness of the time before the part. A tenth of the slots is ignored: other anomalies, or the same one on earlier
 * days.
 */
function contextLikeness({ shape, range }: PreparedShape, context: Stretch, onset: number): number | null {
  const { step } = shape.context;
  const { from, until } = contextWindow(onset, shape.duration, step);
  let best: number | null = null;
  for (const shift of [0, -1, 1]) {
    const values = part(context, from + shift * step, until + shift * step);
    const found = trimmedCorrelation(shape.context.values, values, range);
    if (found !== null && (best === null || found > best)) best = found;
    if (best === null) return null;
  }
  return best;
}

function trimmedCorrelation(one: Float32Array, other: Float32Array, range: number): number | null {
  const length = Math.min(one.length, other.length);
  const both: number[] = [];
  for (let slot = 0; slot < length; slot++) {
    if (Number.isFinite(one[slot]!) && Number.isFinite(other[slot]!)) both.push(slot);
  }
  if (both.length < MIN_BINS || both.length < length / 2) return null;
  const apart = Float64Array.from(both, (slot) => one[slot]! - other[slot]!);
  const offset = median(apart);
  for (let i = 0; i < apart.length; i++) apart[i] = Math.abs(apart[i]! - offset);
  const kept = withLeast(both, apart, Math.ceil(both.length * (1 - CONTEXT_TRIM)));
  const [first, second] = [pick(one, kept), pick(other, kept)];
  const noise = Math.max(noiseOf(first), noiseOf(second));
  // A day that hardly changes compared with the part has no shape that could differ.
  const isFlat = [first, second].every((values) => momentsOf(values).deviation < range / 50);
  if (isFlat) return null;
  return freedCorrelation(correlationOf(zDistance(first, second), kept.length), first, second, noise);
}

/** A number of items with the smallest values, in their original order; the first one wins a tie. */
function withLeast(items: readonly number[], values: Float64Array, count: number): number[] {
  const sorted = values.slice().sort();
  const most = sorted[count - 1]!;
  let equals = count - sorted.indexOf(most);
  return items.filter((_, i) => values[i]! < most || (values[i] === most && equals-- > 0));
}

function pick(values: Float32Array, slots: readonly number[]): Float32Array {
  const picked = new Float32Array(slots.length);
  for (let i = 0; i < slots.length; i++) picked[i] = values[slots[i]!]!;
  return picked;
}

/** One occurrence of a shape. */
export interface Occurrence extends Pick<Likeness, 'slots' | 'height'> {
  /** Unix seconds. */
  start: number;
}

/**
 * Other occurrences of the part of a shape in a stretch of its series, at any time, by ascending start. Occurrences do
 * not overlap.
 */
export function occurrences(
  prepared: PreparedShape,
  fine: Stretch,
  { threshold, habit = AS_IT_WAS }: Pick<LikenessOptions, 'threshold' | 'habit'>,
): Occurrence[] {
  const { shape, partSlots, residuals } = prepared;
  const { step } = shape.fine;
  const found: Occurrence[] = [];
  const { most } = habitualSlots(partSlots, habit);
  const first = fine.start + LEAD_SLOTS * step;
  const last = fine.start + (fine.values.length - residuals.length) * step;
  const newestOfAll = endOf(fine) - step;
  // The loop starts a candidate at every slot, so earlier beginnings are covered by the candidates before this one.
  const known = squaresIn(fine, residuals, partSlots);
  const exact = { threshold, window: null, timezone: 'UTC', habit, reach: SLIDE_SLOTS + 1, known };
  let until = -Infinity;
  for (let onset = first; onset <= last; onset += step) {
    if (!isPossible(prepared, fine, onset)) continue;
    const end = onset + (partSlots - 1) * step;
    const newest = Math.min(newestOfAll, onset + (most + TAIL_SLOTS) * step);
    const candidate = { start: onset, end, newest, fine, contexts: NO_CONTEXTS };
    const { alike, onset: start, slots, height } = likeness(prepared, candidate, exact);
    if (!alike) continue;
    if (start >= until) found.push({ start, slots, height });
    until = Math.max(until, start + slots * step);
    onset = Math.max(onset, until - step);
  }
  return found;
}

const NO_CONTEXTS: ReadonlyMap<number, Stretch> = new Map();

/** Excludes most places by a check of the middle of the part. */
function isPossible(
  { residuals, partSlots, size, leadNoise, partNoise, shape }: PreparedShape,
  fine: Stretch,
  onset: number,
): boolean {
  const { step } = shape.fine;
  const middle = Math.floor(partSlots / 2);
  const slot = Math.round((onset - fine.start) / step);
  const value = fine.values[slot + middle]!;
  const before = fine.values[slot - 1 - SLIDE_SLOTS]!;
  if (!Number.isFinite(value) || !Number.isFinite(before)) return false;
  const noise = Math.max(leadNoise, partNoise);
  return Math.abs(value - before - residuals[middle]!) < size / 2 + 2 * NOISE_ROOM * noise;
}
