import { type AnomalyKind } from '#libs/contracts';
import { type TimeWindow } from '../../lib/window';

/** Columns of one line. Times are Unix seconds, ascending; null = gap. */
export interface ChartColumns {
  timestamps: readonly number[];
  values: readonly (number | null)[];
}

export interface ChartBand {
  timestamps: readonly number[];
  lower: readonly (number | null)[];
  upper: readonly (number | null)[];
  yhat: readonly (number | null)[];
}

export interface ChartStretch {
  from: number;
  /** End of its last anomalous slot; null while its values are anomalous. */
  until: number | null;
  kind: AnomalyKind | null;
  /** The value furthest outside the expected range: the label is next to a line that shows it. For counters, a rate. */
  value: number | null;
  /** Bounds of the expected range in the first slot of the anomaly. */
  lower: number | null;
  upper: number | null;
  severity: 'critical' | 'major' | 'minor' | 'info';
  /** Target of the link on its mark. */
  href?: string;
}

export interface ChartMatchMark {
  from: number;
  until: number;
  /** `expected, as on 12 Oct`. */
  label: string;
}

/** A stretch that users have marked. */
export interface ChartLabel {
  from: number;
  until: number;
  /** `label 2`. */
  label: string;
}

export interface MetricChartProps {
  /** Describes the picture for readers who do not see it. */
  title: string;
  unit: string;
  /** The values are per-second rates of the unit (counters). */
  isRate?: boolean;
  zone: string;
  window: Pick<TimeWindow, 'from' | 'until'>;
  series: ChartColumns & { name: string };
  expected?: ChartBand;
  /** Faint lines on the same axes, such as yesterday or last week, already shifted into the window. */
  others?: readonly (ChartColumns & { name: string })[];
  /** A thin line at the current time, Unix seconds. */
  now?: number;
  anomalies?: readonly ChartStretch[];
  matches?: readonly ChartMatchMark[];
  labels?: readonly ChartLabel[];
  height: number;
  /** Dragging selects a window; Shift and drag, or the wheel, moves it. If omitted, the chart does not move. */
  onWindowChange?: (window: { from: number; until: number }) => void;
  /** Dragging marks a stretch instead of selecting a window; the other controls of the window stay. */
  onMark?: (stretch: { from: number; until: number }) => void;
  /** Legend and buttons (table, PNG, CSV) above the chart. Default: shown if its window can be changed. */
  hasTools?: boolean;
}
