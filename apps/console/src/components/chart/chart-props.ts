import { type AnomalyKind } from '#libs/contracts';
import { type TimeWindow } from '../../lib/window';

/** Columns of one line. Times are Unix seconds, rising; null = gap. */
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
  /** Null while it lasts. */
  until: number | null;
  kind: AnomalyKind | null;
  /** The one furthest outside of the expected range: the label is next to a line that shows it. Of counters rates. */
  value: number | null;
  /** Edges of the expected range at its first slot. */
  lower: number | null;
  upper: number | null;
  severity: 'critical' | 'major' | 'minor' | 'info';
  /** The link of its mark. */
  href?: string;
}

export interface ChartMatchMark {
  from: number;
  until: number;
  /** `expected, as on 12 Oct`. */
  label: string;
}

/** A stretch that people have marked. */
export interface ChartLabel {
  from: number;
  until: number;
  /** `label 2`. */
  label: string;
}

export interface MetricChartProps {
  /** Names the picture for readers who do not see it. */
  title: string;
  unit: string;
  /** The values are per-second rates of the unit (counters). */
  isRate?: boolean;
  zone: string;
  window: Pick<TimeWindow, 'from' | 'until'>;
  series: ChartColumns & { name: string };
  expected?: ChartBand;
  /** Faint lines on the same axes: yesterday, last week, already moved into the window. */
  others?: readonly (ChartColumns & { name: string })[];
  /** A thin line where now is, Unix seconds. */
  now?: number;
  anomalies?: readonly ChartStretch[];
  matches?: readonly ChartMatchMark[];
  labels?: readonly ChartLabel[];
  height: number;
  /** Dragging chooses a window, shift and drag (or the wheel) moves it; without it the chart stays still. */
  onWindowChange?: (window: { from: number; until: number }) => void;
  /** Dragging marks a stretch instead of choosing a window; the other controls of the window stay. */
  onMark?: (stretch: { from: number; until: number }) => void;
  /** Legend and buttons (table, PNG, CSV) above the chart. Default: when its window can be changed. */
  hasTools?: boolean;
}
