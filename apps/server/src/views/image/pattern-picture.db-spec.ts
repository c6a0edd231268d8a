import { Permission } from '#libs/contracts';
import { cutShape, LEAD_SLOTS, stretchOf, TAIL_SLOTS } from '#libs/patterns';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { storePattern } from '../../../../../test/support/patterns.js';
import { Links } from '../../common/http/links.js';
import { ImageModule } from './image.module.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** A job of half an hour, two hours ago, 50 above a level of 100. */
const JOB = { start: START - (START % MINUTE) - 2 * HOUR, slots: 30, level: 100, height: 50 };

let app: MetricApp;
let orgId: number;
let token: string;
let id: number;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [ImageModule]);
  orgId = (await app.anOrg({ timezone: 'Europe/Oslo' })).id;
  token = await app.aToken(orgId, Permission.Read);
  const metricId = await app.aMetric(orgId, 'backup.bytes');
  await app.database.dataSource.query(`UPDATE metric SET unit = 'MB' WHERE id = $1`, [metricId]);
  const points = Array.from({ length: DAY / MINUTE }, (_, slot): [number, number] => {
    const timestamp = JOB.start - DAY + 2 * HOUR + slot * MINUTE;
    const isJob = timestamp >= JOB.start && timestamp < JOB.start + JOB.slots * MINUTE;
    return [timestamp, JOB.level + (slot % 2) + (isJob ? JOB.height : 0)];
  });
  const fine = stretchOf(points, JOB.start - 2 * HOUR, JOB.start + 2 * HOUR, MINUTE);
  const context = stretchOf(points, JOB.start - DAY, JOB.start, 600);
  const end = JOB.start + (JOB.slots - 1) * MINUTE;
  const shape = cutShape(DAY, { start: JOB.start, end }, { fine, context });
  id = await storePattern(app, { orgId, metricId, shape, label: 'nightly backup' });
});
afterAll(() => app.close());

const get = (query = '', credential = token) =>
  app
    .http()
    .get(`/api/pattern/${String(id)}/graph${query}`)
    .set('X-Auth-Token', credential);

describe('GET /pattern/{pattern_id}/graph', () => {
  it('returns the shape with its level, spread and part as numbers', async () => {
    const { status, body } = await get('?format=json&width=300');
    expect(status).toBe(200);
    const { data } = body;
    expect(data).toMatchObject({
      pattern: { id, label: 'nightly backup' },
      part: { from: JOB.start, until: JOB.start + JOB.slots * MINUTE },
      // The window starts one length of the part earlier.
      from: JOB.start - JOB.slots * MINUTE,
      until: JOB.start + (JOB.slots + TAIL_SLOTS) * MINUTE,
      resolution_seconds: MINUTE,
      display: { width: 300, height: 320 },
    });
    expect(Math.abs(data.level - JOB.level)).toBeLessThanOrEqual(1);
    // A twentieth of the square of the height, plus the noise.
    expect(data.spread).toBeGreaterThan(Math.sqrt(0.05) * JOB.height);
    expect(data.spread).toBeLessThan(JOB.height / 2);
    expect(data.timeseries).toHaveLength(2 * JOB.slots + TAIL_SLOTS);
    expect(data.timeseries.at(-TAIL_SLOTS - 1)[1]).toBeGreaterThanOrEqual(JOB.level + JOB.height);
  });

  it('starts at the requested time', async () => {
    const { data } = (await get(`?format=json&from=${String(JOB.start - DAY)}`)).body;
    expect(data.from).toBe(JOB.start - DAY);
    expect(data.timeseries[0][0]).toBeLessThan(JOB.start - LEAD_SLOTS * MINUTE - HOUR);
    expect((await get(`?from=${String(JOB.start)}&until=${String(JOB.start - 1)}`)).status).toBe(400);
  });

  it('returns a page and pictures in both themes, with unit, zone and legend', async () => {
    const page = await get('?theme=auto');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('nightly backup: backup.bytes');
    for (const theme of ['light', 'dark']) {
      const svg = String((await get(`?format=svg&theme=${theme}&width=800`).buffer()).body);
      for (const text of ['MB', 'Europe/Oslo', 'counts as alike', 'level', 'shape', 'expected']) {
        expect(svg).toContain(text);
      }
    }
    const png = await get('?format=png&width=300');
    expect((png.body as Buffer).readUInt32BE(16)).toBe(300);
  });

  it('accepts a signed address, and hides the pattern from other organisations', async () => {
    const { data } = await app.call('get', `/pattern/${String(id)}`, { token });
    expect(data.pattern_graph_url).toMatch(new RegExp(`/api/pattern/${String(id)}/graph$`));
    const address = new URL(app.get(Links).signed(orgId, `/pattern/${String(id)}/graph`, { format: 'png' }));
    expect((await app.http().get(address.pathname + address.search)).status).toBe(200);
    expect((await app.http().get(`/api/pattern/${String(id)}/graph`)).status).toBe(401);
    const stranger = await app.aToken((await app.anOrg()).id, Permission.Read);
    expect((await get('', stranger)).status).toBe(404);
  });
});
