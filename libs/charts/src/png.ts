import { type Resvg } from '@resvg/resvg-js';
import { type MetricChart } from './metric-chart.js';
import { renderSvg } from './svg.js';

/** Fonts for Chinese, Japanese and Korean, 13 MB: only read for pictures with such text. */
const EAST_ASIAN_FONTS = [
  ['@embedpdf/fonts-sc', 'NotoSansHans-Regular.otf'],
  ['@embedpdf/fonts-kr', 'NotoSansKR-Regular.otf'],
] as const;
/** Any character from the CJK radicals upwards. */
const EAST_ASIAN = /[\u{2E80}-\u{10FFFF}]/u;

const FONT_FILES = ['DejaVuSansCondensed.ttf', 'DejaVuSansCondensed-Bold.ttf'];

interface Rasterizer {
  Resvg: typeof Resvg;
  fontFiles: string[];
  /** The same, and those for East Asian text. */
  allFontFiles: () => string[];
}

let rasterizer: Rasterizer | undefined;

/**
 * Native code and font files are located when the first PNG is drawn, without a static import: the rest of this library
 * also runs in browsers, where neither exists.
 */
function loadRasterizer(): Rasterizer {
  const { dirname, resolve: resolvePath } = process.getBuiltinModule('node:path');
  const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
  const { Resvg } = require('@resvg/resvg-js') as Pick<Rasterizer, 'Resvg'>;
  const fontFiles = FONT_FILES.map((file) => require.resolve(`dejavu-fonts-ttf/ttf/${file}`));
  const allFontFiles = () => [
    ...fontFiles,
    ...EAST_ASIAN_FONTS.map(([name, file]) => resolvePath(dirname(require.resolve(name)), '../fonts', file)),
  ];
  return { Resvg, fontFiles, allFontFiles };
}

export interface PngOptions {
  /** Pixels of the PNG per pixel of the chart; 2 for high-density screens. Default 1. */
  scale?: number;
}

/**
 * Draws a chart, or an SVG created by `renderSvg`, as PNG with the bundled font, so that it looks the same on every
 * machine. Server only. Throws for text that is not SVG.
 */
export function renderPng(picture: MetricChart | string, options: PngOptions = {}): Uint8Array {
  rasterizer ??= loadRasterizer();
  const svg = typeof picture === 'string' ? picture : renderSvg(picture);
  const image = new rasterizer.Resvg(svg, {
    fitTo: { mode: 'zoom', value: options.scale ?? 1 },
    font: {
      loadSystemFonts: false,
      fontFiles: fontFilesOf(svg),
      defaultFontFamily: 'DejaVu Sans',
      sansSerifFamily: 'DejaVu Sans',
    },
  });
  return image.render().asPng();
}

/** The font files that the text of an SVG needs. */
export function fontFilesOf(svg: string): string[] {
  const { fontFiles, allFontFiles } = (rasterizer ??= loadRasterizer());
  return EAST_ASIAN.test(svg) ? allFontFiles() : fontFiles;
}
