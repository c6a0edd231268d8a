import { type Shape, type Stretch } from '#libs/patterns';
import { type MetricType } from '#libs/contracts';

/** A shape that has not become a pattern yet. */
export interface CutShape {
  duration: number;
  shape: Shape;
}

/** Variants of what was trained that a preview tries. */
export const EXAMPLES = ['an hour later', 'twice as high', 'half as long', 'missing'] as const;
export type Example = (typeof EXAMPLES)[number];

export interface ExampleRequest {
  shapes: readonly Shape[];
  /** The series until after the anomaly, in the slots of the shapes. */
  history: Stretch;
  type: MetricType;
  timezone: string;
}

export interface ExampleResult {
  what: Example;
  would_open: boolean;
}

/** So far back a preview looks, days. */
export const PREVIEW_DAYS = 30;
