import { type MetricType } from '#libs/contracts';
import { type Habit, type Shape } from '#libs/patterns';

export const PATTERN_ORIGINS = ['trained', 'companion', 'learnt', 'recurring'] as const;
export type PatternOrigin = (typeof PATTERN_ORIGINS)[number];

/** Verdict of a person on a pattern of the system, or on a match; 'none': no verdict yet. */
export const VERDICTS = ['true', 'false', 'none'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const PENDING_STATUSES = ['queued', 'building', 'waiting_for_data', 'failed'] as const;
export type PendingStatus = (typeof PENDING_STATUSES)[number];

/** Maximum number of enabled patterns of one metric. */
export const MAX_ENABLED_PER_METRIC = 200;
export const DEFAULT_THRESHOLD = 0.95;
/** Maximum number of starts in a record of a pattern. */
export const MAX_SEEN = 100;
/** A pattern that would need a higher similarity than this to match is disabled. */
export const MAX_THRESHOLD = 0.99;

/** A pattern without its shape. Times in Unix seconds. */
export interface Pattern {
  id: number;
  orgId: number;
  metricId: number;
  metricName: string;
  metricType: MetricType;
  metricUnit: string | null;
  anomalyId: number | null;
  trainingId: number | null;
  parentId: number | null;
  rootId: number | null;
  generation: number;
  origin: PatternOrigin;
  creatorUserId: number | null;
  /** Seconds. */
  duration: number;
  partStart: number;
  partEnd: number;
  starts: number[];
  anomalyValue: number | null;
  label: string;
  enabled: boolean;
  positive: boolean;
  shadow: boolean;
  learn: boolean;
  validated: boolean | null;
  similarityThreshold: number;
  checks: number;
  matches: number;
  invalidMatches: number;
  agreements: number;
  lastMatchTimestamp: number | null;
  createdTimestamp: number;
  hasRelatives: boolean;
}

/** Members that are stored unchanged. */
type StoredAsGiven =
  | 'orgId'
  | 'metricId'
  | 'anomalyId'
  | 'trainingId'
  | 'parentId'
  | 'rootId'
  | 'generation'
  | 'origin'
  | 'creatorUserId'
  | 'anomalyValue'
  | 'label'
  | 'positive'
  | 'shadow'
  | 'learn';

/** A pattern to be stored. */
export interface NewPattern extends Pick<Pattern, StoredAsGiven> {
  shape: Shape;
  starts: readonly number[];
  /** How much its instances differ; default: it is the only one. */
  habit?: Habit;
  similarityThreshold?: number;
  createdAt: Date;
}

/** Position and slots of a shape, without its values. Seconds, and Unix seconds. */
export interface ShapeFrame {
  duration: number;
  partStart: number;
  partEnd: number;
  fineStep: number;
  contextStep: number;
}

/** The data of a pattern that a comparison needs in addition to its shape. */
export interface ComparablePattern {
  id: number;
  metricId: number;
  rootId: number | null;
  parentId: number | null;
  generation: number;
  origin: PatternOrigin;
  label: string;
  positive: boolean;
  shadow: boolean;
  learn: boolean;
  validated: boolean | null;
  starts: number[];
  habit: Habit;
  threshold: number;
  createdTimestamp: number;
  frame: ShapeFrame;
}

export interface ShapedPattern extends ComparablePattern {
  shape: Shape;
}

/** The enabled patterns of a metric. */
export interface PatternSet {
  metricId: number;
  /** Changes whenever any of them, or their data for comparisons, changes. */
  stamp: string;
  patterns: ReadonlyMap<number, ComparablePattern>;
}

/** A pattern that waits to be built. Times in Unix seconds. */
export interface PendingPattern {
  id: number;
  orgId: number;
  metricId: number;
  metricName: string;
  anomalyId: number;
  trainingId: number;
  duration: number;
  origin: PatternOrigin;
  label: string;
  positive: boolean;
  learn: boolean;
  status: PendingStatus;
  message: string | null;
  requestedBy: number | null;
  requestedTimestamp: number;
  progressId: number | null;
}
