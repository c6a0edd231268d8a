import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
} from 'echarts/components';
import { init, setPlatformAPI, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { type MetricChart } from './metric-chart.js';
import { FONT_FAMILY, metricChartOption } from './option.js';
import { printable, textWidth } from './text.js';

use([
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  SVGRenderer,
]);

// Without a canvas for measuring, ECharts estimates widths; the positions of the legend are computed with the bundled
// font like all others.
setPlatformAPI({
  measureText: (text: string, font = '') => ({
    width: textWidth(text, { size: Number(/(?<![\d.])([\d.]+)px/.exec(font)?.[1] ?? 12), bold: font.includes('bold') }),
  }),
});

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for use inside an element or a quoted attribute of XML and HTML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char]!);
}

/** Shapes that draw nothing: hit areas, background boxes of texts, lines of series without points. */
const UNPAINTED = [
  /<path d=""[^>]*><\/path>/g,
  /<path(?![^>]* stroke=)[^>]* fill="none"[^>]*><\/path>/g,
  /<path[^>]* fill-opacity="0"[^>]* stroke-width="0"[^>]*><\/path>/g,
  /<g clip-path="[^"]*">\s*<\/g>/g,
];

/**
 * Removes parts for interaction (hover styles, hit areas, series references) and the sequence number in ids, so that
 * the same chart always results in the same text. ECharts escapes `<` and `>` everywhere, so the next `>` ends a tag.
 */
function still(svg: string, idPrefix: string): string {
  const painted = UNPAINTED.reduce((text, shape) => text.replace(shape, ''), svg);
  return painted
    .replace(/<style[^>]*>[\s\S]*?<\/style>/g, '')
    .replace(/<[^<>]*>/g, (tag) =>
      tag
        .replace(/ (?:class="zr[\w-]*"|ecmeta_\w+="[^"]*"|pointer-events="visible"|xml:space="preserve")/g, '')
        // Defined once, in the root element.
        .replace(/font-family:[^;"]*;?/, '')
        .replace(/(id="|url\(#)zr\d+-/g, `$1${idPrefix}-`),
    )
    .replace(/\n+/g, '\n')
    .trim();
}

/**
 * Draws the chart as an SVG document of `width` by `height` pixels: no script, no style sheet, no external resource.
 * The same chart results in the same text. `idPrefix` keeps ids unique if several pictures share one page.
 */
export function renderSvg(chart: MetricChart, idPrefix = 'chart'): string {
  const instance = init(null, null, { renderer: 'svg', ssr: true, width: chart.width, height: chart.height });
  try {
    instance.setOption(metricChartOption(chart));
    const label = escapeMarkup(printable(chart.title) || printable(chart.series.name));
    const root = `<svg role="img" aria-label="${label}" font-family="${FONT_FAMILY}" `;
    // A function, because `$` in a title must not be a replacement pattern.
    return still(instance.renderToSVGString(), idPrefix).replace('<svg ', () => root);
  } finally {
    instance.dispose();
  }
}
