import { type MetricType } from '#libs/contracts';
import { type SeriesHeader } from '#libs/protocols';
import { type MetricDescription } from './metric-registry.types.js';

export interface NewMetric extends MetricDescription {
  type: MetricType;
  header: SeriesHeader;
  labels: Record<string, string>;
  /** Id of the terms that it is judged by; null: the defaults. */
  termsId: number | null;
}

/** The type of a metric of which none is known. */
const NEW_TYPE: MetricType = 'gauge';

/** What is known of a new metric, with a type in any case. */
export function typed(known: MetricDescription): MetricDescription & { type: MetricType } {
  const { type } = known;
  return type === null ? { ...known, type: NEW_TYPE, typeSource: 'default' } : { ...known, type };
}

/** What many new metrics have in common is sent once. */
export class NewMetricKinds {
  private readonly numbers = new Map<string, number>();
  private readonly kinds: NewMetric[] = [];

  /** From 1 on, as PostgreSQL counts. */
  numberOf(metric: NewMetric): number {
    const { type, typeSource, unit, description, termsId, header } = metric;
    const key = JSON.stringify([type, typeSource, unit, description, termsId, header.aggregation]);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const next = this.kinds.push(metric);
    this.numbers.set(key, next);
    return next;
  }

  columns(): unknown[][] {
    return [
      this.kinds.map(({ type }) => type),
      this.kinds.map(({ typeSource }) => typeSource),
      this.kinds.map(({ header }) => header.aggregation ?? 'last'),
      this.kinds.map(({ unit }) => unit),
      this.kinds.map(({ description }) => description),
      this.kinds.map(({ termsId }) => termsId),
    ];
  }
}
