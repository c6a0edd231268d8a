import { withoutGaps, choiceParam } from '../../lib/search-params';
import { type Label, MAX_LABELS } from './labels';

export const MODEL_IDS = [
  'plumbline',
  'sigma_vote',
  'robust_deviation',
  'seasonal_profile',
  'spectral_residual',
  'isolation_forest',
  'matrix_profile',
] as const;
export type ModelId = (typeof MODEL_IDS)[number];

/** Sortable columns of the comparison. */
const SORTS = ['model', 'precision', 'recall', 'f1', 'delay', 'nab', 'falses', 'anomalies', 'runtime'] as const;
export type Sort = (typeof SORTS)[number];

/** The selection in the address of a benchmark, in addition to its window. */
export interface BenchmarkSearch {
  /** Id of a second benchmark of the same series, with models that the first one has no room for. */
  with?: string;
  /** The model in the large chart. */
  model?: ModelId;
  sort?: Sort;
  /** Reverses the order. */
  reverse?: true;
  /** The listed anomalies: those on a label, or those on none. */
  found?: 'right' | 'false';
  /** Labels that were changed since the run, in the format of `writeLabels`. */
  labels?: string;
}

const LONGEST_ID = 100;
const LONGEST_LABELS = 7000;

export function validateBenchmarkSearch(search: Record<string, unknown>): BenchmarkSearch {
  // The router parses an id or a list that looks like a number as a number.
  const text = (value: unknown, longest: number): string | undefined => {
    const written = typeof value === 'number' ? String(value) : value;
    return typeof written === 'string' && written !== '' && written.length <= longest ? written : undefined;
  };
  const labels = text(search.labels, LONGEST_LABELS);
  return withoutGaps({
    with: text(search.with, LONGEST_ID),
    model: choiceParam(MODEL_IDS, search.model),
    sort: choiceParam(SORTS, search.sort),
    reverse: search.reverse === true ? true : undefined,
    found: choiceParam(['right', 'false'] as const, String(search.found)),
    labels: labels !== undefined && readLabels(labels) !== null ? labels : undefined,
  });
}

const NONE = 'none';

/** Labels in an address: start and length of each in base 36, each start relative to the previous one. */
export function writeLabels(labels: readonly Label[]): string {
  if (labels.length === 0) return NONE;
  return labels
    .map(([from, until], i) => `${(from - (labels[i - 1]?.[0] ?? 0)).toString(36)}.${(until - from).toString(36)}`)
    .join('_');
}

/** The reverse; null if the text is not a list of labels. */
export function readLabels(text: string): Label[] | null {
  if (text === NONE) return [];
  const parts = text.split('_');
  if (parts.length > MAX_LABELS) return null;
  const labels: Label[] = [];
  let before = 0;
  for (const part of parts) {
    const [, step, length] = /^([0-9a-z]{1,8})\.([0-9a-z]{1,8})$/.exec(part) ?? [];
    if (step === undefined || length === undefined) return null;
    before += parseInt(step, 36);
    labels.push([before, before + parseInt(length, 36)]);
  }
  return labels;
}
