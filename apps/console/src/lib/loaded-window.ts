/** A stretch of time, Unix seconds. */
interface Stretch {
  from: number;
  until: number;
}

/** Number of requested points per pixel: the drawing keeps the extremes of each pixel. */
const POINTS_PER_PIXEL = 2;
const FEWEST_POINTS = 200;
const MAX_POINTS = 10_000;
/**
 * The number of requested points changes in steps, so that the same data is requested again, not slightly more of it.
 */
const POINTS_STEP = 500;
/** Maximum total length with surroundings: windows beyond the retention are refused. */
const LONGEST_SECONDS = 400 * 86_400;

/**
 * The range to load for a window: an additional half of its length on each side, aligned to a grid of quarters, so that
 * panning finds loaded data and nearby windows share an answer. Not earlier than `earliest`, whole seconds.
 */
export function loadedWindow(window: Stretch, earliest = 0): Stretch {
  const span = window.until - window.from;
  const grid = Math.max(60, Math.round(span / 4));
  const reach = Math.min(span, Math.max(0, LONGEST_SECONDS - span)) / 2;
  return {
    from: Math.max(earliest, Math.floor((window.from - reach) / grid) * grid),
    until: Math.ceil((window.until + reach) / grid) * grid,
  };
}

/** Number of points to request, for a window of this many pixels that is loaded with its surroundings. */
export function pointsFor(pixels: number, window: Stretch, loaded: Stretch): number {
  const share = (loaded.until - loaded.from) / (window.until - window.from);
  const wanted = Math.ceil((pixels * POINTS_PER_PIXEL * share) / POINTS_STEP) * POINTS_STEP;
  return Math.min(MAX_POINTS, Math.max(FEWEST_POINTS, wanted));
}
