import { demoSeries, seriesColumns } from '#libs/synthetic';

const EPOCH = Date.UTC(2026, 0, 15) / 1000;
const DAYS = 14;
const STEP_SECONDS = 300;
const SERIES = 'http_request_duration_seconds{job="shop",quantile="0.95"}';

/** The incidents in the file, in Unix seconds. */
export const EXAMPLE_INCIDENTS = series().incidents(EPOCH - DAYS * 86_400, EPOCH);

/**
 * `docs/examples/latency.csv`: two weeks of synthetic latency of a web shop in seconds, one value every five minutes.
 */
export function exampleCsv(): string {
  const { timestamps, values } = seriesColumns(series(), EPOCH - DAYS * 86_400, EPOCH, STEP_SECONDS);
  const rows = Array.from(timestamps, (at, i) => `${new Date(at * 1000).toISOString().slice(0, 16)}Z,${values[i]}\n`);
  return `timestamp,value\n${rows.join('')}`;
}

function series(): ReturnType<typeof demoSeries>[number] {
  return demoSeries({ epoch: EPOCH }).find(({ name }) => name === SERIES)!;
}
