import {
  breakAtSilence,
  type ChartAnomaly,
  type ChartExpectedRange,
  type ChartMatch,
  type ChartSeries,
  type MetricChart,
} from '#libs/charts/model';
import { type Reader, observedText, shownUnit } from '#libs/wording';
import { type AnomalyKind, type MetricType, type SeverityLabel } from '#libs/contracts';
import { type SeriesPoint } from '../../data/metric/timeseries.types.js';
import { type GraphParams, type GraphTheme } from './dto/graph.params.js';

/** The content of a graph of a metric. Times in Unix seconds. */
export interface GraphContent {
  metric: { name: string; type: MetricType; unit: string | null };
  from: number;
  until: number;
  /** IANA name. */
  timezone: string;
  /** Values, or rates if these are drawn. */
  points: readonly SeriesPoint[];
  /** Expected range of the analysed values, which are rates for counters. */
  yhat: readonly { timestamp: number; yhat: number | null; yhat_lower: number | null; yhat_upper: number | null }[];
  anomalies: readonly {
    timestamp: number;
    out_until_timestamp: number | null;
    kind: AnomalyKind | null;
    /**
     * The value that is furthest outside of the expected range. Values of counters are rates; some lists do not contain
     * it.
     */
    peak_value?: number | null;
    /** The value of the first slot. */
    value?: number | null;
    expected_range_lower?: number | null;
    expected_range_upper?: number | null;
    severity_label?: SeverityLabel;
  }[];
  matches: readonly { timestamp: number; pattern_label: string }[];
}

/** Parameters of the graph of a metric, except whether it shows rates. */
export const METRIC_DISPLAY = [
  'display_x_axis',
  'display_y_axis',
  'display_legend',
  'display_anomalies',
  'display_matches',
  'display_expected_range',
  'width',
  'height',
  'theme',
  'title',
] as const satisfies readonly (keyof GraphParams)[];

export type GraphDisplay = Pick<GraphParams, (typeof METRIC_DISPLAY)[number]> & { display_derivative: boolean };

/** All parts of a graph are shown. */
export const ALL_SHOWN = {
  display_x_axis: 'below',
  display_y_axis: 'right',
  display_legend: true,
  display_anomalies: true,
  display_matches: true,
  display_expected_range: true,
} as const;

/** The chart of a metric according to the display parameters. */
export function toMetricChart(
  content: GraphContent,
  display: GraphDisplay,
): Omit<MetricChart, 'theme'> & { theme: GraphTheme } {
  const { metric, from, until, timezone } = content;
  return {
    title: display.title === '' ? metric.name : display.title,
    // A counter is drawn as a rate only on request; the chart itself indicates that.
    unit: (metric.type === 'rate' ? shownUnit(metric) : metric.unit) ?? '',
    timezone,
    from,
    until,
    series: seriesOf(metric.name, content.points),
    derivative: display.display_derivative,
    expected: hasComparableRange(metric.type, display) ? rangeOf(content.yhat) : undefined,
    anomalies: toChartAnomalies(content.anomalies, shownUnit(metric), { zone: timezone, now: until }),
    matches: content.matches.map(toChartMatch),
    display: {
      xAxis: display.display_x_axis,
      yAxis: display.display_y_axis,
      legend: display.display_legend,
      anomalies: display.display_anomalies,
      matches: display.display_matches,
      expectedRange: display.display_expected_range,
    },
    theme: display.theme,
    width: display.width,
    height: display.height,
  };
}

/**
 * True if the range is shown: counters are analysed as rates, all others unchanged, so the range fits only that
 * picture.
 */
export function hasComparableRange(
  type: MetricType,
  display: Pick<GraphDisplay, 'display_expected_range' | 'display_derivative'>,
): boolean {
  return display.display_expected_range && display.display_derivative === (type === 'counter');
}

/** A list of matches does not contain their ends: only the start is marked. */
const toChartMatch = ({ timestamp, pattern_label: label }: GraphContent['matches'][number]): ChartMatch => ({
  timestamp,
  label,
});

function seriesOf(name: string, points: readonly SeriesPoint[]): ChartSeries {
  const present = points.filter(([, value]) => value !== null);
  const { timestamps, columns } = breakAtSilence(
    present.map(([timestamp]) => timestamp),
    { values: present.map(([, value]) => value ?? Number.NaN) },
  );
  return { name, timestamps, values: columns.values };
}

function rangeOf(yhat: GraphContent['yhat']): ChartExpectedRange {
  const { timestamps, columns } = breakAtSilence(
    yhat.map(({ timestamp }) => timestamp),
    {
      lower: yhat.map(({ yhat_lower: lower }) => lower ?? Number.NaN),
      upper: yhat.map(({ yhat_upper: upper }) => upper ?? Number.NaN),
      yhat: yhat.map(({ yhat: expected }) => expected ?? Number.NaN),
    },
  );
  return { timestamps, ...columns };
}

/** Adds a description of the change to each mark. `unit`: unit of the analysed values. */
export function toChartAnomalies(
  anomalies: GraphContent['anomalies'],
  unit: string | null,
  reader: Reader,
): ChartAnomaly[] {
  return anomalies.flatMap((anomaly) => {
    const { timestamp: start, out_until_timestamp: end, kind, severity_label: severity } = anomaly;
    if (kind === null) return [];
    const { expected_range_lower: lower = null, expected_range_upper: upper = null } = anomaly;
    const { peak_value: peakValue = null } = anomaly;
    const value = anomaly.value ?? peakValue;
    const label = observedText({ kind, value, peakValue, lower, upper, unit, start, end }, reader);
    return [{ from: start, until: end, kind, label, severity }];
  });
}
