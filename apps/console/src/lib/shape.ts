/** A point of a curve: Unix seconds and value; null = gap. */
export type CurvePoint = readonly (number | null)[];

/** A curve moved to its position: `x` and `y` from 0 to 1, `y` upwards; null = gap. */
export interface PlacedPoint {
  x: number;
  y: number | null;
}

export interface PlacedCurves {
  curves: PlacedPoint[][];
  /** Seconds from the left edge to the right. */
  seconds: number;
  /**
   * Limits of all curves, in the unit of the metric; null if there is no value. Not shared if each has a separate
   * scale.
   */
  low: number | null;
  high: number | null;
}

/**
 * `shared`: one axis, so that sizes are comparable; `own`: each curve fills the height, so that shapes are comparable.
 */
export type ShapeScale = 'shared' | 'own';

function edgesOf(curves: readonly (readonly CurvePoint[])[]): { low: number; high: number } | null {
  let low = Infinity;
  let high = -Infinity;
  for (const curve of curves) {
    for (const [, value] of curve) {
      if (typeof value !== 'number' || !Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low <= high ? { low, high } : null;
}

/**
 * Superimposes curves: their first points (`start`) or their last ones (`end`) are at the same position. Curves with
 * fewer than two points stay empty.
 */
export function placeCurves(
  curves: readonly (readonly CurvePoint[])[],
  { align, scale }: { align: 'start' | 'end'; scale: ShapeScale },
): PlacedCurves {
  const length = (curve: readonly CurvePoint[]): number => (curve.at(-1)?.[0] ?? 0) - (curve[0]?.[0] ?? 0);
  const seconds = Math.max(0, ...curves.map(length));
  const all = edgesOf(curves);
  const placed = curves.map((curve) => {
    const edges = scale === 'shared' ? all : edgesOf([curve]);
    if (curve.length < 2 || seconds === 0 || edges === null) return [];
    const first = curve[0]![0]!;
    const offset = align === 'end' ? seconds - length(curve) : 0;
    const { low, high } = edges;
    return curve.map(([timestamp, value]): PlacedPoint => ({
      x: (timestamp! - first + offset) / seconds,
      y: typeof value !== 'number' ? null : high === low ? 0.5 : (value - low) / (high - low),
    }));
  });
  return { curves: placed, seconds, low: all?.low ?? null, high: all?.high ?? null };
}

/** The path of a placed curve in a box; a gap interrupts the line. */
export function curvePath(points: readonly PlacedPoint[], width: number, height: number, padding = 2): string {
  let isDrawing = false;
  let path = '';
  for (const { x, y } of points) {
    if (y === null) {
      isDrawing = false;
      continue;
    }
    const left = (x * width).toFixed(1);
    const top = (height - padding - y * (height - 2 * padding)).toFixed(1);
    path += `${isDrawing ? 'L' : 'M'}${left} ${top}`;
    isDrawing = true;
  }
  return path;
}
