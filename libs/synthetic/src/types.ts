import { type Aggregation, type MetricType } from '#libs/contracts';

/** Kinds of trouble that the generator makes, named by what happens to the series. */
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

/** A stretch of a series that is known to be in trouble. Unix seconds, `from` inclusive, `until` exclusive. */
export interface LabelledIncident {
  kind: TroubleKind;
  from: number;
  until: number;
  /** The event, for people. */
  text: string;
}

/** An endless series whose every value follows from seed, name and time alone. */
export interface SyntheticSeries {
  /** Canonical metric name. */
  name: string;
  type: MetricType;
  unit: string | null;
  description: string;
  aggregation: Aggregation;
  /** Value of the slot that starts at `timestamp` (Unix seconds); null when the series is silent. Same answer at every call. */
  valueAt(timestamp: number): number | null;
  /** Trouble that overlaps [from, until), by start. */
  incidents(from: number, until: number): LabelledIncident[];
}

/** Kinds of sites whose metrics can be made. */
export const DEMO_THEME_NAMES = ['shop', 'factory'] as const;
export type DemoThemeName = (typeof DEMO_THEME_NAMES)[number];

export interface DemoOptions {
  /** Default a web shop. */
  theme?: DemoThemeName;
  /** Unix seconds at which the demo starts: history lies before, live data after. Trouble is scheduled relative to it. */
  epoch: number;
  /** Another seed gives other noise and another order of live trouble. */
  seed?: number;
  /** IANA zone in which the services' users live: day and week curves follow its clocks. */
  timezone?: string;
}
