import { type ChartAnomaly, type MetricChart } from './metric-chart.js';
import { rateUnit, unitName } from '#libs/wording';
import { axisLabels } from './number-format.js';
import { fitText, printable, textWidth, wrapText, type FontStyle } from './text.js';
import { timeRangeText, timeTicks, type TimeTick } from './time-axis.js';
import { drawnValue, extentOf, valueAxis, type ValueAxis } from './value-axis.js';

/**
 * A line of text at a fixed position, pixels from the upper left corner; `x` is its edge or centre, depending on
 * `align`.
 */
export interface PlacedText {
  text: string;
  x: number;
  /** Upper edge of the line. */
  y: number;
  align: 'left' | 'center' | 'right';
}

export interface MarkerLabel extends PlacedText {
  /** For an anomaly: the colours of its severity. */
  of: 'match' | Pick<ChartAnomaly, 'severity'>;
}

/** The positions of all elements, pixels. */
export interface ChartLayout {
  plot: { left: number; top: number; width: number; height: number };
  /** Width of the value axis next to the plot, pixels. */
  gutter: number;
  titleLines: PlacedText[];
  /** Rows of the legend with the entries [first, end) of each; empty if there is no space or no legend is requested. */
  legendRows: { left: number; top: number; first: number; end: number }[];
  /** The window in words, opposite the legend. */
  range: PlacedText | null;
  /** Unit and kinds, in low pictures without space for a legend. */
  note: PlacedText | null;
  unit: PlacedText | null;
  markerLabels: MarkerLabel[];
  /** The time axis; labels that would exceed the picture are empty. */
  timeTicks: TimeTick[];
  valueAxis: ValueAxis;
}

export const TITLE_FONT: FontStyle = { size: 14, bold: true };
export const TEXT_FONT: FontStyle = { size: 11 };
export const MARKER_FONT: FontStyle = { size: 10.5 };
export const TITLE_LINE_HEIGHT = 19;
export const TEXT_LINE_HEIGHT = 14;
export const LEGEND_ICON = { width: 14, gap: 5, itemGap: 14 } as const;

const PADDING = 12;
/**
 * Unit and labels are above the topmost label of the value axis and above marks, half of which extend beyond the plot.
 */
const LABEL_ROW_HEIGHT = 21;
const AXIS_LABEL_GAP = 6;
/** Pictures below these heights omit parts that do not help at that size. */
export const HEIGHT_FOR_TWO_TITLE_LINES = 240;
const HEIGHT_FOR_HEADER_ROW = 130;
const HEIGHT_FOR_LABEL_ROW = 200;
/** If there is more than one marker per this many pixels, only some of them could have labels, so none has. */
const PIXELS_PER_LABELLED_MARKER = 70;
/** Maximum share of the span of the values by which the expected range may extend the value axis on either side. */
const RANGE_STRETCH = 0.6;

/** Minimum length of an axis of counts, so that a single one is not at the top of the picture. */
const MIN_COUNT_SPAN = 4;

/** Readable distance between ticks, pixels. */
const PIXELS_PER_TIME_TICK = 84;
const PIXELS_PER_VALUE_TICK = 44;

/** Only rows of the window, because others must not extend the axis. */
function windowed(timestamps: ArrayLike<number>, column: ArrayLike<number>, chart: MetricChart): number[] {
  const kept: number[] = [];
  for (let i = 0; i < timestamps.length; i++) {
    if (timestamps[i]! >= chart.from && timestamps[i]! <= chart.until) kept.push(column[i]!);
  }
  return kept;
}

function valueExtent(chart: MetricChart): { min: number; max: number } | null {
  if (chart.valueRange) return chart.valueRange;
  const columns = [chart.series, ...(chart.others ?? [])].map(({ timestamps, values }) =>
    windowed(timestamps, values, chart),
  );
  const values = extentOf(...columns);
  if (chart.counts) return { min: 0, max: Math.max(MIN_COUNT_SPAN, values?.max ?? 0) };
  if (!chart.expected || !chart.display.expectedRange) return values;
  const { timestamps, lower, upper } = chart.expected;
  const range = extentOf(windowed(timestamps, lower, chart), windowed(timestamps, upper, chart));
  if (!values || !range) return values ?? range;
  const span = values.max - values.min;
  const stretch = span > 0 ? drawnValue(span * RANGE_STRETCH) : Infinity;
  // If no value is negative, the range would waste half of the picture below zero.
  const lowest = values.min >= 0 ? 0 : -Infinity;
  return {
    min: Math.min(values.min, Math.max(range.min, values.min - stretch, lowest)),
    max: Math.max(values.max, Math.min(range.max, values.max + stretch)),
  };
}

/**
 * Places labels above their lines, from left to right, each only if it neither overlaps another label nor exceeds the
 * plot.
 */
function placeMarkerLabels(
  chart: MetricChart,
  plot: { left: number; width: number },
  top: number,
  taken: { from: number; until: number }[],
): MarkerLabel[] {
  const wanted = [
    ...(chart.display.anomalies ? chart.anomalies : []).map((anomaly) => ({
      timestamp: anomaly.from,
      label: anomaly.label,
      of: anomaly,
    })),
    ...(chart.display.matches ? chart.matches : []).map(({ timestamp, label }) => ({
      timestamp,
      label,
      of: 'match' as const,
    })),
  ].sort((a, b) => a.timestamp - b.timestamp);
  if (wanted.length > plot.width / PIXELS_PER_LABELLED_MARKER) return [];
  const placed: MarkerLabel[] = [];
  const occupied = [...taken];
  for (const { timestamp, label, of } of wanted) {
    const text = printable(label);
    if (text === '' || timestamp < chart.from || timestamp > chart.until) continue;
    const half = textWidth(text, MARKER_FONT) / 2;
    const at = plot.left + ((timestamp - chart.from) / (chart.until - chart.from)) * plot.width;
    const x = Math.max(plot.left + half, Math.min(plot.left + plot.width - half, at));
    // A label that had to move away from its line would be misleading.
    if (Math.abs(x - at) > half + 2) continue;
    if (occupied.some((other) => x - half < other.until + 6 && x + half > other.from - 6)) continue;
    occupied.push({ from: x - half, until: x + half });
    placed.push({ text, x, y: top, align: 'center', of });
  }
  return placed;
}

/** Empties the labels that would exceed the picture, and finds a position for the context of its start. */
function fittingTicks(ticks: TimeTick[], chart: MetricChart, plot: { left: number; width: number }): TimeTick[] {
  const xOf = (tick: TimeTick): number =>
    plot.left + ((tick.timestamp - chart.from) / (chart.until - chart.from)) * plot.width;
  const halfOf = (text: string): number => textWidth(text, TEXT_FONT) / 2;
  const isInside = (tick: TimeTick, text: string): boolean =>
    xOf(tick) - halfOf(text) >= 2 && xOf(tick) + halfOf(text) <= chart.width - 2;

  const fitting = ticks.map((tick, i) => ({
    timestamp: tick.timestamp,
    label: isInside(tick, tick.label) ? tick.label : '',
    context: i > 0 && tick.context !== null && isInside(tick, tick.context) ? tick.context : null,
  }));
  // The context of the start goes under the first tick with enough space before the first change.
  const beginning = ticks[0]?.context ?? null;
  if (beginning === null) return fitting;
  const change = fitting.findIndex((tick) => tick.context !== null);
  const changeStart = change === -1 ? Infinity : xOf(fitting[change]!) - halfOf(fitting[change]!.context!);
  const place = fitting
    .slice(0, change === -1 ? undefined : change)
    .find((tick) => isInside(tick, beginning) && xOf(tick) + halfOf(beginning) + 10 <= changeStart);
  if (place) place.context = beginning;
  return fitting;
}

/** Text of the unit of the value axis: `ms`, or `bytes/s` for rates. */
export function unitText(chart: MetricChart): string {
  return printable(unitName(chart.derivative ? rateUnit(chart.unit) : chart.unit));
}

/** The note of a picture without a legend and labels: the unit, and the meaning of its anomalies. */
function noteText(chart: MetricChart): string {
  if (hasUnitRow(chart)) return '';
  const inWindow = chart.anomalies.filter(
    ({ from, until }) => from <= chart.until && (until ?? Infinity) >= chart.from,
  );
  const kinds = chart.display.anomalies ? [...new Set(inWindow.map(({ label }) => printable(label)))] : [];
  return [unitText(chart), ...kinds.slice(0, 2)].filter((part) => part !== '').join(' · ');
}

/** False for low pictures, in which the legend contains the unit. */
export function hasUnitRow(chart: MetricChart): boolean {
  return chart.height >= HEIGHT_FOR_LABEL_ROW;
}

/** Removes ticks that are not whole numbers from the axis. */
function wholeNumbers(axis: ValueAxis): ValueAxis {
  const ticks = axis.ticks.filter(Number.isInteger);
  return { ...axis, ticks, labels: axisLabels(ticks) };
}

/** Breaks the legend into rows no wider than `width`: pairs [first, end) of entries. */
function legendRows(entryWidths: readonly number[], width: number): { first: number; end: number }[] {
  const rows: { first: number; end: number }[] = [];
  let used = Infinity;
  entryWidths.forEach((entryWidth, i) => {
    const row = rows.at(-1);
    used += LEGEND_ICON.itemGap + entryWidth;
    if (row && used <= width) row.end = i + 1;
    else {
      rows.push({ first: i, end: i + 1 });
      used = entryWidth;
    }
  });
  return rows;
}

/**
 * Lays out the picture. Pure arithmetic with the widths of the bundled font: the same chart has the same positions
 * everywhere. `legendWidths` are the widths of the legend's entries, including the icon.
 */
export function layoutChart(chart: MetricChart, legendWidths: readonly number[]): ChartLayout {
  const { width, height, display } = chart;
  const padding = Math.min(PADDING, Math.round(width / 30));
  const inner = width - 2 * padding;

  const title = printable(chart.title);
  const lines = title === '' ? [] : wrapText(title, inner, height >= HEIGHT_FOR_TWO_TITLE_LINES ? 2 : 1, TITLE_FONT);
  let y = padding - 2;
  const titleLines = lines.map((text, i): PlacedText => ({
    text,
    x: padding,
    y: y + i * TITLE_LINE_HEIGHT,
    align: 'left',
  }));
  y += lines.length * TITLE_LINE_HEIGHT + (lines.length > 0 ? 3 : 0);

  const window = timeRangeText(chart.from, chart.until, chart.timezone);
  const rangeTexts = [`${window} · ${chart.timezone}`, window, chart.timezone];
  const hasHeader = height >= HEIGHT_FOR_HEADER_ROW && chart.hasHeader !== false;
  let rows = hasHeader && display.legend ? legendRows(legendWidths, inner) : [];
  if (rows.length > 1 && height < HEIGHT_FOR_LABEL_ROW) rows = [];
  const note = hasHeader && display.legend && rows.length === 0 ? noteText(chart) : '';
  const noteWidth = note === '' ? 0 : textWidth(note, TEXT_FONT) + 10;
  const legendWidth = legendWidths.reduce((sum, entryWidth) => sum + LEGEND_ICON.itemGap + entryWidth, 0);
  const roomForRange = rows.length === 0 ? inner - noteWidth : inner - legendWidth - 10;
  const rangeText =
    hasHeader && display.xAxis !== 'none'
      ? rangeTexts.find((text) => textWidth(text, TEXT_FONT) <= roomForRange)
      : undefined;
  const range: PlacedText | null =
    rangeText === undefined ? null : { text: rangeText, x: width - padding, y, align: 'right' };
  const placedNote: PlacedText | null =
    note === '' ? null : { text: fitText(note, inner, TEXT_FONT), x: padding, y, align: 'left' };
  const headerTop = y;
  y += Math.max(rows.length, range || placedNote ? 1 : 0) * (TEXT_LINE_HEIGHT + 4);

  const isLow = height < HEIGHT_FOR_HEADER_ROW;
  const timeLabelHeight = display.xAxis === 'none' ? 0 : (isLow ? 1 : 2) * TEXT_LINE_HEIGHT + AXIS_LABEL_GAP;
  const hasMarkerLabels =
    height >= HEIGHT_FOR_LABEL_ROW &&
    ((display.anomalies && chart.anomalies.some(({ label }) => label !== '')) ||
      (display.matches && chart.matches.some(({ label }) => label !== '')));
  const unit = display.yAxis === 'none' || !hasUnitRow(chart) ? '' : fitText(unitText(chart), inner / 3, TEXT_FONT);
  // Labels of markers and the unit share a row on the side of the plot that the time axis does not use.
  const labelRowHeight = unit !== '' || hasMarkerLabels ? LABEL_ROW_HEIGHT : 8;
  const above = display.xAxis === 'above' ? timeLabelHeight : labelRowHeight;
  const below =
    display.xAxis === 'above'
      ? Math.max(labelRowHeight + 2, padding)
      : Math.max(timeLabelHeight + Math.min(6, padding), padding);
  const plotTop = y + above;
  const plotHeight = Math.max(10, height - plotTop - below);
  const labelRowTop =
    display.xAxis === 'above' ? plotTop + plotHeight + labelRowHeight - TEXT_LINE_HEIGHT : plotTop - labelRowHeight;

  const fullAxis = valueAxis(
    valueExtent(chart) ?? { min: 0, max: 1 },
    Math.max(2, Math.round(plotHeight / PIXELS_PER_VALUE_TICK) + 1),
  );
  const axis = chart.counts ? wholeNumbers(fullAxis) : fullAxis;
  const gutter =
    display.yAxis === 'none'
      ? 0
      : Math.max(
          chart.valueGutter ?? 0,
          AXIS_LABEL_GAP + Math.max(...axis.labels.map((label) => Math.ceil(textWidth(label, TEXT_FONT)))),
        );
  const left = padding + (display.yAxis === 'left' ? gutter : 0);
  const plot = {
    left,
    top: plotTop,
    width: Math.max(10, width - left - padding - (display.yAxis === 'right' ? gutter : 0)),
    height: plotHeight,
  };

  const unitWidth = textWidth(unit, TEXT_FONT);
  const placedUnit: PlacedText | null =
    unit === ''
      ? null
      : display.yAxis === 'left'
        ? { text: unit, x: padding, y: labelRowTop, align: 'left' }
        : { text: unit, x: width - padding, y: labelRowTop, align: 'right' };
  const unitSpan =
    display.yAxis === 'left'
      ? { from: padding, until: padding + unitWidth }
      : { from: width - padding - unitWidth, until: width - padding };

  return {
    plot,
    gutter,
    titleLines,
    // One pixel down, because the box of the icons is lower than a line of text.
    legendRows: rows.map((row, i) => ({ ...row, left: padding, top: headerTop + i * (TEXT_LINE_HEIGHT + 4) + 1 })),
    range,
    note: placedNote,
    unit: placedUnit,
    markerLabels: hasMarkerLabels ? placeMarkerLabels(chart, plot, labelRowTop, placedUnit ? [unitSpan] : []) : [],
    timeTicks:
      display.xAxis === 'none'
        ? []
        : fittingTicks(
            timeTicks(chart.from, chart.until, chart.timezone, plot.width / PIXELS_PER_TIME_TICK).map((tick) =>
              isLow ? { ...tick, context: null } : tick,
            ),
            chart,
            plot,
          ),
    valueAxis: axis,
  };
}
