/** A stretch of time, Unix seconds. */
export interface Stretch {
  from: number;
  until: number;
}

/** Position of the plot in the picture, pixels. */
export interface PlotBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

const SHORTEST_SECONDS = 60;
const LONGEST_SECONDS = 400 * 86_400;

export const timeAt = (x: number, plot: PlotBox, view: Stretch): number =>
  view.from + ((x - plot.left) / plot.width) * (view.until - view.from);

export const xAt = (time: number, plot: PlotBox, view: Stretch): number =>
  plot.left + ((time - view.from) / (view.until - view.from)) * plot.width;

/** Moves the view without changing its length. Its end does not pass `latest`, unless it is already later. */
export function moved(view: Stretch, seconds: number, latest: number): Stretch {
  const step = Math.min(seconds, Math.max(0, latest - view.until));
  const whole = Math.round(step);
  return { from: view.from + whole, until: view.until + whole };
}

/** Makes the view `factor` times as long; the time `at` keeps its position in the picture, if `latest` allows it. */
export function zoomed(view: Stretch, factor: number, at: number, latest: number): Stretch {
  const length = view.until - view.from;
  const next = Math.round(Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, length * factor)));
  const share = Math.min(1, Math.max(0, (at - view.from) / length));
  const from = Math.round(at - share * next);
  return moved({ from, until: from + next }, Math.min(0, Math.max(latest, view.until) - (from + next)), latest);
}

/** Converts two positions of a drag to a stretch; null if the drag is too short to be intended. */
export function brushed(x1: number, x2: number, plot: PlotBox, view: Stretch): Stretch | null {
  const inside = (x: number): number => Math.min(plot.left + plot.width, Math.max(plot.left, x));
  const [left, right] = [inside(Math.min(x1, x2)), inside(Math.max(x1, x2))];
  if (right - left < 4) return null;
  const from = Math.floor(timeAt(left, plot, view));
  const until = Math.ceil(timeAt(right, plot, view));
  return { from, until: Math.max(until, from + SHORTEST_SECONDS) };
}

/** Row of the ascending column that is nearest to a time; −1 if there is none. */
export function nearestRow(timestamps: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = timestamps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timestamps[middle]! < time) low = middle + 1;
    else high = middle;
  }
  if (low === timestamps.length) return low - 1;
  if (low === 0) return 0;
  return time - timestamps[low - 1]! <= timestamps[low]! - time ? low - 1 : low;
}

/** Length of the slot of a row: the distance to the nearer neighbour, seconds; null if there is no neighbour. */
export function slotSeconds(timestamps: ArrayLike<number>, row: number): number | null {
  const at = timestamps[row];
  if (at === undefined) return null;
  const shortest = Math.min((timestamps[row + 1] ?? Infinity) - at, at - (timestamps[row - 1] ?? -Infinity));
  return Number.isFinite(shortest) ? shortest : null;
}
