import { demoSeries } from '#libs/synthetic';
import { type Product, startProduct, until } from '../support/product.js';

interface AnomalyRow {
  metric: string;
  kind: string;
  timestamp: number;
  until_timestamp: number | null;
}

const HISTORY_SECONDS = 10 * 86_400;
/** A detection counts for an incident if it overlaps the incident or starts up to ten minutes after it. */
const AFTERMATH_SECONDS = 600;

describe('the first start with a demo', () => {
  let product: Product;
  let token: string;

  beforeAll(async () => {
    product = await startProduct({ PLUMBLINE_WARM_UP: 'on', PLUMBLINE_DEMO: 'on', PLUMBLINE_DEMO_VISITS: 'on' });
    token = await product.createToken(['read']);
  }, 120_000);

  afterAll(() => product.dispose());

  it('prints the tokens once, and never the configured password', async () => {
    expect(product.output()).toMatch(/Read token +pl_[\w-]/);
    expect(product.output()).not.toContain('correct horse battery staple');
    await product.stop();
    const printed = product.output().length;
    await product.restart();
    expect(product.output().slice(printed)).not.toContain('pl_');
  }, 120_000);

  it('is ready after the threads for drawing and replays are warm', async () => {
    const { status, checks } = (await product.readiness())!;
    expect(status).toBe(200);
    expect(checks).toContainEqual(expect.objectContaining({ name: 'warm-up', ok: true }));
  });

  it('shows the anomalies of ten days of history within two minutes', async () => {
    await until('the history to be learnt', async () => (product.output().includes('Demo: ready') ? true : undefined), {
      timeoutMs: 120_000,
    });
    const now = Math.floor(Date.now() / 1000);
    const from = now - HISTORY_SECONDS;
    const found = (await product.api(`/anomalies?from=${String(from)}&limit=1000`, token)) as {
      anomalies: AnomalyRow[];
    };
    expect(new Set(found.anomalies.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(5);

    // The labels list the generated incidents. The age of the oldest demo metric reveals the epoch of the server.
    const metrics = (await product.api('/metrics?limit=1000', token)) as {
      metrics: { name: string; created_timestamp: number }[];
    };
    const epoch = Math.floor(Math.min(...metrics.metrics.map((metric) => metric.created_timestamp)) / 60) * 60;
    const incidents = demoSeries({ epoch }).flatMap((series) =>
      series
        .incidents(from + 3 * 86_400, now - AFTERMATH_SECONDS)
        .map((incident) => ({ ...incident, metric: series.name })),
    );
    const missed = incidents.filter(
      (incident) =>
        !found.anomalies.some(
          (anomaly) =>
            anomaly.metric === incident.metric &&
            anomaly.timestamp < incident.until + AFTERMATH_SECONDS &&
            (anomaly.until_timestamp ?? Infinity) >= incident.from,
        ),
    );
    expect(metrics.metrics.length).toBeGreaterThanOrEqual(12);
    expect(incidents.length).toBeGreaterThanOrEqual(8);
    // Other tests check the detection of each kind. This one checks that the pipeline loses no findings.
    expect(missed.length).toBeLessThanOrEqual(Math.floor(incidents.length / 4));
  }, 180_000);

  it('shows visitors separate organisations, with the generated incidents as events', async () => {
    await until(
      'both demos for visitors to be learnt',
      async () => ((product.output().match(/Demo for visitors .*: ready/g) ?? []).length >= 2 ? true : undefined),
      { timeoutMs: 180_000 },
    );
    const post = async (path: string, body: object, session = ''): Promise<{ data: Record<string, unknown> }> => {
      const headers = { 'Content-Type': 'application/json', ...(session === '' ? {} : { 'X-Session-Id': session }) };
      const answer = await fetch(`${product.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as { data: Record<string, unknown> };
    };
    const orgs = (await post('/signup/demo-orgs', {})).data.orgs as { id: number; metrics_count: number }[];
    expect(orgs.map(({ metrics_count: count }) => count > 12)).toEqual([true, true]);
    const from = Math.floor(Date.now() / 1000) - HISTORY_SECONDS;
    for (const { id } of orgs) {
      const { session } = (await post('/signup/demo', { demo_org_id: id })).data as { session: { id: string } };
      const found = (await post('/anomalies', { from, limit: 1000 }, session.id)).data.anomalies as AnomalyRow[];
      expect(new Set(found.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(5);
      const labels = (await post('/org/events', { from, type: 'custom' }, session.id)).data;
      expect(labels.total).toBeGreaterThanOrEqual(15);
    }
  }, 240_000);

  it('continues with live points', async () => {
    const newest = async () =>
      ((await product.api('/metrics?limit=1000', token)) as { metrics: { last_timestamp: number }[] }).metrics
        .map((metric) => metric.last_timestamp)
        .sort((a, b) => a - b)
        .at(-1)!;
    const before = await newest();
    await until('a newer point', async () => ((await newest()) > before ? true : undefined), {
      timeoutMs: 150_000,
      everyMs: 1000,
    });
  }, 180_000);
});
