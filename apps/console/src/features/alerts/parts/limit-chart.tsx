import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { severityLabel } from '#libs/contracts';
import { valueText } from '../../../lib/numbers';
import { timeTicks } from '../../../lib/time-ticks';
import classes from '../limit-chart.module.css';
import { type Box, boxOf, pathOf, rounded, valueAt, yOf } from '../limit-chart';

export interface LimitLine {
  key: string;
  label: string;
  value: number;
}

const WIDTH = 600;
const HEIGHT = 180;
const TICKS = 5;
/** Shares of the height of the picture by which a key press moves a line. */
const STEP = 0.01;
const LEAP = 0.1;

/**
 * Values over time with the messages that would have been sent, and limits as dashed lines that can be dragged or moved
 * with the arrow keys. Times in Unix seconds.
 */
export function LimitChart({
  label,
  points,
  window,
  zone,
  unit,
  lines,
  marks,
  onLine,
}: {
  /** Text for readers who do not see it. */
  label: string;
  points: readonly (readonly [timestamp: number, value: number | null])[];
  window: { from: number; until: number };
  zone: string;
  unit: string | null;
  lines: readonly LimitLine[];
  marks: readonly { at: number; severity: number; isSent: boolean }[];
  onLine: (key: string, value: number) => void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  /** The scale does not change while a line is dragged. */
  const [held, setHeld] = useState<Box | null>(null);
  const box = held ?? boxOf(points, lines);
  const x = (at: number): number => ((at - window.from) / (window.until - window.from)) * WIDTH;

  const drag = (key: string, event: PointerEvent<HTMLDivElement>): void => {
    const place = frame.current?.getBoundingClientRect();
    if (!held || !place) return;
    const share = (event.clientY - place.top) / place.height;
    onLine(key, rounded(valueAt(Math.min(1, Math.max(0, share)), held), held));
  };
  const onKeyDown = ({ key: id, value }: LimitLine, event: KeyboardEvent): void => {
    const span = box.high - box.low;
    const steps: Readonly<Record<string, number>> = {
      ArrowUp: STEP,
      ArrowRight: STEP,
      ArrowDown: -STEP,
      ArrowLeft: -STEP,
      PageUp: LEAP,
      PageDown: -LEAP,
    };
    const step = steps[event.key];
    const next = step === undefined ? undefined : value + step * span;
    if (next === undefined) return;
    event.preventDefault();
    onLine(id, rounded(next, box));
  };

  return (
    <div className={classes.chart}>
      <div className={classes.frame} ref={frame} style={{ height: HEIGHT }}>
        <svg
          className={classes.picture}
          viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          {marks.map(({ at, severity, isSent }, i) => (
            <rect
              key={i}
              x={x(at) - 1.5}
              y={0}
              width={3}
              height={HEIGHT}
              fill={isSent ? `var(--pl-${severityLabel(severity)})` : 'var(--pl-dim)'}
              opacity={isSent ? 0.55 : 0.2}
            />
          ))}
          <path d={pathOf(points, { box, window, width: WIDTH, height: HEIGHT })} className={classes.line} />
        </svg>
        <span className={classes.high}>{valueText(box.high, unit)}</span>
        <span className={classes.low}>{valueText(box.low, unit)}</span>
        {lines.map((line) => (
          <div
            key={line.key}
            className={classes.limit}
            style={{ top: `${String(100 * yOf(line.value, box))}%` }}
            role="slider"
            tabIndex={0}
            aria-label={line.label}
            aria-orientation="vertical"
            aria-valuemin={box.low}
            aria-valuemax={box.high}
            aria-valuenow={line.value}
            aria-valuetext={valueText(line.value, unit)}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setHeld(box);
            }}
            onPointerMove={(event) => drag(line.key, event)}
            onPointerUp={() => setHeld(null)}
            onPointerCancel={() => setHeld(null)}
            onKeyDown={(event) => onKeyDown(line, event)}
          >
            <span className={classes.tag}>{valueText(line.value, unit)}</span>
          </div>
        ))}
      </div>
      <div className={classes.times}>
        {timeTicks(window, zone, TICKS).map(({ at, label: time }) => (
          <span key={at} style={{ left: `${String((100 * x(at)) / WIDTH)}%` }}>
            {time}
          </span>
        ))}
      </div>
    </div>
  );
}
