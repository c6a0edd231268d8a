import { type NameLimits } from '../names/name-limits.js';
import {
  composeMetricName,
  isNameProblem,
  type LabelPair,
  type MetricNameProblem,
  type ParsedMetricName,
} from '../names/metric-name.js';
import { CachedName } from '../names/cached-name.js';

type Composed = CachedName | MetricNameProblem;

/** Names of the series that a histogram is turned into, each made when it is first asked for. */
export class HistogramNames {
  private readonly byPart = new Map<string, Composed>();

  constructor(
    private readonly parsed: ParsedMetricName,
    private readonly limits: NameLimits,
  ) {}

  get count(): Composed {
    return this.part('_count', null);
  }

  get sum(): Composed {
    return this.part('_sum', null);
  }

  quantile(quantile: number): Composed {
    return this.part('', ['quantile', String(quantile)]);
  }

  /** @param bound inclusive upper bound; infinite for all observations */
  bucket(bound: number): Composed {
    return this.part('_bucket', ['le', bound === Infinity ? '+Inf' : String(bound)]);
  }

  private part(suffix: string, label: LabelPair | null): Composed {
    const key = label === null ? suffix : `${suffix}{${label[1]}`;
    let composed = this.byPart.get(key);
    if (composed === undefined) {
      // Bounds of exponential buckets wander as the data does.
      if (this.byPart.size >= MAX_PARTS) this.byPart.clear();
      const labels = Object.entries(this.parsed.labels);
      if (label !== null) labels.push([...label]);
      const name = composeMetricName(`${this.parsed.displayName}${suffix}`, labels, this.limits);
      composed = isNameProblem(name) ? name : new CachedName(name);
      this.byPart.set(key, composed);
    }
    return composed;
  }
}

/** Names kept of one histogram. */
const MAX_PARTS = 512;

/** What a series `<name>_bucket{le="…"}` is part of. */
export interface BucketName {
  /** The histogram's name: without the suffix and without `le`. */
  histogram: ParsedMetricName;
  /** Inclusive upper bound. */
  bound: number;
}

/** Takes the name of a classic Prometheus bucket apart; null when it is none. */
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
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(le) ? Number(le) : NaN;
}
