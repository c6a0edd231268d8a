import { type NameLimits } from '../names/name-limits.js';
import {
  composeMetricName,
  isNameProblem,
  type LabelPair,
  type MetricNameProblem,
  type ParsedMetricName,
} from '../names/metric-name.js';
import { CachedName } from '../names/cached-name.js';
import { DECIMAL } from '../json/number-text.js';

type Composed = CachedName | MetricNameProblem;

/** Names of the series into which a histogram is converted, each created on first use. */
export class HistogramNames {
  private readonly bySuffix = new Map<string, Composed>();
  private readonly byQuantile = new Map<number, Composed>();
  private readonly byBound = new Map<number, Composed>();
  // The last key, which is usually requested again.
  private scope = 0;
  private backfill = false;
  private key = '';

  constructor(
    private readonly parsed: ParsedMetricName,
    private readonly limits: NameLimits,
  ) {}

  get count(): Composed {
    return this.bySuffix.get('_count') ?? this.keep(this.bySuffix, '_count', '_count', null);
  }

  get sum(): Composed {
    return this.bySuffix.get('_sum') ?? this.keep(this.bySuffix, '_sum', '_sum', null);
  }

  quantile(quantile: number): Composed {
    return this.byQuantile.get(quantile) ?? this.keep(this.byQuantile, quantile, '', ['quantile', String(quantile)]);
  }

  /** @param bound inclusive upper bound; infinite for all observations */
  bucket(bound: number): Composed {
    const le = bound === Infinity ? '+Inf' : String(bound);
    return this.byBound.get(bound) ?? this.keep(this.byBound, bound, '_bucket', ['le', le]);
  }

  /**
   * Key of the histogram in the memory.
   * @param scope id of the organisation
   */
  keyIn(scope: number, backfill: boolean): string {
    if (this.key === '' || scope !== this.scope || backfill !== this.backfill) {
      this.scope = scope;
      this.backfill = backfill;
      // Backfill has separate state: next to live points it would be older than the known state, and omitted.
      this.key = `${scope}${backfill ? '<' : '='}${this.parsed.name}`;
    }
    return this.key;
  }

  private keep<K>(kept: Map<K, Composed>, key: K, suffix: string, label: LabelPair | null): Composed {
    // Bounds of exponential buckets change with the data.
    if (kept.size >= MAX_KEPT) kept.clear();
    const labels: LabelPair[] = Object.entries(this.parsed.labels);
    if (label !== null) labels.push(label);
    const name = composeMetricName(`${this.parsed.displayName}${suffix}`, labels, this.limits);
    const composed = isNameProblem(name) ? name : new CachedName(name.name);
    kept.set(key, composed);
    return composed;
  }
}

/** Maximum number of cached names of one histogram and kind. */
const MAX_KEPT = 256;

/** The histogram of a series `<name>_bucket{le="…"}`. */
export interface BucketName {
  /** The histogram's name: without the suffix and without `le`. */
  histogram: ParsedMetricName;
  /** Inclusive upper bound. */
  bound: number;
}

/** Parses the name of a classic Prometheus bucket; null if it is not one. */
export function bucketNameOf(parsed: ParsedMetricName, limits: NameLimits): BucketName | null {
  const { displayName, labels } = parsed;
  if (!displayName.endsWith(BUCKET_SUFFIX) || displayName.length === BUCKET_SUFFIX.length) return null;
  const le = Object.hasOwn(labels, 'le') ? labels.le! : '';
  const bound = boundOf(le);
  if (Number.isNaN(bound)) return null;
  const others = Object.entries(labels).filter(([key]) => key !== 'le');
  const histogram = composeMetricName(displayName.slice(0, -BUCKET_SUFFIX.length), others, limits);
  return isNameProblem(histogram) ? null : { histogram, bound };
}

const BUCKET_SUFFIX = '_bucket';

function boundOf(le: string): number {
  if (/^\+?inf$/i.test(le)) return Infinity;
  return DECIMAL.test(le) ? Number(le) : NaN;
}
