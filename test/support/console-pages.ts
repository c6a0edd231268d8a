import { type Page } from 'playwright-core';
import { type ConsoleUnderTest } from './console.js';
import { until } from './product.js';

/** Every page for a signed-in person; `addressesOf` fills in ids of the demo shop. */
export const PAGES = [
  '/',
  '/incidents',
  '/incident/:incident',
  '/anomalies',
  '/anomaly/:anomaly',
  '/metrics',
  '/metric/shop.orders',
  '/teach',
  '/teach?tab=unknown&severity=none&order=none&page=-1',
  '/teach?tab=patterns',
  '/teach?tab=tunings',
  '/teach?tab=noisy',
  '/pattern/:pattern',
  '/match/:match',
  '/tuning/new?metric=shop.orders',
  '/alerts',
  '/alerts/deliveries?w=30d',
  '/alerts/deliveries?state=failed&page=-1',
  '/alerts/events?w=30d',
  '/alerts/exclusions',
  '/alerts/recipients',
  '/alerts/admin',
  '/watchers/new',
  '/watchers/:watcher',
  '/watchers/:watcher/edit',
  '/benchmark',
  '/benchmark/:benchmark',
  '/start',
  '/setup/tokens',
  '/setup/tokens/new',
  '/setup/sources',
  '/setup/sources/new',
  '/setup/sources/:source',
  '/setup/people',
  '/setup/people?state=disabled',
  '/setup/account',
  '/setup/integrations',
  '/setup/integrations/chat',
  '/setup/integrations/webhook',
  '/setup/organisation',
  '/setup/organisation?remove=%5B%22shop%22%5D',
  '/setup/billing',
  '/setup/audit',
  '/setup/configuration',
  '/setup/removal?metric=shop.orders',
  '/setup/status',
] as const;

interface Taught {
  pattern: number;
  /** 0 without a match: the page then says that there is no such match. */
  match: number;
}

/**
 * The pattern of the demo shop and its last match. At some hours of the day the detector does not find a whole night of
 * the job that the demo has as a pattern; then this function trains an anomaly.
 */
async function taughtIn({ product }: ConsoleUnderTest, token: string): Promise<Taught> {
  const { metrics } = (await product.api('/metrics/mostrecentlymatched', token)) as {
    metrics: { match: { id: number; pattern_id: number } }[];
  };
  if (metrics[0]) return { pattern: metrics[0].match.pattern_id, match: metrics[0].match.id };
  const from = Math.floor(Date.now() / 1000) - 10 * 86_400;
  const list = `/anomalies?trainable=true&order=oldest&limit=1&from=${String(from)}`;
  // The list of trainable anomalies depends on the permissions of the caller.
  const teacher = await product.createToken(['read', 'write']);
  const { anomalies } = (await product.api(list, teacher)) as { anomalies: { id: number }[] };
  const id = anomalies[0]!.id;
  await fetch(`${product.url}/api/anomaly/train`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Auth-Token': teacher },
    body: JSON.stringify({ anomaly_id: id, expected: true, label: 'taught by a test' }),
  });
  const pattern = await until('the pattern of what was taught', async () => {
    const { anomaly } = (await product.api(`/anomaly/${String(id)}`, token)) as {
      anomaly: { patterns: { id: number }[] };
    };
    return anomaly.patterns[0]?.id;
  });
  return { pattern, match: 0 };
}

/** A finished benchmark of a series with two models and a label. */
export async function benchmarkIn({ product }: ConsoleUnderTest): Promise<string> {
  const end = Math.floor(Date.now() / 60_000) * 60;
  const timeseries = Array.from({ length: 400 }, (_, row) => {
    const isOdd = row >= 300 && row < 310;
    return [end - (400 - row) * 60, 50 + 10 * Math.sin(row / 20) + (row % 7) / 10 + (isOdd ? 100 : 0)];
  });
  const answer = await fetch(`${product.url}/api/benchmark/start`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      timeseries,
      name: 'a series of a test',
      models: ['plumbline', 'robust_deviation'],
      labels: [[end - 100 * 60, end - 90 * 60]],
    }),
  });
  const { data } = (await answer.json()) as { data: { benchmark_id: string } };
  return until('the benchmark', async () => {
    const status = await fetch(`${product.url}/api/benchmark/status?benchmark_id=${data.benchmark_id}`);
    const { benchmark } = ((await status.json()) as { data: { benchmark: { status: string } } }).data;
    return benchmark.status === 'finished' ? data.benchmark_id : undefined;
  });
}

/** A disabled source. */
async function sourceIn({ product }: ConsoleUnderTest): Promise<number> {
  const { source } = await product.call<{ source: { id: number } }>(
    'POST',
    '/source',
    await product.createToken(['admin']),
    { name: 'requests', type: 'promql', url: 'http://127.0.0.1:9090', query: 'up', enabled: false },
  );
  return source.id;
}

/** Returns a function that fills the ids of records of the demo shop into addresses of pages. */
export async function addressesOf(console: ConsoleUnderTest): Promise<(page: string) => string> {
  const token = await console.product.createToken(['read']);
  const { anomalies } = (await console.product.api('/anomalies?limit=1', token)) as { anomalies: { id: number }[] };
  const { incidents } = (await console.product.api('/incidents?limit=1', token)) as { incidents: { id: number }[] };
  const { watchers } = (await console.product.api('/watchers/list?limit=1', token)) as { watchers: { id: number }[] };
  const ids: Record<string, number | string> = {
    anomaly: anomalies[0]!.id,
    incident: incidents[0]!.id,
    watcher: watchers[0]!.id,
    benchmark: await benchmarkIn(console),
    source: await sourceIn(console),
    ...(await taughtIn(console, token)),
  };
  return (page) => page.replace(/:(\w+)/, (_, name: string) => String(ids[name]));
}

/** An address as a file name. */
export const fileNameOf = (page: string): string => page.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'now';

/** Path and search of a page. */
export const addressIn = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};
