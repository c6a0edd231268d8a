import { type ReadWindow } from './driver.types.js';

/** Approximate number of points that one read should return. */
export const POINTS_PER_READ = 50_000;
/** Prometheus answers at most 11,000 points of a series. */
export const MAX_INTERVALS = 10_000;
/** For the first reads, whose size is not known yet. */
export const FIRST_INTERVALS = 60;
/** Maximum delay of a source with a long interval that spreads reads over time. */
const LONGEST_PHASE_SECONDS = 60;

export interface ReadPlan {
  window: ReadWindow;
  /** No more data is available at the moment. */
  isLast: boolean;
}

interface Progress {
  watermark: number;
  intervalSeconds: number;
  lagSeconds: number;
  chunkIntervals: number;
}

/** The last instant that can be queried, on the grid of the interval. */
export const newestInstant = (
  now: number,
  { intervalSeconds, lagSeconds }: Omit<Progress, 'watermark' | 'chunkIntervals'>,
): number => Math.floor((now - lagSeconds) / intervalSeconds) * intervalSeconds;

/**
 * The next window to read: whole intervals on a fixed grid, so that a second read of a window returns the same points.
 * Null: there is nothing to read yet.
 * @param oldest older points are not stored
 */
export function planRead(progress: Progress, now: number, oldest: number): ReadPlan | null {
  const { intervalSeconds: step } = progress;
  const newest = newestInstant(now, progress);
  const from = Math.floor(Math.max(progress.watermark, oldest) / step) * step;
  if (from >= newest) return null;
  const until = Math.min(newest, from + progress.chunkIntervals * step);
  return { window: { from, until, stepSeconds: step }, isLast: until === newest };
}

/** The same for a query that only returns the present: the last instant, however old the last read is. */
export function planPresent(progress: Progress, now: number): ReadPlan | null {
  const { intervalSeconds: step } = progress;
  const newest = newestInstant(now, progress);
  if (progress.watermark >= newest) return null;
  return { window: { from: newest - step, until: newest, stepSeconds: step }, isLast: true };
}

/** Seconds by which reads of a source are delayed against others with the same interval; constant per source. */
export function phaseOf(id: number, intervalSeconds: number): number {
  // Multiples of the golden ratio are spread evenly for any number of sources.
  const part = (id * 0.618_033_988_749_895) % 1;
  return Math.floor(part * Math.min(intervalSeconds, LONGEST_PHASE_SECONDS));
}

/** Unix seconds from which the interval after `watermark` can be read. */
export const nextReadTime = (
  id: number,
  watermark: number,
  { intervalSeconds, lagSeconds }: Omit<Progress, 'watermark' | 'chunkIntervals'>,
): number => watermark + intervalSeconds + lagSeconds + phaseOf(id, intervalSeconds);

/** Number of intervals that the next read may span, after one that returned `points` in `intervals`. */
export function nextChunk(chunk: number, points: number, intervals: number, pointsPerInterval: number | null): number {
  // The highest density so far: the past may have been sparser than the data to come.
  const density = Math.max(points / intervals, pointsPerInterval ?? 0);
  const fitting = density === 0 ? chunk * 4 : Math.floor(POINTS_PER_READ / density);
  return Math.max(1, Math.min(MAX_INTERVALS, fitting, chunk * 16));
}

/** After a read that returned too much, or that the source could not execute. */
export const smallerChunk = (chunk: number): number => Math.max(1, Math.floor(chunk / 4));
