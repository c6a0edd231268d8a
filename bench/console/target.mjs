/** The measured product: one that is started here with a known load, or one that is already running. */
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { metricName } from '../ingest/bodies.mjs';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startProduct } from '../ingest/product.mjs';
import { until } from '../ingest/until.mjs';

const BODY_METRICS = 5000;

/** The built product with the demo shop: 16 metrics with ten days of history. */
export async function startTarget() {
  await buildIfStale({ withConsole: true });
  const product = await startProduct({ env: { PLUMBLINE_DEMO: 'on' } });
  try {
    await until('the demo shop', () => (product.output().includes('Demo: ready') ? true : undefined), {
      timeoutMs: 600_000,
    });
  } catch (error) {
    await product.dispose();
    throw error;
  }
  return { url: product.url, email: ADMIN_EMAIL, password: ADMIN_PASSWORD, dispose: () => product.dispose() };
}

/** A session of the account, as its cookie. */
export async function logIn({ url, email, password }) {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`The login was answered with ${answer.status}`);
  const { data } = await answer.json();
  return data.session.id;
}

/** Creates this many metrics with one point each, and waits until a search finds them. */
export async function sendMetrics({ url }, session, count) {
  const token = await createToken(url, session);
  const began = performance.now();
  for (let first = 0; first < count; first += BODY_METRICS) {
    const metrics = Array.from({ length: Math.min(BODY_METRICS, count - first) }, (_, i) => ({
      metric: metricName(first + i),
      value: (first + i) % 97,
    }));
    const answer = await fetch(`${url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token },
      body: JSON.stringify({ metrics }),
    });
    if (!answer.ok) throw new Error(`/ingest/metrics answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  const seconds = (performance.now() - began) / 1000;
  await until(
    `${count} metrics to be found`,
    async () => {
      const answer = await fetch(`${url}/api/metrics?limit=1`, { headers: { 'X-Session-Id': session } });
      return (await answer.json()).data.total >= count ? true : undefined;
    },
    { timeoutMs: 600_000, everyMs: 1000 },
  );
  return seconds;
}

async function createToken(url, session) {
  const answer = await fetch(`${url}/api/org/tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Session-Id': session },
    body: JSON.stringify({ name: 'bench', permissions: ['ingest'] }),
  });
  if (!answer.ok) throw new Error(`No token was made: ${await answer.text()}`);
  return (await answer.json()).data.token.id;
}
