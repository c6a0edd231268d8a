import { layoutChart, type MetricChart } from '#libs/charts/browser';
import { type PlotBox, type Stretch } from './chart-view';

/** Number of windows by which a film extends beyond the view on either side. */
export const FILM_REACH = 0.5;

/**
 * A chart that is drawn wider than the view, so that the view can move over it without drawing. The parts next to and
 * below its plot have the same positions as in the chart itself.
 */
export interface Film {
  chart: MetricChart;
  plot: PlotBox;
  /** Length of the views that fit its scale, seconds. */
  span: number;
}

/** The film of a chart whose plot is `plot`, extended by `reach` windows on either side. */
export function filmOf(chart: MetricChart, plot: PlotBox, reach = FILM_REACH): Film {
  const span = chart.until - chart.from;
  const pixels = Math.round(plot.width * reach);
  const seconds = (pixels / plot.width) * span;
  const wanted = plot.width + 2 * pixels;
  const wide = {
    ...chart,
    from: chart.from - seconds,
    until: chart.until + seconds,
    width: chart.width + 2 * pixels,
  };
  // Small pictures have narrower margins than large ones, but the scale must be that of the chart.
  const film = { ...wide, width: wide.width + wanted - layoutChart(wide, []).plot.width };
  return { chart: film, plot: layoutChart(film, []).plot, span };
}

/**
 * The offset by which the film is moved so that the view fills the plot: whole pixels from the left and upper edge of
 * the plot to those of the film; null if the film does not contain the whole view, or has a different scale.
 */
export function filmPlace(film: Film, plot: PlotBox, view: Stretch): { left: number; top: number } | null {
  const { from, until } = film.chart;
  if (view.until - view.from !== film.span || view.from < from || view.until > until) return null;
  const passed = ((view.from - from) / (until - from)) * film.plot.width;
  return { left: -Math.round(film.plot.left + passed), top: Math.round(plot.top - film.plot.top) };
}
