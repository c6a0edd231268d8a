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

/** Columns of the comparison that it can be sorted by. */
const SORTS = ['model', 'precision', 'recall', 'f1', 'delay', 'nab', 'falses', 'anomalies', 'runtime'] as const;
export type Sort = (typeof SORTS)[number];

/** The selection of the address of a benchmark, apart from its window. */
export interface BenchmarkSearch {
  /** A second benchmark of the same series, with models that the first has no room for. */
  with?: string;
  /** The model that the large chart shows. */
  model?: ModelId;
  sort?: Sort;
  /** The other way round. */
  reverse?: true;
  /** Anomalies of the list: those on a label, or those on none. */
  found?: 'right' | 'false';
  /** Labels that were changed since the run, as `writeLabels` has them. */
  labels?: string;
}

const LONGEST_ID = 100;
const LONGEST_LABELS = 7000;

export function validateBenchmarkSearch(search: Record<string, unknown>): BenchmarkSearch {
  // An id or a list that looks like a number comes as one.
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

/** Labels in an address: start and length of each in base 36, each start counted from the one before. */
export function writeLabels(labels: readonly Label[]): string {
  if (labels.length === 0) return NONE;
  return labels
    .map(([from, until], i) => `${(from - (labels[i - 1]?.[0] ?? 0)).toString(36)}.${(until - from).toString(36)}`)
    .join('_');
}

/** The reverse; null if it is not a list of labels. */
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
