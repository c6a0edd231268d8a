import { type Aggregation, type MetricType } from '#libs/contracts';

/** Kinds of generated trouble, named after their effect on the series. */
export const TROUBLE_KINDS = [
  'spike',
  'dip',
  'level_shift',
  'new_job',
  'missed_job',
  'frozen',
  'growing_spread',
  'silence',
  'counter_stop',
] as const;
export type TroubleKind = (typeof TROUBLE_KINDS)[number];

/** A stretch of a series with known trouble. Unix seconds, `from` inclusive, `until` exclusive. */
export interface LabelledIncident {
  kind: TroubleKind;
  from: number;
  until: number;
  /** A description for people. */
  text: string;
}

/** An endless series in which every value depends only on seed, name and time. */
export interface SyntheticSeries {
  /** Canonical metric name. */
  name: string;
  type: MetricType;
  unit: string | null;
  description: string;
  aggregation: Aggregation;
  /**
   * Value of the slot that starts at `timestamp` (Unix seconds); null if the series is silent. Every call returns the
   * same.
   */
  valueAt(timestamp: number): number | null;
  /** Trouble that overlaps [from, until), by start. */
  incidents(from: number, until: number): LabelledIncident[];
}

/** Kinds of sites whose metrics can be generated. */
export const DEMO_THEME_NAMES = ['shop', 'factory'] as const;
export type DemoThemeName = (typeof DEMO_THEME_NAMES)[number];

export interface DemoOptions {
  /** Default: a web shop. */
  theme?: DemoThemeName;
  /**
   * Unix seconds at which the demo starts: history before it, live data after it. Trouble is scheduled relative to it.
   */
  epoch: number;
  /** Another seed results in different noise and a different order of live trouble. */
  seed?: number;
  /** IANA zone of the users of the services: daily and weekly curves follow its clocks. */
  timezone?: string;
}
