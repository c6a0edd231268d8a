import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { moved, type Stretch } from '../../../components/chart/chart-view';
import { Sparkline } from '../../../components/sparkline';
import { useDataNow } from '../../../lib/now';
import { timeText } from '../../../lib/time';
import { anomaliesQuery, timeseriesQuery } from '../api/metric';
import { texts } from '../metrics.texts';
import { columnsOf, stretchesOf } from './use-metric-data';
import classes from './metrics.module.css';

const STRIP_SECONDS = 30 * 86_400;
const STRIP_HEIGHT = 50;
const STRIP_POINTS = 600;
/** The strip advances in steps of an hour. */
const STEP = 3600;
const SHORTEST_SECONDS = 60;

type Hold = { part: 'window' | 'left' | 'right'; start: number; view: Stretch };

interface StripProps {
  name: string;
  isRate: boolean;
  window: Stretch;
  zone: string;
  onChange: (window: Stretch) => void;
}

/** A month in miniature with its anomalies, for dragging the window. */
export function MonthStrip({ name, isRate, window, zone, onChange }: StripProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const now = useDataNow();
  const end = Math.ceil(now / STEP) * STEP;
  const edge = Math.floor(window.from / STEP) * STEP;
  const strip = useMemo(() => ({ from: Math.min(end - STRIP_SECONDS, edge), until: end }), [end, edge]);
  const values = useQuery({ ...timeseriesQuery(name, strip, STRIP_POINTS), staleTime: 10 * 60_000 });
  const anomalies = useQuery(anomaliesQuery(name, strip, 500));
  const hold = useRef<Hold | null>(null);
  const [dragged, setDragged] = useState<Stretch | null>(null);
  const view = dragged ?? window;

  const points = useMemo(() => {
    if (!values.data) return [];
    const { timestamps, values: column } = columnsOf(values.data, isRate);
    const rows = timestamps.map((timestamp, i) => [timestamp, column[i] ?? null] as const);
    // The miniature has the length of the strip, even where no point has arrived yet.
    return [[strip.from, null] as const, ...rows, [strip.until, null] as const];
  }, [values.data, isRate, strip]);
  const stretches = useMemo(() => stretchesOf(anomalies.data?.anomalies ?? []), [anomalies.data]);

  const span = strip.until - strip.from;
  const secondsOf = (pixels: number): number => (pixels / Math.max(1, width)) * span;
  const placeOf = (time: number): number => Math.max(0, Math.min(1, (time - strip.from) / span)) * width;
  const centredOn = (time: number): Stretch => moved(window, time - (window.from + window.until) / 2, now);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    const start = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const part = (event.target as HTMLElement).dataset.part as Hold['part'] | undefined;
    const startView = part === undefined ? centredOn(strip.from + secondsOf(start)) : window;
    hold.current = { part: part ?? 'window', start, view: startView };
    setDragged(startView);
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (!hold.current) return;
    const { part, start, view: startView } = hold.current;
    const seconds = Math.round(secondsOf(event.clientX - event.currentTarget.getBoundingClientRect().left - start));
    if (part === 'window') setDragged(moved(startView, seconds, now));
    else if (part === 'left') {
      setDragged({
        from: Math.min(startView.from + seconds, startView.until - SHORTEST_SECONDS),
        until: startView.until,
      });
    } else {
      const until = Math.min(Math.max(now, startView.until), startView.until + seconds);
      setDragged({ from: startView.from, until: Math.max(until, startView.from + SHORTEST_SECONDS) });
    }
  };
  const onPointerUp = (): void => {
    hold.current = null;
    if (dragged && (dragged.from !== window.from || dragged.until !== window.until)) onChange(dragged);
    setDragged(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = (window.until - window.from) / 2;
    if (event.key === 'ArrowLeft') onChange(moved(window, -step, now));
    else if (event.key === 'ArrowRight') onChange(moved(window, step, now));
    else return;
    event.preventDefault();
  };
  const left = placeOf(view.from);
  const right = placeOf(view.until);
  return (
    <div
      ref={ref}
      className={classes.strip}
      title={texts.stripHelp}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
    >
      {width > 0 && points.length > 0 && (
        <Sparkline
          points={points}
          anomalies={stretches}
          width={Math.round(width)}
          height={STRIP_HEIGHT}
          label={texts.strip}
        />
      )}
      <div
        role="slider"
        tabIndex={0}
        aria-label={texts.strip}
        aria-valuemin={strip.from}
        aria-valuemax={strip.until}
        aria-valuenow={view.until}
        aria-valuetext={texts.stripText(timeText(view.from, zone), timeText(view.until, zone))}
        className={classes.stripWindow}
        data-part="window"
        style={{ left, width: Math.max(8, right - left) }}
        onKeyDown={onKeyDown}
      >
        <span className={classes.stripEdge} data-part="left" style={{ left: -5 }} />
        <span className={classes.stripEdge} data-part="right" style={{ right: -5 }} />
      </div>
    </div>
  );
}
