import { useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { layoutChart } from '#libs/charts/browser';
import { type ChartContent, chartOf } from './chart-definition';
import { ChartHover } from './chart-hover';
import { ChartLabels } from './chart-labels';
import { ChartMarks } from './chart-marks';
import { type MetricChartProps } from './chart-props';
import { brushed, moved, type Stretch, timeAt, zoomed } from './chart-view';
import { texts } from './chart.texts';
import { latestOf, useMover } from './use-mover';
import classes from './chart.module.css';

interface PictureProps extends MetricChartProps {
  content: ChartContent;
  /** Pixels; 0 until the position on the page is known. */
  width: number;
}

/** A drag in progress. Positions in pixels from the left edge of the picture. */
type Drag = { kind: 'brush'; start: number } | { kind: 'pan'; start: number; view: Stretch };

const KEY_STEP = 0.1;
const KEY_LEAP = 0.5;

export function ChartPicture(props: PictureProps) {
  const { content, width, height, window, onWindowChange, onMark } = props;
  const theme = useComputedColorScheme('light');
  const canvas = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const [brush, setBrush] = useState<[number, number] | null>(null);
  const [isMoving, setMoving] = useState(false);
  const [hoverX, setHoverX] = useState<number | null>(null);

  const definition = useMemo(
    () => chartOf(content, { from: window.from, until: window.until, width: Math.max(120, width), height, theme }),
    [content, window.from, window.until, width, height, theme],
  );
  const { plot } = useMemo(() => layoutChart(definition, []), [definition]);
  const mover = useMover(canvas, definition, width > 0, onWindowChange, setMoving);

  const placeOf = (event: PointerEvent<HTMLDivElement>): number =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;

  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (!onWindowChange || event.button !== 0 || (event.target as Element).closest('a')) return;
    const start = placeOf(event);
    const isPan = event.shiftKey || (event.pointerType === 'touch' && !onMark);
    drag.current = isPan ? { kind: 'pan', start, view: mover.begin() } : { kind: 'brush', start };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const x = placeOf(event);
    const gesture = drag.current;
    if (gesture?.kind === 'pan') {
      const seconds = ((gesture.start - x) / plot.width) * (gesture.view.until - gesture.view.from);
      mover.show(moved(gesture.view, seconds, latestOf(gesture.view)));
      return;
    }
    if (gesture?.kind === 'brush') setBrush([gesture.start, x]);
    setHoverX(x >= plot.left && x <= plot.left + plot.width ? x : null);
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>): void => {
    const gesture = drag.current;
    drag.current = null;
    setBrush(null);
    if (gesture?.kind === 'pan') mover.commit();
    if (gesture?.kind === 'brush') {
      const chosen = brushed(gesture.start, placeOf(event), plot, window);
      if (chosen) (onMark ?? onWindowChange)?.(chosen);
    }
  };
  const onPointerCancel = (): void => {
    drag.current = null;
    setBrush(null);
    mover.cancel();
  };
  const zoom = (factor: number, at = (window.from + window.until) / 2): void =>
    onWindowChange?.(zoomed(window, factor, at, latestOf(window)));
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (!onWindowChange || event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const span = (window.until - window.from) * (event.shiftKey ? KEY_LEAP : KEY_STEP);
    if (event.key === 'ArrowLeft') onWindowChange(moved(window, -span, latestOf(window)));
    else if (event.key === 'ArrowRight') onWindowChange(moved(window, span, latestOf(window)));
    else if (event.key === '+' || event.key === '=') zoom(0.5);
    else if (event.key === '-' || event.key === '_') zoom(2);
    else if (event.key === 'Escape') onPointerCancel();
    else return;
    event.preventDefault();
  };

  const isInteractive = onWindowChange !== undefined;
  return (
    <div
      className={classes.picture}
      data-interactive={isInteractive || undefined}
      data-marking={onMark !== undefined || undefined}
      style={{ height }}
      tabIndex={isInteractive ? 0 : undefined}
      role={isInteractive ? 'group' : undefined}
      aria-label={isInteractive ? texts.interactive(props.title) : undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerCancel}
      onPointerLeave={() => setHoverX(null)}
      onDoubleClick={(event) => {
        const left = event.currentTarget.getBoundingClientRect().left;
        zoom(2, timeAt(event.clientX - left, plot, window));
      }}
      onKeyDown={onKeyDown}
    >
      <div
        ref={canvas}
        className={classes.canvas}
        style={{ height, width: definition.width }}
        role="img"
        aria-label={props.title}
      />
      {brush && (
        <div
          className={classes.brush}
          style={{
            left: Math.max(plot.left, Math.min(...brush)),
            width: Math.max(
              0,
              Math.min(plot.left + plot.width, Math.max(...brush)) - Math.max(plot.left, Math.min(...brush)),
            ),
            top: plot.top,
            height: plot.height,
          }}
        />
      )}
      {!isMoving && width > 0 && <ChartLabels labels={props.labels ?? []} plot={plot} view={window} />}
      {!isMoving && <ChartMarks {...props} anomalies={props.anomalies ?? []} plot={plot} view={window} />}
      {hoverX !== null && !isMoving && <ChartHover {...props} x={hoverX} plot={plot} width={definition.width} />}
    </div>
  );
}
