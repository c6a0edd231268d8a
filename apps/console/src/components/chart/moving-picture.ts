import { type EChartsType } from 'echarts/core';
import { layoutChart, type MetricChart } from '#libs/charts/browser';
import { drawOn, openCanvas } from './chart-canvas';
import { type Film, FILM_REACH, filmOf, filmPlace } from './chart-film';
import { type PlotBox, type Stretch } from './chart-view';
import classes from './chart.module.css';

/**
 * Shows views of a chart over the plot of its picture while the chart is moved. A view is a position in a film, so
 * moving requires no drawing; a new film is drawn when the view reaches its end.
 */
export class MovingPicture {
  private readonly frame = document.createElement('div');
  private readonly strip = document.createElement('div');
  private readonly canvas: EChartsType;
  private chart: MetricChart | null = null;
  private plot: PlotBox | null = null;
  private film: Film | null = null;

  constructor(host: HTMLElement, size: { width: number; height: number }) {
    this.frame.className = classes.filmFrame!;
    this.strip.className = classes.film!;
    this.frame.append(this.strip);
    host.append(this.frame);
    this.canvas = openCanvas(this.strip, size);
  }

  /** Shows a view of the chart. Its value axis must be that of the picture below (`valueRange`). */
  show(chart: MetricChart, view: Stretch): void {
    if (this.chart !== chart || this.plot === null) {
      this.chart = chart;
      this.plot = layoutChart(chart, []).plot;
      this.film = null;
      this.frame.style.left = `${String(this.plot.left)}px`;
      this.frame.style.width = `${String(this.plot.width)}px`;
      this.frame.style.height = `${String(chart.height)}px`;
    }
    const place = this.placeOf(view) ?? this.render(chart, view);
    this.strip.style.transform = `translate(${String(place.left)}px, ${String(place.top)}px)`;
  }

  private placeOf(view: Stretch): { left: number; top: number } | null {
    return this.film && this.plot ? filmPlace(this.film, this.plot, view) : null;
  }

  private render(chart: MetricChart, view: Stretch): { left: number; top: number } {
    // During zooming each view has a different scale: drawing more than the view would be wasted.
    const isZoomed = this.film !== null && this.film.span !== view.until - view.from;
    this.film = filmOf({ ...chart, ...view }, this.plot!, isZoomed ? 0 : FILM_REACH);
    drawOn(this.canvas, this.film.chart);
    return this.placeOf(view)!;
  }

  dispose(): void {
    this.canvas.dispose();
    this.frame.remove();
  }
}
