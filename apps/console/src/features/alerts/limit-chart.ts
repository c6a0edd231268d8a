/** The values at the lower and upper edge of a picture. */
export interface Box {
  low: number;
  high: number;
}

type Points = readonly (readonly [timestamp: number, value: number | null])[];

const MARGIN = 0.08;

/** The range of values of a picture: all values of the series and of the lines, with a margin. */
export function boxOf(points: Points, lines: readonly { value: number }[]): Box {
  let low = Infinity;
  let high = -Infinity;
  const see = (value: number): void => {
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const [, value] of points) if (value !== null) see(value);
  for (const { value } of lines) see(value);
  if (low > high) return { low: 0, high: 1 };
  const room = (high - low || Math.abs(high) || 1) * MARGIN;
  // If values are never negative, the lower bound is zero.
  return { low: low >= 0 ? Math.max(0, low - room) : low - room, high: high + room };
}

/** Position of a value, as a share of the height from the upper edge. */
export const yOf = (value: number, { low, high }: Box): number => (high - value) / (high - low);

/** The value at a share of the height from the upper edge. */
export const valueAt = (share: number, { low, high }: Box): number => high - share * (high - low);

/** Rounds to the fewest digits that distinguish 1/200 of the picture. */
export function rounded(value: number, { low, high }: Box): number {
  const step = 10 ** Math.floor(Math.log10((high - low) / 200));
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return Number((Math.round(value / step) * step).toFixed(Math.min(digits, 20)));
}

/** The path of a series through a picture; gaps are not drawn. Times in Unix seconds. */
export function pathOf(
  points: Points,
  { box, window, width, height }: { box: Box; window: { from: number; until: number }; width: number; height: number },
): string {
  const span = window.until - window.from;
  let isDrawing = false;
  return points
    .map(([timestamp, value]) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      const left = ((timestamp - window.from) / span) * width;
      return `${command}${left.toFixed(1)} ${(yOf(value, box) * height).toFixed(1)}`;
    })
    .join('');
}
