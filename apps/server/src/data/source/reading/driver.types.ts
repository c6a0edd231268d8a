import { type LabelPair } from '#libs/protocols';
import { type SourceSecrets, type SourceSettings } from '../source.types.js';

/** A part of time: after `from`, up to and with `until`. Unix seconds, whole. */
export interface ReadWindow {
  from: number;
  until: number;
  stepSeconds: number;
}

/** A series as a source answers it. */
export interface FoundSeries {
  /** Null if the source gives none: the name of the source is used. */
  name: string | null;
  labels: readonly LabelPair[];
  /** Unix seconds, rising. */
  timestamps: readonly number[];
  /** As long as `timestamps`; finite. */
  values: readonly number[];
}

export interface SourceAnswer {
  series: FoundSeries[];
  /** The source reports that data is missing: a series that is absent need not have ended. */
  isPartial: boolean;
}

/** Maximum size of an answer. */
export interface AnswerLimits {
  maxSeries: number;
  maxPoints: number;
}

/** Everything that a driver needs to ask once. */
export interface SourceQuery {
  settings: Pick<SourceSettings, 'url' | 'query' | 'username' | 'timeoutSeconds' | 'writeBack'>;
  secrets: SourceSecrets;
  window: ReadWindow;
  limits: AnswerLimits;
  signal?: AbortSignal;
}

/** The way to one type of source. Its specs hold what it asks and what it makes of answers, hostile ones included. */
export interface SourceDriver {
  /** @throws SourceFailure, OutgoingError */
  read(query: SourceQuery): Promise<SourceAnswer>;
}

export type SourceFailureKind =
  /** The source refused, or its answer cannot be read. */
  | 'refused'
  /** More points or bytes than one answer may have: a shorter window may do. */
  | 'too_large'
  | 'too_many_series'
  /** No connection, or no answer in time. */
  | 'unreachable';
