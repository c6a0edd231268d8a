import {
  type MetricChart,
  type MultiplesChart,
  type PageTheme,
  renderHtml,
  renderMultiplesHtml,
  renderMultiplesSvg,
  renderPng,
  renderSvg,
} from '#libs/charts';

export const PICTURE_TYPES = {
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
} as const;
export type PictureFormat = keyof typeof PICTURE_TYPES;

/** A chart to draw; pictures cannot follow the reader, so `auto` is light in them. */
export type ChartRequest = OneChart | Multiples;

export interface OneChart {
  chart: Omit<MetricChart, 'theme'> & { theme: PageTheme };
  format: PictureFormat;
  /** Pixels of a PNG per pixel of the chart; default 1. */
  scale?: number;
}

/** Several metrics below each other. */
export interface Multiples {
  multiples: Omit<MultiplesChart, 'theme'> & { theme: PageTheme };
  format: PictureFormat;
}

/** Draws a chart; the same in a worker thread and in the calling one. Takes about a fifth of a second. */
export function renderChart(request: ChartRequest): Uint8Array {
  const { format } = request;
  if ('multiples' in request) {
    if (format === 'html') return new TextEncoder().encode(renderMultiplesHtml(request.multiples));
    const svg = renderMultiplesSvg({ ...request.multiples, theme: stillTheme(request.multiples.theme) });
    return format === 'svg' ? new TextEncoder().encode(svg) : renderPng(svg);
  }
  const { chart, scale = 1 } = request;
  if (format === 'html') return new TextEncoder().encode(renderHtml(chart));
  const picture: MetricChart = { ...chart, theme: stillTheme(chart.theme) };
  return format === 'svg' ? new TextEncoder().encode(renderSvg(picture)) : renderPng(picture, { scale });
}

const stillTheme = (theme: PageTheme): MetricChart['theme'] => (theme === 'auto' ? 'light' : theme);
