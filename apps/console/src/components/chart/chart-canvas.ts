import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
} from 'echarts/components';
import { init, use as register, type EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { metricChartOption, type MetricChart } from '#libs/charts/browser';

register([
  CanvasRenderer,
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
]);

/** `size` in pixels; if omitted, that of the element. */
export function openCanvas(element: HTMLElement, size?: { width: number; height: number }): EChartsType {
  return init(element, null, { renderer: 'canvas', width: size?.width, height: size?.height });
}

/** Draws the definition immediately; the background of the page shows through. */
export function drawOn(canvas: EChartsType, chart: MetricChart): void {
  fit(canvas, chart);
  const option = { ...metricChartOption(chart), backgroundColor: 'transparent' };
  canvas.setOption(option, { notMerge: true, lazyUpdate: false, silent: true });
  // Draws now, not in the next frame of the library, so that panning follows the pointer.
  canvas.getZr().flush();
}

/** Draws the parts that do not move with the chart: the value axis with its lines, and the unit. */
export function drawAxes(canvas: EChartsType, chart: MetricChart): void {
  fit(canvas, chart);
  const still = { ...metricChartOption(chart), series: [], backgroundColor: 'transparent' };
  canvas.setOption(still, { notMerge: true, lazyUpdate: true, silent: true });
  canvas.setOption({ xAxis: { axisTick: { show: false }, axisLabel: { show: false } } }, { silent: true });
  canvas.getZr().flush();
}

function fit(canvas: EChartsType, { width, height }: MetricChart): void {
  if (canvas.getWidth() === width && canvas.getHeight() === height) return;
  canvas.resize({ width, height, silent: true });
}

/** The chart as an image for a file, with twice its size in pixels. */
export function pngOf(chart: MetricChart): Promise<Blob | null> {
  const element = document.createElement('div');
  const canvas = init(element, null, { renderer: 'canvas', width: chart.width, height: chart.height });
  canvas.setOption(metricChartOption(chart));
  const picture = canvas.renderToCanvas({ pixelRatio: 2 });
  return new Promise((resolve) => {
    picture.toBlob((blob) => {
      canvas.dispose();
      resolve(blob);
    }, 'image/png');
  });
}
