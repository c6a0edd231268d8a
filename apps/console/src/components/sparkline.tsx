import { memo } from 'react';

/** Columns of a sparkline; null = gap. Unix seconds. */
export interface SparklineProps {
  points: readonly (readonly [timestamp: number, value: number | null])[];
  lower?: readonly (number | null)[];
  upper?: readonly (number | null)[];
  anomalies?: readonly { from: number; until: number | null; severity: 'critical' | 'major' | 'minor' | 'info' }[];
  width?: number;
  height?: number;
  /** Text for readers who do not see it. */
  label: string;
}

/** A small line with the expected range as a band, and anomalies in their colour. */
export const Sparkline = memo(function Sparkline({
  points,
  lower = [],
  upper = [],
  anomalies = [],
  width = 140,
  height = 28,
  label,
}: SparklineProps) {
  const values = points.flatMap(([, value]) => (value === null ? [] : [value]));
  const first = points[0]?.[0] ?? 0;
  const last = points.at(-1)?.[0] ?? 1;
  const edges = [...values, ...[...lower, ...upper].flatMap((value) => (value === null ? [] : [value]))];
  const low = edges.length > 0 ? Math.min(...edges) : 0;
  const high = edges.length > 0 ? Math.max(...edges) : 1;
  const x = (timestamp: number): number =>
    last === first ? width / 2 : ((timestamp - first) / (last - first)) * (width - 2) + 1;
  const y = (value: number): number =>
    high === low ? height / 2 : height - 2 - ((value - low) / (high - low)) * (height - 4);
  const path = (of: (i: number) => number | null): string =>
    points
      .map(([timestamp], i) => {
        const value = of(i);
        if (value === null) return '';
        const isStart = i === 0 || of(i - 1) === null;
        return `${isStart ? 'M' : 'L'}${x(timestamp).toFixed(1)} ${y(value).toFixed(1)}`;
      })
      .join('');
  const hasBand = lower.length === points.length && upper.length === points.length;
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {hasBand && <path d={bandPath(points, lower, upper, x, y)} fill="var(--pl-info)" opacity={0.18} />}
      {anomalies.map(({ from, until, severity }) => (
        <rect
          key={from}
          x={Math.max(0, x(from))}
          y={0}
          width={Math.max(2, x(Math.min(until ?? last, last)) - Math.max(0, x(from)))}
          height={height}
          fill={`var(--pl-${severity})`}
          opacity={0.3}
        />
      ))}
      <path
        d={path((i) => points[i]?.[1] ?? null)}
        fill="none"
        stroke="var(--pl-dim)"
        strokeWidth={1.2}
        strokeLinejoin="round"
      />
    </svg>
  );
});

function bandPath(
  points: SparklineProps['points'],
  lower: readonly (number | null)[],
  upper: readonly (number | null)[],
  x: (timestamp: number) => number,
  y: (value: number) => number,
): string {
  const known = points.flatMap(([timestamp], i) => {
    const low = lower[i];
    const high = upper[i];
    return typeof low === 'number' && typeof high === 'number' ? [{ timestamp, low, high }] : [];
  });
  if (known.length < 2) return '';
  const there = known.map(({ timestamp, high }) => `${x(timestamp).toFixed(1)} ${y(high).toFixed(1)}`);
  const back = known.toReversed().map(({ timestamp, low }) => `${x(timestamp).toFixed(1)} ${y(low).toFixed(1)}`);
  return `M${[...there, ...back].join('L')}Z`;
}
