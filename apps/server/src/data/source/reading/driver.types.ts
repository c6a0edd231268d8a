import { type LabelPair } from '#libs/protocols';
import { type SourceSecrets, type SourceSettings } from '../source.types.js';

/** A time window: after `from`, up to and including `until`. Whole Unix seconds. */
export interface ReadWindow {
  from: number;
  until: number;
  stepSeconds: number;
}

/** A series in the answer of a source. */
export interface FoundSeries {
  /** Null if the source returns none: the name of the source is used. */
  name: string | null;
  labels: readonly LabelPair[];
  /** Unix seconds, ascending. */
  timestamps: readonly number[];
  /** Same length as `timestamps`; finite. */
  values: readonly number[];
}

export interface SourceAnswer {
  series: FoundSeries[];
  /** The source reports that data is missing: an absent series need not have ended. */
  isPartial: boolean;
}

/** Maximum size of an answer. */
export interface AnswerLimits {
  maxSeries: number;
  maxPoints: number;
}

/** Everything that a driver needs for one query. */
export interface SourceQuery {
  settings: Pick<SourceSettings, 'url' | 'query' | 'username' | 'timeoutSeconds' | 'writeBack'>;
  secrets: SourceSecrets;
  window: ReadWindow;
  limits: AnswerLimits;
  signal?: AbortSignal;
}

/** Access to one type of source. Its specs cover its requests and its parsing of answers, including hostile ones. */
export interface SourceDriver {
  /** @throws SourceFailure, OutgoingError */
  read(query: SourceQuery): Promise<SourceAnswer>;
}

export type SourceFailureKind =
  /** The source refused the query, or its answer cannot be parsed. */
  | 'refused'
  /** More points or bytes than one answer may have: a shorter window may work. */
  | 'too_large'
  | 'too_many_series'
  /** No connection, or no answer in time. */
  | 'unreachable';
