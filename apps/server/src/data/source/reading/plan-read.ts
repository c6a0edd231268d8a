import { type ReadWindow } from './driver.types.js';

/** Points that one read should bring, about. */
export const POINTS_PER_READ = 50_000;
/** Prometheus answers at most 11,000 points of a series. */
export const MAX_INTERVALS = 10_000;
/** Of the first reads: how much they bring is not known yet. */
export const FIRST_INTERVALS = 60;
/** A source of a long interval is not read later than this for being spread over time. */
const LONGEST_PHASE_SECONDS = 60;

export interface ReadPlan {
  window: ReadWindow;
  /** Nothing more is there at the moment. */
  isLast: boolean;
}

interface Progress {
  watermark: number;
  intervalSeconds: number;
  lagSeconds: number;
  chunkIntervals: number;
}

/** The last instant that can be asked for, on the grid of the interval. */
export const newestInstant = (
  now: number,
  { intervalSeconds, lagSeconds }: Omit<Progress, 'watermark' | 'chunkIntervals'>,
): number => Math.floor((now - lagSeconds) / intervalSeconds) * intervalSeconds;

/**
 * The next window to read: whole intervals, on a grid that is the same for every read, so that a second read of a
 * window returns the same points. Null: there is nothing to read yet.
 * @param oldest older points are not stored anyway
 */
export function planRead(progress: Progress, now: number, oldest: number): ReadPlan | null {
  const { intervalSeconds: step } = progress;
  const newest = newestInstant(now, progress);
  const from = Math.floor(Math.max(progress.watermark, oldest) / step) * step;
  if (from >= newest) return null;
  const until = Math.min(newest, from + progress.chunkIntervals * step);
  return { window: { from, until, stepSeconds: step }, isLast: until === newest };
}

/** The same for a query that knows the present alone: the last instant, however long the last read is ago. */
export function planPresent(progress: Progress, now: number): ReadPlan | null {
  const { intervalSeconds: step } = progress;
  const newest = newestInstant(now, progress);
  if (progress.watermark >= newest) return null;
  return { window: { from: newest - step, until: newest, stepSeconds: step }, isLast: true };
}

/** Seconds by which a source is read later than others of the same interval, always the same ones. */
export function phaseOf(id: number, intervalSeconds: number): number {
  // Multiples of the golden ratio are spread evenly, however many there are.
  const part = (id * 0.618_033_988_749_895) % 1;
  return Math.floor(part * Math.min(intervalSeconds, LONGEST_PHASE_SECONDS));
}

/** Unix seconds from which on the interval after `watermark` can be read. */
export const nextReadTime = (
  id: number,
  watermark: number,
  { intervalSeconds, lagSeconds }: Omit<Progress, 'watermark' | 'chunkIntervals'>,
): number => watermark + intervalSeconds + lagSeconds + phaseOf(id, intervalSeconds);

/** How many intervals the next read may span, after one that brought `points` in `intervals`. */
export function nextChunk(chunk: number, points: number, intervals: number, pointsPerInterval: number | null): number {
  // The densest that was seen: the past may have been sparser than what comes.
  const density = Math.max(points / intervals, pointsPerInterval ?? 0);
  const fitting = density === 0 ? chunk * 4 : Math.floor(POINTS_PER_READ / density);
  return Math.max(1, Math.min(MAX_INTERVALS, fitting, chunk * 16));
}

/** After a read that brought too much, or that the source could not do. */
export const smallerChunk = (chunk: number): number => Math.max(1, Math.floor(chunk / 4));
