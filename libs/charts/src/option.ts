import { type CustomSeriesOption, type LineSeriesOption, type ScatterSeriesOption } from 'echarts/charts';
import {
  type GridComponentOption,
  type LegendComponentOption,
  type MarkAreaComponentOption,
  type MarkLineComponentOption,
  type TitleComponentOption,
} from 'echarts/components';
import { type ComposeOption } from 'echarts/core';
import { downsampleLine, downsampleRange, type DrawnLine, type DrawnRange } from './downsample.js';
import {
  hasUnitRow,
  layoutChart,
  LEGEND_ICON,
  MARKER_FONT,
  TEXT_FONT,
  TEXT_LINE_HEIGHT,
  TITLE_FONT,
  TITLE_LINE_HEIGHT,
  unitText,
  type PlacedText,
} from './layout.js';
import { type SeverityLabel } from '#libs/contracts';
import { type ChartAnomaly, type ChartSeries, type MetricChart } from './metric-chart.js';
import { anomalyColors, PALETTES, type Palette, toneColor } from './palette.js';
import { fitText, printable, textWidth } from './text.js';
import { drawnValue } from './value-axis.js';

/** The option object for an ECharts instance with the charts and components registered by svg.ts. */
export type MetricChartOption = ComposeOption<
  | CustomSeriesOption
  | GridComponentOption
  | LegendComponentOption
  | LineSeriesOption
  | MarkAreaComponentOption
  | MarkLineComponentOption
  | ScatterSeriesOption
  | TitleComponentOption
>;

/** Interface fonts first; the server's PNG only has the last named font. */
export const FONT_FAMILY = "'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/** Names of the series, by which the legend refers to them. */
const VALUE = 'value';
const EXPECTED = 'expected range';
const ANOMALY = 'anomaly';
const MATCH = 'match';

/** Maximum share of the legend's row for the name of the series. */
const LEGEND_NAME_SHARE = 0.35;

// The moves to the corners preserve the proportions of the icon, because ECharts stretches its outline to 14 x 10.
const LINE_ICON = 'path://M0 0M14 10M0 4.1h14v1.8h-14z';
const MARKER_ICON = 'path://M0 0M14 10M6.1 0h1.8v10h-1.8z';
const RANGE_ICON = 'path://M0 0M14 10M0 1h14v8h-14z';

interface LegendEntry {
  name: string;
  text: string;
  icon: string;
  color: string;
}

function legendEntries(chart: MetricChart, palette: Palette): LegendEntry[] {
  const name = printable(chart.series.name);
  const text =
    name === '' || name === printable(chart.title)
      ? VALUE
      : fitText(name, Math.max(60, chart.width * LEGEND_NAME_SHARE), TEXT_FONT);
  const unit = hasUnitRow(chart) ? '' : unitText(chart);
  const color = toneColor(palette, chart.series.tone);
  const entries = [{ name: VALUE, text: unit === '' ? text : `${text} (${unit})`, icon: LINE_ICON, color }];
  (chart.others ?? []).forEach((series, i) => {
    const ownText = fitText(printable(series.name), Math.max(60, chart.width * LEGEND_NAME_SHARE), TEXT_FONT);
    entries.push({ name: nameOf(i + 1), text: ownText, icon: LINE_ICON, color: toneColor(palette, series.tone) });
  });
  if (chart.display.expectedRange && chart.expected && chart.expected.timestamps.length > 0) {
    entries.push({ name: EXPECTED, text: chart.expected.name ?? EXPECTED, icon: RANGE_ICON, color: palette.band });
  }
  if (chart.display.anomalies && anomaliesWithin(chart).length > 0) {
    entries.push({ name: ANOMALY, text: ANOMALY, icon: MARKER_ICON, color: palette.anomaly });
  }
  if (chart.display.matches && matchesWithin(chart).length > 0) {
    entries.push({ name: MATCH, text: MATCH, icon: MARKER_ICON, color: palette.matchMark });
  }
  return entries;
}

const anomaliesWithin = (chart: MetricChart): ChartAnomaly[] =>
  chart.anomalies
    .map((anomaly) => endedByData(anomaly, chart))
    .filter((anomaly) => anomaly.from <= chart.until && (anomaly.until ?? Infinity) >= chart.from);

/**
 * Missing data ends where data returned, even while the anomaly itself is open: existing points are not drawn as
 * missing.
 */
function endedByData(anomaly: ChartAnomaly, { series: { timestamps, values } }: MetricChart): ChartAnomaly {
  if (anomaly.kind !== 'missing_data') return anomaly;
  for (let i = 0; i < timestamps.length; i++) {
    if (timestamps[i]! <= anomaly.from || !Number.isFinite(values[i]!)) continue;
    return { ...anomaly, until: Math.min(anomaly.until ?? Infinity, timestamps[i]!) };
  }
  return anomaly;
}

const matchesWithin = ({ matches, from, until }: MetricChart): MetricChart['matches'] =>
  matches.filter((match) => match.timestamp <= until && (match.until ?? match.timestamp) >= from);

const FROM_WORST: readonly (SeverityLabel | undefined)[] = ['critical', 'major', 'minor', 'info', undefined];

/** The anomaly whose colour represents all of them. */
const worstOf = (anomalies: readonly ChartAnomaly[]): ChartAnomaly | undefined =>
  FROM_WORST.flatMap((severity) => anomalies.find((anomaly) => anomaly.severity === severity) ?? [])[0];

/** The names of the lines for the legend, in their order. */
const nameOf = (index: number): string => (index === 0 ? VALUE : `${VALUE} ${String(index + 1)}`);

/** Values without a neighbouring value: a line through a single point would be invisible. */
function lonePoints(line: DrawnLine): [number, number][] {
  const points: [number, number][] = [];
  line.values.forEach((value, i) => {
    const hasNeighbour = Number.isFinite(line.values[i - 1]) || Number.isFinite(line.values[i + 1]);
    if (Number.isFinite(value) && !hasNeighbour) points.push([line.timestamps[i]!, value]);
  });
  return points;
}

function lonePointSeries(line: DrawnLine, name: string, color: string): ScatterSeriesOption {
  return {
    type: 'scatter',
    name,
    silent: true,
    z: 4,
    clip: false,
    symbol: 'circle',
    symbolSize: 4,
    itemStyle: { color, opacity: 1 },
    data: lonePoints(line),
  };
}

function drawnLine(series: ChartSeries, chart: MetricChart, pixels: number): DrawnLine {
  const line = downsampleLine(series.timestamps, series.values, chart, pixels);
  return { timestamps: line.timestamps, values: line.values.map(drawnValue) };
}

interface LineLook {
  name: string;
  color: string;
  look: Pick<ChartSeries, 'tone' | 'dashed'>;
  counts: boolean;
  pixels: number;
}

function lineSeries(
  line: DrawnLine,
  { name, color, look, counts, pixels }: LineLook,
): (LineSeriesOption | ScatterSeriesOption)[] {
  return [
    {
      type: 'line',
      name,
      silent: true,
      // Lines for comparison are drawn behind.
      z: look.tone === 'faint' ? 2 : 4,
      symbol: 'none',
      connectNulls: false,
      ...(counts ? { step: 'end' as const } : {}),
      lineStyle: {
        color,
        width: look.tone === 'faint' || line.values.length > 2 * pixels ? 1 : 1.4,
        join: 'round',
        ...(look.dashed === true ? { type: [4, 3] } : {}),
      },
      data: line.timestamps.map((timestamp, i) => [timestamp, line.values[i]!]),
    },
    lonePointSeries(line, name, color),
  ];
}

/** Stretches [first, end) of rows that have an expected range. */
function rangeRuns(range: DrawnRange): { first: number; end: number }[] {
  const runs: { first: number; end: number }[] = [];
  let first = -1;
  for (let i = 0; i <= range.lower.length; i++) {
    const isIn = i < range.lower.length && Number.isFinite(range.lower[i]);
    if (isIn && first === -1) first = i;
    if (!isIn && first !== -1) {
      runs.push({ first, end: i });
      first = -1;
    }
  }
  return runs;
}

/** The expected range as one polygon per uninterrupted stretch, with the forecast inside it as a thin line. */
function expectedSeries(range: DrawnRange, palette: Palette): CustomSeriesOption[] {
  const runs = rangeRuns(range);
  return [
    {
      type: 'custom',
      name: EXPECTED,
      silent: true,
      clip: true,
      z: 1,
      encode: { x: 0, y: [1, 2] },
      data: runs.map(({ first }) => [range.timestamps[first]!, range.lower[first]!, range.upper[first]!]),
      renderItem: (params, api) => {
        const run = runs[params.dataIndex];
        if (!run) return null;
        const outline: number[][] = [];
        for (let i = run.first; i < run.end; i++) outline.push(api.coord([range.timestamps[i]!, range.upper[i]!]));
        for (let i = run.end - 1; i >= run.first; i--) outline.push(api.coord([range.timestamps[i]!, range.lower[i]!]));
        const middle: number[][] = [];
        for (let i = run.first; i < run.end; i++) {
          if (Number.isFinite(range.yhat[i])) middle.push(api.coord([range.timestamps[i]!, range.yhat[i]!]));
        }
        return {
          type: 'group',
          children: [
            { type: 'polygon', shape: { points: outline }, style: { fill: palette.band } },
            {
              type: 'polyline',
              shape: { points: middle },
              style: { stroke: palette.expected, fill: 'none', lineWidth: 1, lineJoin: 'bevel' },
            },
          ],
        };
      },
    },
  ];
}

/** As on the pages of the console: one shape for each severity, because colour alone does not distinguish them. */
const SEVERITY_SYMBOLS: Record<SeverityLabel, string> = {
  critical: 'rect',
  major: 'circle',
  minor: 'triangle',
  info: 'diamond',
};
const MARK_SIZE = 8;

/** The mark at the top of each column with a known severity. */
function severityMarks(chart: MetricChart, palette: Palette, top: number): ScatterSeriesOption {
  return {
    type: 'scatter',
    name: ANOMALY,
    silent: true,
    z: 5,
    clip: false,
    symbolSize: MARK_SIZE,
    data: anomaliesWithin(chart).flatMap(({ from, severity }) =>
      severity === undefined
        ? []
        : [
            {
              value: [Math.max(from, chart.from), top],
              symbol: SEVERITY_SYMBOLS[severity],
              itemStyle: { color: palette.severity[severity].mark, opacity: 1 },
            },
          ],
    ),
  };
}

function anomalySeries(chart: MetricChart, palette: Palette): LineSeriesOption {
  const shown = anomaliesWithin(chart);
  const usual = anomalyColors(palette, worstOf(shown) ?? {});
  return {
    type: 'line',
    name: ANOMALY,
    silent: true,
    data: [],
    symbol: 'none',
    itemStyle: { color: palette.anomaly },
    markArea: {
      silent: true,
      z: 0,
      itemStyle: { color: usual.area },
      data: shown.map((anomaly) => [
        { xAxis: Math.max(anomaly.from, chart.from), itemStyle: { color: anomalyColors(palette, anomaly).area } },
        { xAxis: Math.min(anomaly.until ?? chart.now ?? chart.until, chart.until) },
      ]),
    },
    markLine: {
      silent: true,
      z: 3,
      symbol: 'none',
      label: { show: false },
      lineStyle: { color: palette.anomaly, width: 1.4, type: 'solid' },
      data: shown.filter(({ from }) => from >= chart.from).map(({ from }) => ({ xAxis: from })),
    },
  };
}

function matchSeries(chart: MetricChart, palette: Palette): LineSeriesOption {
  return {
    type: 'line',
    name: MATCH,
    silent: true,
    data: [],
    symbol: 'none',
    itemStyle: { color: palette.matchMark },
    markLine: {
      silent: true,
      z: 3,
      symbol: 'none',
      label: { show: false },
      lineStyle: { color: palette.matchMark, width: 1.4, type: 'solid' },
      data: chart.matches
        .filter(({ timestamp }) => timestamp >= chart.from && timestamp <= chart.until)
        .map(({ timestamp }) => ({ xAxis: timestamp })),
    },
  };
}

/** Distance between the lines of the hatching, pixels. */
const HATCH_STEP = 7;

/** Diagonals from lower left to upper right inside a box, as path data in pixels. */
function hatching(left: number, top: number, width: number, height: number): string {
  let path = '';
  // Lines x + y = constant at whole multiples of the step, so that the hatching does not move when the box grows.
  for (
    let sum = Math.ceil((left + top) / HATCH_STEP) * HATCH_STEP;
    sum < left + width + top + height;
    sum += HATCH_STEP
  ) {
    const x1 = Math.max(left, sum - top - height);
    const x2 = Math.min(left + width, sum - top);
    if (x2 > x1) path += `M${x1.toFixed(1)} ${(sum - x1).toFixed(1)}L${x2.toFixed(1)} ${(sum - x2).toFixed(1)}`;
  }
  return path;
}

/** Hatched columns of the matches with a known end. */
function matchColumns(
  chart: MetricChart,
  palette: Palette,
  plot: { left: number; top: number; width: number; height: number },
): CustomSeriesOption {
  const columns = matchesWithin(chart).flatMap(({ timestamp, until }) =>
    until === undefined ? [] : [{ from: Math.max(timestamp, chart.from), until: Math.min(until, chart.until) }],
  );
  const xOf = (time: number): number => plot.left + ((time - chart.from) / (chart.until - chart.from)) * plot.width;
  return {
    type: 'custom',
    name: MATCH,
    silent: true,
    z: 0,
    encode: { x: 0 },
    data: columns.map(({ from }) => [from]),
    renderItem: (params) => {
      const column = columns[params.dataIndex];
      if (!column) return null;
      const left = xOf(column.from);
      const width = Math.max(3, xOf(column.until) - left);
      return {
        type: 'group',
        children: [
          {
            type: 'rect',
            shape: { x: left, y: plot.top, width, height: plot.height },
            style: { fill: palette.matchMark, opacity: 0.08 },
          },
          {
            type: 'path',
            shape: { pathData: hatching(left, plot.top, width, plot.height) },
            style: { stroke: palette.matchMark, fill: 'none', lineWidth: 1, opacity: 0.45 },
          },
        ],
      };
    },
  };
}

/** The thin line at the current time. */
function nowSeries(now: number, palette: Palette): LineSeriesOption {
  return {
    type: 'line',
    name: 'now',
    silent: true,
    data: [],
    symbol: 'none',
    markLine: {
      silent: true,
      z: 3,
      symbol: 'none',
      label: { show: false },
      lineStyle: { color: palette.now, width: 1, type: 'solid', opacity: 0.7 },
      data: [{ xAxis: now }],
    },
  };
}

function placed(
  text: PlacedText,
  style: NonNullable<TitleComponentOption['textStyle']>,
  lineHeight: number,
): TitleComponentOption {
  return {
    text: text.text,
    // The padding of a title would shift it; its position is the upper edge of the line.
    padding: 0,
    left: text.x,
    top: text.y,
    textAlign: text.align,
    textStyle: { fontFamily: FONT_FAMILY, fontWeight: 'normal', lineHeight, ...style },
  };
}

/**
 * The chart as ECharts options: a plain layout with computed positions, without animation and required interaction. The
 * browser may add interaction (tooltip, zoom); the server draws it unchanged. Titles, names and labels are data:
 * nothing in them is interpreted as markup or template.
 */
export function metricChartOption(chart: MetricChart): MetricChartOption {
  const palette = PALETTES[chart.theme];
  const entries = legendEntries(chart, palette);
  const layout = layoutChart(
    chart,
    entries.map((entry) => LEGEND_ICON.width + LEGEND_ICON.gap + textWidth(entry.text, TEXT_FONT)),
  );
  const { plot } = layout;
  const window = { from: chart.from, until: chart.until };
  const pixels = Math.round(plot.width);

  const lines = [chart.series, ...(chart.others ?? [])].map((series) => drawnLine(series, chart, pixels));
  const range =
    chart.expected && chart.display.expectedRange ? downsampleRange(chart.expected, window, pixels) : undefined;
  const isEmpty = !lines.some(({ values }) => values.some(Number.isFinite));

  const text = { color: palette.text, fontSize: TEXT_FONT.size };
  const titles = [
    ...layout.titleLines.map((title) =>
      placed(title, { color: palette.title, fontSize: TITLE_FONT.size, fontWeight: 'bold' }, TITLE_LINE_HEIGHT),
    ),
    ...layout.markerLabels.map((label) =>
      placed(
        label,
        {
          color: label.of === 'match' ? palette.matchText : anomalyColors(palette, label.of).text,
          fontSize: MARKER_FONT.size,
        },
        TEXT_LINE_HEIGHT,
      ),
    ),
  ];
  if (layout.range) titles.push(placed(layout.range, text, TEXT_LINE_HEIGHT));
  if (layout.note) titles.push(placed(layout.note, text, TEXT_LINE_HEIGHT));
  if (layout.unit) titles.push(placed(layout.unit, text, TEXT_LINE_HEIGHT));
  if (isEmpty) {
    titles.push(
      placed(
        {
          text: fitText('No data in this window', plot.width, TEXT_FONT),
          x: plot.left + plot.width / 2,
          y: plot.top + plot.height / 2 - TEXT_LINE_HEIGHT / 2,
          align: 'center',
        },
        { ...text, fontSize: TEXT_FONT.size + 1 },
        TEXT_LINE_HEIGHT,
      ),
    );
  }

  const timeLabels = new Map(
    layout.timeTicks.map(({ timestamp, label, context }) => {
      // The line of the context keeps its height when empty, so that the labels stay at the same height.
      const lines = [label || ' ', context ?? ' '];
      return [timestamp, (chart.display.xAxis === 'above' ? lines.reverse() : lines).join('\n')];
    }),
  );
  const times = layout.timeTicks.map(({ timestamp }) => timestamp);
  const { valueAxis } = layout;
  const valueLabels = new Map(valueAxis.ticks.map((tick, i) => [tick, valueAxis.labels[i]!]));

  return {
    animation: false,
    backgroundColor: palette.background,
    textStyle: { fontFamily: FONT_FAMILY },
    title: titles,
    legend: layout.legendRows.map(({ left, top, first, end }) => ({
      left,
      top,
      padding: 0,
      itemWidth: LEGEND_ICON.width,
      itemHeight: 10,
      itemGap: LEGEND_ICON.itemGap,
      textStyle: { ...text, fontFamily: FONT_FAMILY },
      formatter: (name: string) => entries.find((entry) => entry.name === name)?.text ?? name,
      data: entries
        .slice(first, end)
        .map(({ name, icon, color }) => ({ name, icon, itemStyle: { color, borderWidth: 0 } })),
    })),
    grid: { ...plot, outerBoundsMode: 'none' },
    xAxis: {
      type: 'value',
      min: chart.from,
      max: chart.until,
      position: chart.display.xAxis === 'above' ? 'top' : 'bottom',
      axisLine: { show: true, onZero: false, lineStyle: { color: palette.axis } },
      axisTick: { show: times.length > 0, customValues: times, length: 4, lineStyle: { color: palette.axis } },
      axisLabel: {
        show: times.length > 0,
        customValues: times,
        formatter: (value: number) => timeLabels.get(value) ?? '',
        color: palette.text,
        fontSize: TEXT_FONT.size,
        fontFamily: FONT_FAMILY,
        lineHeight: TEXT_LINE_HEIGHT,
        margin: 7,
        hideOverlap: false,
      },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      min: valueAxis.min,
      max: valueAxis.max,
      position: chart.display.yAxis === 'left' ? 'left' : 'right',
      axisLine: { show: false },
      axisTick: { show: false, customValues: valueAxis.ticks },
      axisLabel: {
        show: chart.display.yAxis !== 'none' && !isEmpty,
        customValues: valueAxis.ticks,
        formatter: (value: number) => valueLabels.get(value) ?? '',
        color: palette.text,
        fontSize: TEXT_FONT.size,
        fontFamily: FONT_FAMILY,
        margin: 6,
        hideOverlap: false,
      },
      splitLine: { show: true, lineStyle: { color: palette.grid, width: 1 } },
    },
    series: [
      ...(range ? expectedSeries(range, palette) : []),
      ...(chart.display.anomalies ? [anomalySeries(chart, palette)] : []),
      ...(chart.display.matches ? [matchColumns(chart, palette, plot), matchSeries(chart, palette)] : []),
      ...(chart.now !== undefined && chart.now > chart.from && chart.now < chart.until
        ? [nowSeries(chart.now, palette)]
        : []),
      ...lines.flatMap((line, i) => {
        const look = i === 0 ? chart.series : chart.others![i - 1]!;
        const color = toneColor(palette, look.tone);
        return lineSeries(line, { name: nameOf(i), color, look, counts: chart.counts === true, pixels });
      }),
      ...(chart.display.anomalies ? [severityMarks(chart, palette, valueAxis.max)] : []),
    ],
  };
}
