import { Permission } from '#libs/contracts';
import { AreaApp } from '../../../../../test/support/area-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { Links } from '../../common/http/links.js';
import { PointCountsService } from '../../data/point-count/point-counts.service.js';
import { TokenModule } from '../../people/token/token.module.js';
import { ImageModule } from './image.module.js';

const DAY = 86_400;

class GraphApp extends AreaApp {
  static async create(): Promise<GraphApp> {
    const clock = new HandClock();
    return new GraphApp(await this.start([ImageModule, TokenModule], { clock }), clock);
  }
}

let app: GraphApp;
beforeAll(async () => {
  app = await GraphApp.create();
});
afterAll(() => app.close());
beforeEach(() => {
  app.clock.seconds = START;
});

async function anAnomaly(orgId: number, start: number): Promise<void> {
  await app.database.dataSource.query(
    `WITH m AS (
       INSERT INTO metric (org_id, name, name_hash, display_name, type, aggregation, source, created_at)
       VALUES ($1, $2::text, decode(md5($2::text), 'hex'), $2, 'gauge', 'last', 'http', to_timestamp($3::float8)) RETURNING id)
     INSERT INTO anomaly (org_id, metric_id, start_timestamp, peak_timestamp, score, severity, kind, state)
     SELECT $1, id, $3, $3, 0.8, 60, 'spike', 'open' FROM m`,
    [orgId, `metric ${String(start)}`, start],
  );
}

async function graph(orgId: number, query: string) {
  const token = await app.aToken(orgId, Permission.Read);
  return app.http().get(`/api/org/graph?${query}`).set('X-Auth-Token', token);
}

const totals = (series: { name: string; points: [number, number][] }[]) =>
  Object.fromEntries(series.map(({ name, points }) => [name, points.reduce((sum, [, count]) => sum + count, 0)]));

describe('GET /org/graph', () => {
  it('counts anomalies, points and metrics per interval of the window', async () => {
    const [org, other] = [await app.anOrg(), await app.anOrg()];
    for (const seconds of [100, 90, 20_000, 3 * DAY]) await anAnomaly(org.id, START - seconds);
    await anAnomaly(other.id, START - 50);
    app.get(PointCountsService).record(org.id, 1234);
    app.get(PointCountsService).record(other.id, 1);
    await app.get(PointCountsService).flush();

    const { status, body } = await graph(org.id, 'format=json&series=anomalies,matches,alerts,points,metrics');
    expect(status).toBe(200);
    const { series, ...window } = body.data;
    expect(window).toEqual({ from: START - DAY, until: START, bucket_seconds: 600 });
    expect(totals(series)).toMatchObject({ anomalies: 3, matches: 0, alerts: 0, points: 1234 });
    for (const { points } of series) {
      expect(points.length).toBeGreaterThanOrEqual(144);
      expect(points[0][0]).toBeLessThanOrEqual(START - DAY);
      expect(points[0][0] % 600).toBe(0);
    }
    const metrics = series.find(({ name }: { name: string }) => name === 'metrics').points;
    expect([metrics[0][1], metrics[metrics.length - 1][1]]).toEqual([1, 4]);
  });

  it('uses longer intervals for longer windows', async () => {
    const { id } = await app.anOrg();
    const lengthOf = async (days: number) =>
      (await graph(id, `format=json&from=${String(START - days * DAY)}`)).body.data.bucket_seconds;
    expect(await lengthOf(0.1)).toBe(300);
    expect(await lengthOf(7)).toBe(7200);
    expect(await lengthOf(365)).toBe(7 * DAY);
    const old = `format=json&from=${String(START - 20 * DAY)}&until=${String(START - 20 * DAY + 3600)}`;
    expect((await graph(id, old)).body.data.bucket_seconds).toBe(3600);
  });

  it('returns a page, an SVG or a PNG with a legend for every line', async () => {
    const org = await app.anOrg({ name: 'Ann & <Sons>' });
    await anAnomaly(org.id, START - 600);
    const page = await graph(org.id, '');
    expect(page.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(page.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(page.text).toContain('Ann &amp; &lt;Sons&gt;');
    const svg = (await graph(org.id, 'format=svg&series=anomalies,points,metrics&display_anomalies=false'))
      .body as Buffer;
    expect(svg.toString()).toMatch(/>points<.*>metrics</s);
    expect(svg.toString()).not.toContain('>anomalies<');
    const png = (await graph(org.id, 'format=png&width=640&height=200')).body as Buffer;
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([640, 200]);
  });

  it('accepts a signed address', async () => {
    const org = await app.anOrg();
    const url = new URL(app.get(Links).signed(org.id, '/org/graph', { format: 'json' }));
    expect((await app.http().get(url.pathname + url.search)).status).toBe(200);
    expect((await app.http().get(`${url.pathname}?format=json`)).status).toBe(401);
  });

  it.each([
    ['series=anomalies,weather', 'series not_one_of'],
    [`from=${String(START - 800 * DAY)}`, 'from window_too_long'],
  ])('rejects %s: %s', async (query, problem) => {
    const { body } = await graph((await app.anOrg()).id, query);
    expect(body.data.error.details.map(({ field, code }: Record<string, string>) => `${field} ${code}`)).toEqual([
      problem,
    ]);
  });
});
