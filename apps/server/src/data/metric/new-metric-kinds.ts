import { type MetricType } from '#libs/contracts';
import { type SeriesHeader } from '#libs/protocols';
import { type MetricDescription } from './metric-registry.types.js';

export interface NewMetric extends MetricDescription {
  type: MetricType;
  header: SeriesHeader;
  labels: Record<string, string>;
  /** Id of its detection terms; null: the defaults. */
  termsId: number | null;
}

/** The type of a metric whose type is unknown. */
const NEW_TYPE: MetricType = 'gauge';

/** Known properties of a new metric; the type is always set. */
export function typed(known: MetricDescription): MetricDescription & { type: MetricType } {
  const { type } = known;
  return type === null ? { ...known, type: NEW_TYPE, typeSource: 'default' } : { ...known, type };
}

/** Values that many new metrics share are sent once. */
export class NewMetricKinds {
  private readonly numbers = new Map<string, number>();
  private readonly kinds: NewMetric[] = [];

  /** 1-based, like arrays of PostgreSQL. */
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
