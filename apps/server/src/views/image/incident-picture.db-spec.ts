import { Permission } from '#libs/contracts';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { IncidentGroupingModule } from '../../analysis/incident/incident-grouping.module.js';
import { IncidentGroupingService } from '../../analysis/incident/incident-grouping.service.js';
import { IncidentListModule } from '../../analysis/incident-list/incident-list.module.js';
import { Links } from '../../common/http/links.js';
import { ImageModule } from './image.module.js';

const MINUTE = 60;
const HOUR = 3600;
const BEGIN = START - (START % MINUTE) - HOUR;

let app: MetricApp;
let orgId: number;
let token: string;
let id: number;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [ImageModule, IncidentGroupingModule, IncidentListModule]);
  orgId = (await app.anOrg({ timezone: 'Europe/Oslo' })).id;
  token = await app.aToken(orgId, Permission.Read);
  // The disk is first; the others follow within two minutes.
  for (const [place, name] of ['queries', 'disk_latency', 'connections'].entries()) {
    const after = name === 'disk_latency' ? 0 : MINUTE + place * 30;
    const metricId = await app.aMetric(orgId, `${name}{instance="db-1"}`, { labels: { instance: 'db-1' } });
    await app.anAnomaly(orgId, metricId, BEGIN + after, BEGIN + after + 20 * MINUTE);
    const timestamps = Float64Array.from(
      { length: 180 },
      (_, slot) => START - (START % MINUTE) + (slot - 180) * MINUTE,
    );
    await app.series.write({
      ids: new Uint32Array(timestamps.length).fill(metricId),
      timestamps,
      values: timestamps.map((time) => (time % HOUR) * 10 ** place),
    });
  }
  for (;;) {
    await app.get(IncidentGroupingService).run();
    const [incident] = await app.database.dataSource.query<{ id: number }[]>(
      'SELECT id FROM incident WHERE org_id = $1 AND anomalies_count = 3',
      [orgId],
    );
    if (incident === undefined) continue;
    id = incident.id;
    break;
  }
});
afterAll(() => app.close());

const get = (query = '', credential = token) =>
  app
    .http()
    .get(`/api/incidents/${String(id)}/graph${query}`)
    .set('X-Auth-Token', credential);

describe('GET /incidents/{incident_id}/graph', () => {
  it('returns the metrics with their numbers and anomalies, the likeliest origin first', async () => {
    const { status, body } = await get('?format=json');
    expect(status).toBe(200);
    const { data } = body;
    expect(data).toMatchObject({ incident: { id }, more: 0 });
    expect(data.metrics.map(({ metric }: { metric: { display_name: string } }) => metric.display_name)).toEqual([
      'disk_latency',
      'queries',
      'connections',
    ]);
    expect(data.metrics[0]).toMatchObject({ rank: 1, anomalies: [{ timestamp: BEGIN, kind: 'spike' }] });
    expect(data.metrics[0].timeseries.points.length).toBeGreaterThan(60);
    // The window starts an hour earlier, since the incident is shorter than an hour.
    expect(data.from).toBe(BEGIN - HOUR);
    expect(data.until).toBeGreaterThan(BEGIN + 20 * MINUTE);
    expect(data.until).toBeLessThanOrEqual(START);
  });

  it('shows the requested window, and the number of metrics that do not fit', async () => {
    const { data } = (await get(`?format=json&from=${String(BEGIN)}&until=${String(BEGIN + 600)}&height=150`)).body;
    expect(data).toMatchObject({ from: BEGIN, until: BEGIN + 600, more: 2 });
    expect(data.metrics).toHaveLength(1);
    const svg = String((await get('?format=svg&height=150').buffer()).body);
    expect(svg).toContain('and 2 more');
  });

  it('returns a page and pictures in both themes, as high as the metrics need', async () => {
    const page = await get('?theme=auto');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('<div class="dark">');
    for (const theme of ['light', 'dark']) {
      const svg = String((await get(`?format=svg&theme=${theme}`).buffer()).body);
      for (const text of ['first: disk_latency', 'queries', 'Europe/Oslo']) expect(svg).toContain(text);
    }
    const png = await get('?format=png&width=300');
    expect((png.body as Buffer).readUInt32BE(16)).toBe(300);
    expect((png.body as Buffer).readUInt32BE(20)).toBeGreaterThan(300);
    expect((await get('?format=png&width=4000&height=2000')).status).toBe(400);
  });

  it('accepts a signed address, and hides the incident from other organisations', async () => {
    const { data } = await app.call('get', `/incidents/${String(id)}`, { token });
    expect(data.incident_graph_url).toMatch(new RegExp(`/api/incidents/${String(id)}/graph$`));
    const address = new URL(app.get(Links).signed(orgId, `/incidents/${String(id)}/graph`, { format: 'png' }));
    expect((await app.http().get(address.pathname + address.search)).status).toBe(200);
    expect((await app.http().get(`/api/incidents/${String(id)}/graph`)).status).toBe(401);
    const stranger = await app.aToken((await app.anOrg()).id, Permission.Read);
    expect((await get('', stranger)).status).toBe(404);
  });
});
