import { type ChartAnomaly, type ChartDisplay, type ChartTheme, type MetricChart } from './metric-chart.js';

/** A stretch of a series. Columns as in ChartSeries. */
export interface ChartStretch {
  /** Name in the legend. */
  name: string;
  /** Unix seconds: the moment that is aligned with that of the other stretch. */
  at: number;
  timestamps: ArrayLike<number>;
  values: ArrayLike<number>;
}

/** A matched window and the pattern that it resembles. */
export interface MatchPicture {
  title: string;
  unit: string;
  /** IANA zone of all times in the picture, which are those of the matched window. */
  timezone: string;
  matched: ChartStretch;
  pattern: ChartStretch;
  /** The part of the matched window that would have been an anomaly, if known. */
  part?: ChartAnomaly;
  /** The values are per-second rates of the unit. */
  derivative?: boolean;
  display: Pick<ChartDisplay, 'xAxis' | 'yAxis' | 'legend'>;
  theme: ChartTheme;
  width: number;
  height: number;
}

/** The matched window drawn over its pattern, which is shifted to the time of the match. */
export function matchChart({ matched, pattern, part, display, ...picture }: MatchPicture): MetricChart {
  const shift = matched.at - pattern.at;
  const moved = Float64Array.from({ length: pattern.timestamps.length }, (_, row) => pattern.timestamps[row]! + shift);
  const { from, until } = windowOf([matched.timestamps, moved], matched.at);
  return {
    ...picture,
    from,
    until,
    // The pattern is below, because the matched part is drawn last.
    series: { name: pattern.name, timestamps: moved, values: pattern.values, tone: 'match' },
    others: [{ name: matched.name, timestamps: matched.timestamps, values: matched.values, tone: 'line' }],
    anomalies: part === undefined ? [] : [part],
    matches: [],
    display: { ...display, anomalies: part !== undefined, matches: false, expectedRange: false },
  };
}

function windowOf(columns: readonly ArrayLike<number>[], at: number): { from: number; until: number } {
  let [from, until] = [Infinity, -Infinity];
  for (const column of columns) {
    if (column.length === 0) continue;
    from = Math.min(from, column[0]!);
    until = Math.max(until, column[column.length - 1]!);
  }
  if (!(from <= until)) return { from: at - 1, until: at };
  return { from, until: until > from ? until : from + 1 };
}
