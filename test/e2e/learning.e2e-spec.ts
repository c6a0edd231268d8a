import { type Product, startProduct, until } from '../support/product.js';
import { DAY, HOUR, MINUTE, QuietSeries } from '../support/nightly.js';

const JOB = { at: 2 * HOUR, length: 30 * MINUTE, height: 50 };
const JOB_METRIC = 'db-1.backup.bytes';
/** Metrics that fail on the twelfth day, one minute apart. */
const FAILING = ['db-1.disk.latency', 'db-1.query.time', 'db-1.error.count'];
const NOISY = 'web-7.queue.length';

/** A complete use of the API by one person, from raw data to a quiet system. */
describe('teaching the product what is normal', () => {
  let product: Product;
  let series: QuietSeries;
  const midnight = Math.floor(Date.now() / 1000 / DAY) * DAY - 14 * DAY;

  beforeAll(async () => {
    product = await startProduct();
    const token = await product.createToken(['read', 'write', 'ingest', 'alert']);
    series = new QuietSeries(product, token, midnight);
  }, 120_000);

  afterAll(() => product.dispose());

  it('a trained nightly job is a match on later nights', async () => {
    const nights = series.everyDay(7, 13, JOB);
    await series.send(JOB_METRIC, { first: 0, days: 8, extras: nights });
    const [anomaly] = await series.anomaliesOn(JOB_METRIC, 7);
    expect(anomaly).toMatchObject({ timestamp: midnight + 7 * DAY + JOB.at });
    const { preview } = await series.call('POST', '/anomaly/train', { anomaly_id: anomaly.id, dry_run: true });
    // A missing job is not reported after a single occurrence.
    expect(preview.examples).toMatchObject([
      { what: 'an hour later', would_open: true },
      { what: 'twice as high', would_open: true },
      { what: 'half as long', would_open: true },
      { what: 'missing' },
    ]);
    await series.call('POST', '/anomaly/train', { anomaly_id: anomaly.id, label: 'nightly backup' });
    const patterns = await until('the patterns to be built', async () => {
      const { patterns: built } = await series.call('GET', `/metric/${JOB_METRIC}/patterns`);
      return built.length === 2 ? (built as { id: number }[]) : undefined;
    });

    await series.send(JOB_METRIC, { first: 8, days: 6, extras: nights });

    const matches = await until('the matches', async () => {
      const found = await Promise.all(
        patterns.map(async ({ id }) => (await series.call('GET', `/pattern/${String(id)}/matches`)).matches),
      );
      return found.flat().length > 0 ? found.flat() : undefined;
    });
    expect(matches.at(-1)).toMatchObject({ timestamp: midnight + 8 * DAY + JOB.at, pattern_label: 'nightly backup' });
    for (let day = 8; day < 14; day++) expect([day, await series.anomaliesOn(JOB_METRIC, day)]).toEqual([day, []]);
    for (const { graph_url: url } of matches) await seePicture(`${url}?format=png`);
    for (const { id } of patterns) await seePicture(`/pattern/${String(id)}/graph?format=png`);
  }, 240_000);

  it('anomalies that start together form one incident with an origin and an explanation', async () => {
    for (const [i, metric] of FAILING.entries()) {
      const from = midnight + 12 * DAY + 14 * HOUR + i * MINUTE;
      await series.send(metric, { first: 0, days: 14, extras: [{ from, until: from + 30 * MINUTE, height: 80 }] });
    }
    const found = await Promise.all(FAILING.map((metric) => series.anomaliesOn(metric, 12)));
    const ids = found.map(([anomaly]) => anomaly.incident_id as number | null);
    const [id] = await until('the incident', async () => {
      const fresh = await Promise.all(
        FAILING.map(async (metric) => (await series.anomaliesOn(metric, 12))[0].incident_id),
      );
      return fresh.every((one) => one !== null && one === fresh[0]) ? (fresh as number[]) : undefined;
    });
    expect(ids).toHaveLength(3);
    const { incident, anomalies } = await series.call('GET', `/incidents/${String(id)}`);
    expect(anomalies.map(({ metric }: { metric: string }) => metric).sort()).toEqual([...FAILING].sort());
    expect(incident.title).toMatch(/^3 metrics of db-1 .*, first: db-1.disk.latency$/);
    const first = found[0]![0];
    const sentence = await until('the account', async () => {
      const { anomaly } = await series.call('GET', `/anomaly/${String(first.id)}`);
      const texts = anomaly.explanation.map(({ text }: { text: string }) => text).join(' ');
      return texts.includes('would not have opened') ? (texts as string) : undefined;
    });
    expect(sentence).toMatch(/would not have opened (below|if it had lasted less than|above)/);
    await seePicture(`/image/anomaly?anomaly_id=${String(first.id)}`);
    await seePicture(`/image/metric?metric=${FAILING[0]!}&width=2000&height=600&theme=dark`);
    await seePicture(`/image/metric?metric=${FAILING[0]!}&width=300&height=120`);
    for (const theme of ['light', 'dark']) await seePicture(`/incidents/${String(id)}/graph?format=png&theme=${theme}`);
  }, 240_000);

  it('a tuning has the effect that its preview showed', async () => {
    const spikes = [8, 9, 10, 11, 12, 13].map((day) => {
      const from = midnight + day * DAY + ((day * 5) % 24) * HOUR;
      return { from, until: from + 12 * MINUTE, height: 60 };
    });
    await series.send(NOISY, { first: 0, days: 13, extras: spikes });
    const window = { from: midnight + DAY, until: midnight + 13 * DAY };
    const wanted = { chips: NOISY, minimum_size: 500 };
    const { before, after } = await series.call('POST', '/tuning/preview', { ...wanted, ...window });
    expect(before.anomalies_count).toBeGreaterThan(0);
    expect(after.anomalies_count).toBe(0);

    await series.call('POST', '/tuning', { ...wanted, name: 'only what is large' });

    const now = await until(
      'the tuning to be in force',
      async () => {
        const found = await series.call('POST', '/tuning/preview', { ...wanted, ...window });
        return found.before.anomalies_count === 0 ? found : undefined;
      },
      { timeoutMs: 120_000, everyMs: 2000 },
    );
    expect(now.before).toEqual(after);
  }, 240_000);

  it('a benchmark compares other models on the same series', async () => {
    const { benchmark_id: id } = await series.call('POST', '/benchmark/start', {
      metric: FAILING[0],
      from: midnight,
      until: midnight + 14 * DAY - 1,
      labels: [[midnight + 12 * DAY + 14 * HOUR, midnight + 12 * DAY + 14.5 * HOUR]],
    });
    const done = await until(
      'the benchmark',
      async () => {
        const { benchmark } = await series.call('GET', `/benchmark/status?benchmark_id=${String(id)}`);
        return benchmark.status === 'finished' ? benchmark : undefined;
      },
      { timeoutMs: 180_000 },
    );
    expect(done.models.length).toBeGreaterThan(1);
    await seePicture(`/benchmark/chart?benchmark_id=${String(id)}&format=png`);
  }, 240_000);

  async function seePicture(address: string): Promise<void> {
    const url = address.startsWith('http') ? address : `${product.url}/api${address}`;
    const answer = await fetch(url, { headers: { 'X-Auth-Token': series.token } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([url, answer.status, answer.headers.get('content-type')]).toEqual([url, 200, 'image/png']);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.length).toBeGreaterThan(2000);
  }
});
