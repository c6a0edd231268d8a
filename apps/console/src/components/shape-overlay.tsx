import { placeCurves, curvePath, type CurvePoint, type ShapeScale } from '../lib/shape';
import { rangeText } from '../lib/numbers';
import { durationText } from '../lib/time';
import classes from './shape-overlay.module.css';

export interface OverlayCurve {
  id: string | number;
  name: string;
  points: readonly CurvePoint[];
  /** `main`: the pattern; `chosen`: the selected curve; `faint`: all others. */
  tone: 'main' | 'chosen' | 'faint';
}

const WIDTH = 600;
/** Height of the text below the picture, including its margin, pixels; skeletons reserve this space. */
export const EDGES_HEIGHT = 23;

/** Curves of different times superimposed, with the span of the picture. */
export function ShapeOverlay({
  curves,
  label,
  unit,
  height = 120,
  align = 'end',
  scale = 'shared',
  hasKey = true,
  isBare = false,
}: {
  curves: readonly OverlayCurve[];
  /** Text for readers who do not see it. */
  label: string;
  unit?: string | null;
  height?: number;
  align?: 'start' | 'end';
  scale?: ShapeScale;
  hasKey?: boolean;
  /** The picture alone, without its span. */
  isBare?: boolean;
}) {
  const placed = placeCurves(
    curves.map(({ points }) => points),
    { align, scale },
  );
  // The pattern is drawn above the curves that are compared with it, and the selected curve above all.
  const rank = { faint: 0, main: 1, chosen: 2 } as const;
  const order = curves.map((curve, i) => ({ ...curve, placed: placed.curves[i]! }));
  order.sort((one, other) => rank[one.tone] - rank[other.tone]);
  const named = curves.filter(({ tone }) => tone !== 'faint');
  return (
    <div className={classes.frame}>
      <svg
        className={classes.picture}
        height={height}
        viewBox={`0 0 ${String(WIDTH)} ${String(height)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {order.map(({ id, name, tone, placed: points }) => (
          <path key={id} d={curvePath(points, WIDTH, height)} className={classes.line} data-tone={tone}>
            <title>{name}</title>
          </path>
        ))}
      </svg>
      {!isBare && (
        <div className={classes.edges}>
          {hasKey &&
            named.map(({ id, name, tone }) => (
              <span key={id} className={classes.key}>
                <span className={classes.swatch} data-tone={tone} />
                <bdi>{name}</bdi>
              </span>
            ))}
          {placed.seconds > 0 && (
            <span>
              {durationText(placed.seconds)}
              {scale === 'shared' && placed.low !== null && placed.high !== null
                ? `, ${rangeText(placed.low, placed.high, unit ?? null) ?? ''}`
                : ''}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
