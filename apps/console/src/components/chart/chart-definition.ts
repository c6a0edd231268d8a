import { DEFAULT_CHART_DISPLAY, type ChartTheme, type MetricChart } from '#libs/charts/browser';
import { type MetricChartProps } from './chart-props';
import { stretchLabel } from './stretch-text';

const orNaN = (values: readonly (number | null)[]): Float64Array =>
  Float64Array.from(values, (value) => value ?? Number.NaN);

/** The content of the chart, before its size and window are known. */
export type ChartContent = Omit<MetricChart, 'width' | 'height' | 'theme' | 'from' | 'until'>;

/** The definition that the server uses for its pictures, built from the data of a page. */
export function chartContent(
  props: Pick<
    MetricChartProps,
    'unit' | 'isRate' | 'zone' | 'series' | 'expected' | 'others' | 'anomalies' | 'matches' | 'now'
  >,
): ChartContent {
  return {
    title: '',
    unit: props.unit,
    derivative: props.isRate ?? false,
    timezone: props.zone,
    series: { name: props.series.name, timestamps: props.series.timestamps, values: orNaN(props.series.values) },
    others: props.others?.map(({ name, timestamps, values }, i) => ({
      name,
      timestamps,
      values: orNaN(values),
      tone: 'faint',
      dashed: i > 0,
    })),
    expected: props.expected && {
      timestamps: props.expected.timestamps,
      lower: orNaN(props.expected.lower),
      upper: orNaN(props.expected.upper),
      yhat: orNaN(props.expected.yhat),
    },
    anomalies: (props.anomalies ?? []).map((stretch) => ({
      from: stretch.from,
      until: stretch.until,
      kind: stretch.kind ?? 'spike',
      label: stretchLabel(stretch, props),
      severity: stretch.severity,
    })),
    matches: (props.matches ?? []).map(({ from, until, label }) => ({ timestamp: from, until, label })),
    now: props.now,
    display: DEFAULT_CHART_DISPLAY,
    hasHeader: false,
  };
}

/** The content in a given size, over a given stretch of time. */
export function chartOf(
  content: ChartContent,
  place: { from: number; until: number; width: number; height: number; theme: ChartTheme },
): MetricChart {
  return { ...content, ...place };
}
