import { type EChartsType } from 'echarts/core';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { layoutChart, type MetricChart } from '#libs/charts/browser';
import { drawAxes, drawOn, openCanvas } from './chart-canvas';
import { type MetricChartProps } from './chart-props';
import { moved, type Stretch, timeAt, zoomed } from './chart-view';
import { MovingPicture } from './moving-picture';

/** Time without wheel events after which the wheel counts as stopped. */
const WHEEL_REST_MS = 180;
/** Time for which the reached view stays if the page does not make it its window. */
const LANDING_MS = 1000;

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** A chart may be moved up to the current time, or to its own end if that is later. */
export const latestOf = (view: Stretch): number => Math.max(view.until, nowSeconds());

export interface Mover {
  /** The view from which a movement starts. */
  begin: () => Stretch;
  /** Shows another view in the next frame. */
  show: (view: Stretch) => void;
  /** Makes the shown view the window of the page. */
  commit: () => void;
  cancel: () => void;
}

interface Movement {
  view: Stretch;
  /** The chart with the value axis that it had at the start of the movement. */
  chart: MetricChart;
  picture: MovingPicture;
  /** Set when the pointer is released: ends the movement even if the page has not adopted the view. */
  landing: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Draws the chart, and other views of it while it is moved: outside of React, at most once per frame. The reached view
 * stays until the page has it as its window, so nothing flickers in between.
 */
export function useMover(
  element: RefObject<HTMLDivElement | null>,
  definition: MetricChart,
  isReady: boolean,
  onWindowChange: MetricChartProps['onWindowChange'],
  setMoving: (isMoving: boolean) => void,
): Mover {
  const host = useRef<HTMLDivElement | null>(null);
  const canvas = useRef<EChartsType | null>(null);
  const movement = useRef<Movement | null>(null);
  const frame = useRef(0);
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef({ definition, onWindowChange });

  useEffect(() => {
    latest.current = { definition, onWindowChange };
  }, [definition, onWindowChange]);

  const mover = useMemo((): Mover & { follow: () => void; stop: () => void } => {
    const stop = (): void => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
      clearTimeout(rest.current);
      clearTimeout(movement.current?.landing);
      movement.current?.picture.dispose();
      movement.current = null;
    };
    const end = (): void => {
      if (canvas.current) drawOn(canvas.current, latest.current.definition);
      stop();
      setMoving(false);
    };
    const start = (above: HTMLElement, below: EChartsType): Movement => {
      const { definition: shown } = latest.current;
      const { min, max } = layoutChart(shown, []).valueAxis;
      const chart = { ...shown, valueRange: { min, max } };
      const { from, until } = shown;
      setMoving(true);
      drawAxes(below, chart);
      const movement = { view: { from, until }, chart, picture: new MovingPicture(above, chart), landing: undefined };
      movement.picture.show(chart, movement.view);
      return movement;
    };
    return {
      stop,
      begin: () => {
        clearTimeout(movement.current?.landing);
        if (movement.current) movement.current.landing = undefined;
        const { from, until } = movement.current?.view ?? latest.current.definition;
        return { from, until };
      },
      show: (view) => {
        if (!canvas.current || !host.current) return;
        movement.current ??= start(host.current, canvas.current);
        movement.current.view = view;
        frame.current ||= requestAnimationFrame(() => {
          frame.current = 0;
          const moving = movement.current;
          moving?.picture.show(moving.chart, moving.view);
        });
      },
      commit: () => {
        const moving = movement.current;
        if (!moving) return;
        const { definition: shown, onWindowChange: change } = latest.current;
        if (!change || (moving.view.from === shown.from && moving.view.until === shown.until)) {
          end();
          return;
        }
        moving.landing = setTimeout(end, LANDING_MS);
        change(moving.view);
      },
      cancel: () => {
        if (movement.current) end();
      },
      // Data that arrives while the chart is moved is shown in the current view of the movement.
      follow: () => {
        const { definition: shown } = latest.current;
        const moving = movement.current;
        if (!canvas.current) return;
        if (!moving) drawOn(canvas.current, shown);
        else if (moving.landing !== undefined && moving.view.from === shown.from && moving.view.until === shown.until) {
          end();
        } else {
          moving.chart = { ...shown, valueRange: moving.chart.valueRange! };
          drawAxes(canvas.current, moving.chart);
          moving.picture.show(moving.chart, moving.view);
        }
      },
    };
  }, [setMoving]);

  useEffect(() => {
    if (!isReady || !element.current) return;
    host.current = element.current;
    canvas.current = openCanvas(element.current);
    return () => {
      mover.stop();
      canvas.current?.dispose();
      canvas.current = null;
    };
  }, [element, isReady, mover]);

  useEffect(() => mover.follow(), [definition, isReady, mover]);

  // React registers passive wheel listeners; this one prevents the page from scrolling.
  useEffect(() => {
    const target = element.current;
    if (!target || !isReady) return;
    const onWheel = (event: WheelEvent): void => {
      if (!latest.current.onWindowChange) return;
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      const isPinch = event.ctrlKey && event.deltaY !== 0;
      if (!isPinch && Math.abs(sideways) <= (event.shiftKey ? 0 : Math.abs(event.deltaY))) return;
      event.preventDefault();
      const startView = mover.begin();
      const { plot } = layoutChart(latest.current.definition, []);
      const at = timeAt(event.clientX - target.getBoundingClientRect().left, plot, startView);
      const seconds = (sideways / plot.width) * (startView.until - startView.from);
      mover.show(
        isPinch
          ? zoomed(startView, Math.exp(event.deltaY / 100), at, latestOf(startView))
          : moved(startView, seconds, latestOf(startView)),
      );
      clearTimeout(rest.current);
      rest.current = setTimeout(mover.commit, WHEEL_REST_MS);
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element, isReady, mover]);

  return mover;
}
