import { type ChartSeries, type MetricChart, type SeriesTone } from '#libs/charts/model';
import { type CountSeriesDto, type CountSeriesName, type OrgCountsDto } from '../organisation/org-counts.dto.js';
import { type GraphTheme, type OrgGraphParams } from './dto/graph.params.js';

const TONES: Readonly<Record<CountSeriesName, SeriesTone>> = {
  anomalies: 'anomaly',
  matches: 'match',
  alerts: 'alert',
  points: 'line',
  metrics: 'other',
};

/** The chart of counts over time according to the display parameters. */
export function toOrgChart(
  counts: OrgCountsDto,
  org: { name: string; timezone: string },
  display: OrgGraphParams,
): Omit<MetricChart, 'theme'> & { theme: GraphTheme } {
  const { from, until } = counts;
  const [first = EMPTY, ...others] = counts.series
    .filter(({ name }) => display.display_anomalies || name !== 'anomalies')
    .filter(({ name }) => display.display_matches || name !== 'matches')
    .map((series) => lineOf(series, counts));
  return {
    title: display.title === '' ? org.name : display.title,
    unit: '',
    timezone: org.timezone,
    from,
    until,
    series: first,
    others,
    counts: true,
    anomalies: [],
    matches: [],
    display: {
      xAxis: display.display_x_axis,
      yAxis: display.display_y_axis,
      legend: display.display_legend,
      anomalies: false,
      matches: false,
      expectedRange: false,
    },
    theme: display.theme,
    width: display.width,
    height: display.height,
  };
}

const EMPTY: ChartSeries = { name: '', timestamps: [], values: [] };

/** The first interval may start before the picture, and the last one continues to its end. */
function lineOf({ name, points }: CountSeriesDto, { from, until }: OrgCountsDto): ChartSeries {
  const last = points[points.length - 1]?.[1] ?? 0;
  const beginnings = points.map(([timestamp]) => Math.max(timestamp, from));
  const isOpen = (beginnings[beginnings.length - 1] ?? until) < until;
  return {
    name,
    tone: TONES[name],
    timestamps: isOpen ? [...beginnings, until] : beginnings,
    values: points.map(([, count]) => count).concat(isOpen ? [last] : []),
  };
}
