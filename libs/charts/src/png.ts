import { type Resvg } from '@resvg/resvg-js';
import { type MetricChart } from './metric-chart.js';
import { renderSvg } from './svg.js';

const FONT_FILES = ['DejaVuSansCondensed.ttf', 'DejaVuSansCondensed-Bold.ttf'];

interface Rasterizer {
  Resvg: typeof Resvg;
  fontFiles: string[];
}

let rasterizer: Rasterizer | undefined;

/**
 * Native code and font files are found when the first PNG is drawn, and without a static import: the rest of this
 * library also runs in browsers, where neither exists.
 */
function loadRasterizer(): Rasterizer {
  const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
  const { Resvg } = require('@resvg/resvg-js') as Pick<Rasterizer, 'Resvg'>;
  return { Resvg, fontFiles: FONT_FILES.map((file) => require.resolve(`dejavu-fonts-ttf/ttf/${file}`)) };
}

export interface PngOptions {
  /** Pixels of the PNG per pixel of the chart; 2 for screens of high density. Default 1. */
  scale?: number;
}

/**
 * Draws a chart, or an SVG made by `renderSvg`, as PNG with the bundled font, so that it looks the same on every
 * machine. Server only. Throws on text that is not SVG.
 */
export function renderPng(picture: MetricChart | string, options: PngOptions = {}): Uint8Array {
  rasterizer ??= loadRasterizer();
  const svg = typeof picture === 'string' ? picture : renderSvg(picture);
  const image = new rasterizer.Resvg(svg, {
    fitTo: { mode: 'zoom', value: options.scale ?? 1 },
    font: {
      loadSystemFonts: false,
      fontFiles: rasterizer.fontFiles,
      defaultFontFamily: 'DejaVu Sans',
      sansSerifFamily: 'DejaVu Sans',
    },
  });
  return image.render().asPng();
}
