import { type MetricChart, type MultiplesChart, type PageTheme } from '#libs/charts/model';

export const PICTURE_TYPES = {
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
} as const;
export type PictureFormat = keyof typeof PICTURE_TYPES;

/** A chart to draw; pictures cannot follow the settings of the viewer, so `auto` is light in them. */
export type ChartRequest = OneChart | Multiples;

export interface OneChart {
  chart: Omit<MetricChart, 'theme'> & { theme: PageTheme };
  format: PictureFormat;
  /** Pixels of a PNG per pixel of the chart; default 1. */
  scale?: number;
}

/** Several metrics, stacked. */
export interface Multiples {
  multiples: Omit<MultiplesChart, 'theme'> & { theme: PageTheme };
  format: PictureFormat;
}
