import { uncompressSync } from 'snappy';
import { parseLimits, parseRemoteWrite } from '#libs/protocols';
import { type Received, type Reply, StandIn } from './stand-in.js';

/** A series of the stand-in; null where it has no point. */
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

const MAX_STEPS = 11_000;

/**
 * The part of the Prometheus API that sources use: every query returns all series, and remote write must be in time
 * order.
 */
export class PrometheusStandIn extends StandIn {
  series: PrometheusSeries[] = [];
  /** Written values by time, by name with labels. */
  readonly written = new Map<string, Map<number, number>>();

  /** Requested ranges, oldest first, including rejected ones. */
  get asked(): AskedRange[] {
    return this.received.filter(({ path }) => path === '/api/v1/query_range').map(rangeOf);
  }

  protected override judge(request: Received): Reply {
    if (request.method === 'POST' && request.path === '/api/v1/write') return this.judgeWrite(request);
    const { start, end, step, query } = rangeOf(request);
    if (request.method !== 'POST' || request.path !== '/api/v1/query_range') return { status: 404 };
    if (query === '' || !(step > 0) || !(end >= start)) return refusal('bad_data', 'invalid parameter');
    if ((end - start) / step > MAX_STEPS) return refusal('bad_data', 'exceeded maximum resolution of 11,000 points');
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

  /** Like Prometheus: a single out-of-order sample rejects the whole request. */
  judgeWrite = ({ headers, bytes }: Received): Reply => {
    if (headers['content-encoding'] !== 'snappy' || headers['content-type'] !== 'application/x-protobuf') {
      return { status: 415 };
    }
    const { batch } = parseRemoteWrite(
      uncompressSync(bytes) as Buffer,
      parseLimits(Date.now() / 1000, { maxAgeSeconds: Infinity, maxFutureSeconds: Infinity }),
    );
    const samples = Array.from({ length: batch.count }, (_, row) => ({
      name: batch.series[batch.seriesIndex[row]!]!.name,
      timestamp: batch.timestamps[row]!,
      value: batch.values[row]!,
    }));
    for (const { name, timestamp, value } of samples) {
      const known = this.written.get(name) ?? new Map<number, number>();
      const newest = Math.max(...known.keys());
      if (timestamp < newest) return { status: 400, body: 'out of order sample\n' };
      if (timestamp === newest && known.get(timestamp) !== value) {
        return { status: 400, body: 'duplicate sample for timestamp\n' };
      }
    }
    for (const { name, timestamp, value } of samples) {
      this.written.set(name, (this.written.get(name) ?? new Map<number, number>()).set(timestamp, value));
    }
    return { status: 204 };
  };
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
