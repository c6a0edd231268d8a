import { HEIGHT_FOR_TWO_TITLE_LINES, layoutChart, TEXT_FONT, TITLE_FONT, TITLE_LINE_HEIGHT } from './layout.js';
import { type MetricChart } from './metric-chart.js';
import {
  AXIS_HEIGHT,
  HEADER_GAP,
  HEADER_HEIGHT,
  MIN_ROW_HEIGHT,
  type MultiplesChart,
  type MultiplesRow,
  multiplesRows,
  PADDING,
} from './multiples-chart.js';
import { FONT_FAMILY } from './option.js';
import { PALETTES } from './palette.js';
import { escapeMarkup, renderSvg } from './svg.js';
import { fitText, printable, textWidth, wrapText } from './text.js';
import { timeRangeText } from './time-axis.js';

/**
 * Draws the rows as an SVG document of `width` by `height` pixels, with the time axis below the last one. Otherwise
 * like `renderSvg`.
 */
export function renderMultiplesSvg(chart: MultiplesChart, idPrefix = ''): string {
  const { width, height, theme } = chart;
  const palette = PALETTES[theme];
  const inner = width - 2 * PADDING;
  const titleLines = wrapText(printable(chart.title), inner, height >= HEIGHT_FOR_TWO_TITLE_LINES ? 2 : 1, TITLE_FONT);
  const more = (titleLines.length - 1) * TITLE_LINE_HEIGHT;
  const headerHeight = HEADER_HEIGHT + more;
  const room = Math.max(MIN_ROW_HEIGHT, height - headerHeight - AXIS_HEIGHT);
  const shown = chart.rows.slice(0, multiplesRows(height - more));
  const rowHeight = Math.floor(room / Math.max(1, shown.length));
  const rowOf = (row: MultiplesRow, xAxis: 'none' | 'below', ownHeight: number): MetricChart => ({
    ...row,
    title: titleOf(row, inner),
    timezone: chart.timezone,
    from: chart.from,
    until: chart.until,
    matches: [],
    display: { xAxis, yAxis: 'right', legend: false, anomalies: true, matches: false, expectedRange: true },
    theme,
    width,
    height: ownHeight,
    hasHeader: false,
  });
  const charts = shown.map((row, i) => {
    const plain = rowOf(row, 'none', rowHeight);
    if (i < shown.length - 1) return plain;
    // The last plot is as high as the others, with the axis below it.
    const withAxis = layoutChart(rowOf(row, 'below', rowHeight), []).plot.height;
    return rowOf(row, 'below', rowHeight + Math.min(AXIS_HEIGHT, layoutChart(plain, []).plot.height - withAxis));
  });
  // The plots start and end at the same times, regardless of the width of the numbers next to them.
  const gutter = Math.max(0, ...charts.map((row) => layoutChart(row, []).gutter));
  const pictures = charts.map((row, i) => {
    const svg = renderSvg({ ...row, valueGutter: gutter }, `${idPrefix}row${String(i)}`);
    return svg.replace('<svg ', () => `<svg x="0" y="${String(headerHeight + i * rowHeight)}" `);
  });
  const hidden = chart.rows.length - shown.length + (chart.more ?? 0);
  const range = timeRangeText(chart.from, chart.until, chart.timezone);
  const others = hidden === 0 ? '' : `and ${String(hidden)} more`;
  const roomForRange = inner - (others === '' ? 0 : textWidth(others, TEXT_FONT) + HEADER_GAP);
  const below = [`${range} · ${chart.timezone}`, range, chart.timezone].find(
    (candidate) => textWidth(candidate, TEXT_FONT) <= roomForRange,
  );
  const text = (what: string, x: number, y: number, anchor: 'start' | 'end'): string =>
    `<text x="${String(x)}" y="${String(y)}" text-anchor="${anchor}" font-size="${String(TEXT_FONT.size)}" fill="${palette.text}">${escapeMarkup(what)}</text>`;
  const titleY = PADDING + TITLE_FONT.size - 2;
  const textY = PADDING + titleLines.length * TITLE_LINE_HEIGHT + TEXT_FONT.size - 2;
  return [
    `<svg role="img" aria-label="${escapeMarkup(printable(chart.title))}" font-family="${FONT_FAMILY}" width="${String(width)}" height="${String(height)}" xmlns="http://www.w3.org/2000/svg" version="1.1" viewBox="0 0 ${String(width)} ${String(height)}">`,
    `<rect width="${String(width)}" height="${String(height)}" fill="${palette.background}"></rect>`,
    ...titleLines.map(
      (line, i) =>
        `<text x="${String(PADDING)}" y="${String(titleY + i * TITLE_LINE_HEIGHT)}" font-size="${String(TITLE_FONT.size)}" font-weight="bold" fill="${palette.title}">${escapeMarkup(line)}</text>`,
    ),
    below === undefined ? '' : text(below, PADDING, textY, 'start'),
    others === '' ? '' : text(others, width - PADDING, textY, 'end'),
    ...pictures,
    '</svg>',
  ].join('');
}

/**
 * Includes the unit, for which low rows have no space next to the axis; a title that is too long is truncated before
 * the unit.
 */
function titleOf({ title, unit, derivative }: MultiplesRow, room: number): string {
  const rate = derivative === true ? (unit === '' ? 'per second' : `${unit}/s`) : unit;
  const ending = rate === '' ? '' : ` (${printable(rate)})`;
  return fitText(printable(title), room - textWidth(ending, TITLE_FONT), TITLE_FONT) + ending;
}
