import { type Opened, type ShapeHistory, type Shape, type Stretch } from '#libs/patterns';
import { type MetricType } from '#libs/contracts';

/** Variants of the trained anomaly that a preview tries. */
export const EXAMPLES = ['an hour later', 'twice as high', 'half as long', 'missing'] as const;
export type Example = (typeof EXAMPLES)[number];

export interface ExampleRequest {
  shapes: readonly Shape[];
  /** For each shape: its known starts, and how its instances differ. */
  histories: readonly ShapeHistory[];
  /** The series until after the anomaly, in the slots of the shapes. */
  history: Stretch;
  type: MetricType;
  timezone: string;
}

/** A request for the other occurrences of the shapes of an anomaly. */
export interface ShapeHistoryRequest {
  /** They differ only in their durations. */
  shapes: readonly Shape[];
  /** The series before the anomaly, in the slots of the shapes. */
  past: Stretch;
  opened: readonly Opened[];
  /** 0..1 */
  threshold: number;
  timezone: string;
}

/** `unknown`: the detector has not seen the shape often enough to decide; until then it does not open. */
export const EXAMPLE_VERDICTS = ['opens', 'silent', 'unknown'] as const;
export type ExampleVerdict = (typeof EXAMPLE_VERDICTS)[number];

export interface ExampleResult {
  what: Example;
  would_open: boolean;
  verdict: ExampleVerdict;
  /** The reason, as a sentence. */
  text: string;
}

/** Number of days that a preview replays. */
export const PREVIEW_DAYS = 30;
