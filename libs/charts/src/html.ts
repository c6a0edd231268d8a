import { CHART_THEMES, type ChartTheme, type MetricChart, type PageTheme } from './metric-chart.js';
import { renderMultiplesSvg } from './multiples.js';
import { type MultiplesChart } from './multiples-chart.js';
import { PALETTES } from './palette.js';
import { escapeMarkup, renderSvg } from './svg.js';
import { printable } from './text.js';

function sheet(theme: PageTheme): string {
  const background = (of: ChartTheme): string => `background:${PALETTES[of].background};color-scheme:${of}`;
  const base = 'html,body{margin:0;padding:0}svg{display:block;width:100%;height:auto;margin:0 auto}';
  if (theme !== 'auto') return `${base}body{${background(theme)}}`;
  return (
    `${base}body{${background('light')}}.dark{display:none}` +
    `@media (prefers-color-scheme:dark){body{${background('dark')}}.dark{display:block}.light{display:none}}`
  );
}

/**
 * The chart as a separate page: inline SVG, no script, no external resource; it works under `default-src 'none';
 * style-src 'unsafe-inline'`. It scales with its window, down and up to twice its size.
 */
export function renderHtml(chart: Omit<MetricChart, 'theme'> & { theme: PageTheme }): string {
  const title = printable(chart.title) || printable(chart.series.name);
  return page({ ...chart, title }, (theme) => renderSvg({ ...chart, theme }, theme));
}

/** Several metrics below each other as a page of this kind. */
export function renderMultiplesHtml(chart: Omit<MultiplesChart, 'theme'> & { theme: PageTheme }): string {
  const title = printable(chart.title);
  return page({ ...chart, title }, (theme) => renderMultiplesSvg({ ...chart, theme }, theme));
}

/** @param draw returns the picture as SVG, with separate ids for each theme */
function page(chart: { title: string; theme: PageTheme; width: number }, draw: (theme: ChartTheme) => string): string {
  const themes = chart.theme === 'auto' ? CHART_THEMES : [chart.theme];
  const title = escapeMarkup(chart.title);
  const pictures = themes.map((theme) => `<div class="${theme}">${draw(theme)}</div>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="${chart.theme === 'auto' ? 'light dark' : chart.theme}">
<title>${title}</title>
<style>${sheet(chart.theme)}svg{max-width:${2 * chart.width}px}</style>
</head>
<body>
${pictures.join('\n')}
</body>
</html>
`;
}
