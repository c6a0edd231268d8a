import { type Received, type Reply, StandIn } from './stand-in.js';

/** A series that the stand-in has: null where it has no point. */
export interface PrometheusSeries {
  metric: Record<string, string>;
  valueAt: (timestamp: number) => number | null;
}

export interface AskedRange {
  query: string;
  start: number;
  end: number;
  step: number;
}

const MOST_STEPS = 11_000;

/** The part of the API of Prometheus that sources use: all series whatever the query is. */
export class PrometheusStandIn extends StandIn {
  series: PrometheusSeries[] = [];

  /** Ranges that were asked for, oldest first, also those that were refused. */
  get asked(): AskedRange[] {
    return this.received.map(rangeOf);
  }

  protected override judge(request: Received): Reply {
    const { start, end, step, query } = rangeOf(request);
    if (request.method !== 'POST' || request.path !== '/api/v1/query_range') return { status: 404 };
    if (query === '' || !(step > 0) || !(end >= start)) return refusal('bad_data', 'invalid parameter');
    if ((end - start) / step > MOST_STEPS) return refusal('bad_data', 'exceeded maximum resolution of 11,000 points');
    const result = this.series.flatMap(({ metric, valueAt }) => {
      const values: [number, string][] = [];
      for (let at = start; at <= end; at += step) {
        const value = valueAt(at);
        if (value !== null) values.push([at, String(value)]);
      }
      return values.length === 0 ? [] : [{ metric, values }];
    });
    return { status: 200, body: { status: 'success', data: { resultType: 'matrix', result } } };
  }
}

function rangeOf({ body }: Received): AskedRange {
  const form = new URLSearchParams(body);
  const number = (name: string): number => Number(form.get(name) ?? NaN);
  return { query: form.get('query') ?? '', start: number('start'), end: number('end'), step: number('step') };
}

const refusal = (errorType: string, error: string): Reply => ({
  status: 400,
  body: { status: 'error', errorType, error },
});
