import { type ChartAnomaly, type ChartDisplay, type ChartTheme, type MetricChart } from './metric-chart.js';

/** A shape with which later anomalies are compared. */
export interface PatternPicture {
  title: string;
  unit: string;
  /** IANA zone of all times in the picture. */
  timezone: string;
  /** Unix seconds; `until` later than `from`. */
  from: number;
  until: number;
  /** The shape at its original time. Columns as in ChartSeries. */
  shape: { name: string; timestamps: ArrayLike<number>; values: ArrayLike<number> };
  /** Value at which the part starts. */
  level: number;
  /** Average distance from the shape up to which an instance is considered similar. */
  spread: number;
  /** Start and end of the drawn spread, Unix seconds. */
  compared: { from: number; until: number };
  /** The anomalous part. */
  part: ChartAnomaly;
  /** The values are per-second rates of the unit. */
  derivative?: boolean;
  display: ChartDisplay;
  theme: ChartTheme;
  width: number;
  height: number;
}

/** The shape of a pattern with its spread, its level, and its marked part. */
export function patternChart({ shape, level, spread, compared, part, ...picture }: PatternPicture): MetricChart {
  const { from, until } = picture;
  const rows = Array.from({ length: shape.timestamps.length }, (_, row) => row).filter((row) => {
    const timestamp = shape.timestamps[row]!;
    return timestamp >= compared.from && timestamp <= compared.until;
  });
  const valuesApart = (by: number): number[] => rows.map((row) => shape.values[row]! + by);
  return {
    ...picture,
    series: { ...shape, tone: 'line' },
    others: [{ name: 'level', timestamps: [from, until], values: [level, level], tone: 'other', dashed: true }],
    expected: {
      name: 'counts as alike',
      timestamps: rows.map((row) => shape.timestamps[row]!),
      lower: valuesApart(-spread),
      upper: valuesApart(spread),
      yhat: rows.map(() => Number.NaN),
    },
    anomalies: [part],
    matches: [],
  };
}
