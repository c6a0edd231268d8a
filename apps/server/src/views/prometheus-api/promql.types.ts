/** Operators of label comparison in PromQL. */
export type MatchOperator = '=' | '!=' | '=~' | '!~';

/** A condition on one label; a missing label is compared as an empty text. */
export interface LabelMatcher {
  name: string;
  operator: MatchOperator;
  value: string;
}

/** The fixed time of a selector: Unix seconds, or an end of the window. */
export type FixedTime = number | 'start' | 'end';

/** A selector of series. */
export interface SelectorExpression {
  kind: 'selector';
  matchers: readonly LabelMatcher[];
  /** Seconds of `[5m]`; null: the value at one time. */
  rangeSeconds: number | null;
  /** Reads this many seconds earlier; negative: later. */
  offsetSeconds: number;
  at: FixedTime | null;
}

/** A supported query. `vector` is a number as a series without labels. */
export type QueryExpression =
  | { kind: 'scalar'; value: number }
  | { kind: 'vector'; value: number }
  | { kind: 'string'; value: string }
  | SelectorExpression;

/** The label that holds the name of a metric. */
export const NAME_LABEL = '__name__';
