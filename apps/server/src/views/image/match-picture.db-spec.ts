import { Permission } from '#libs/contracts';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { bareShape, storePattern } from '../../../../../test/support/patterns.js';
import { ImageModule } from './image.module.js';

const MINUTE = 60;
const SLOTS = 30;

let app: MetricApp;
let orgId: number;
let token: string;
let metricId: number;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [ImageModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  token = await app.aToken(orgId, Permission.Read);
  metricId = await app.aMetric(orgId, 'backup.bytes');
});

const start = START - (START % MINUTE) - 6000;

/** Stores a match with a pattern of half an hour, a day earlier. A motif matches only a part of the pattern. */
async function aMatch(matchType: 'shape' | 'motif'): Promise<number> {
  const [index, slots] = matchType === 'motif' ? [10, 10] : [0, SLOTS];
  const timestamps = Array.from({ length: SLOTS }, (_, slot) => start + slot * MINUTE);
  await app.series.write({
    ids: new Uint32Array(SLOTS).fill(metricId),
    timestamps: Float64Array.from(timestamps),
    values: Float64Array.from(timestamps, (_, slot) => 100 + slot),
  });
  const values = timestamps.map((_, slot) => 90 + slot);
  const shape = bareShape(start - 86_400, values);
  const patternId = await storePattern(app, { orgId, metricId, label: 'nightly backup', shape });
  const [match] = await app.database.dataSource.query<{ id: number }[]>(
    `INSERT INTO pattern_match (org_id, metric_id, pattern_id, start_timestamp, match_type, similarity, distance, shape_index,
       window_start, window_slots, area_percent, explanation, event)
     VALUES ($1, $2, $3, $4, $5, 0.97, 1, $6, $4, $7, 0, '', '{"score": 0.8}') RETURNING id`,
    [orgId, metricId, patternId, start + index * MINUTE, matchType, index, slots],
  );
  return match!.id;
}

const get = (path: string, credential = token) => app.http().get(`/api/match/${path}`).set('X-Auth-Token', credential);

describe('GET /metric/{metric_name}/graph', () => {
  it('marks matches in numbers and picture, unless they are hidden', async () => {
    const id = await aMatch('shape');
    const graph = (parameters: string) =>
      app.http().get(`/api/metric/backup.bytes/graph?${parameters}`).set('X-Auth-Token', token).buffer();
    const numbers = (await graph('format=json')).body.data;
    expect(numbers.matches).toEqual([
      expect.objectContaining({ id, pattern_label: 'nightly backup', timestamp: start, metric_id: metricId }),
    ]);
    expect((await graph('format=json&display_matches=false')).body.data.matches).toEqual([]);
    expect((await graph(`format=json&from=${String(start + 1)}`)).body.data.matches).toEqual([]);

    expect(String((await graph('format=svg')).body)).toContain('>nightly backup<');
    expect(String((await graph('format=svg&display_matches=false')).body)).not.toContain('nightly backup');
  });
});

describe('GET /match/{match_id}/graph', () => {
  it('shows the matched window over the whole pattern, as numbers, page and picture', async () => {
    const id = await aMatch('shape');
    const { status, body } = await get(`${String(id)}/graph?format=json&width=300`);
    expect(status).toBe(200);
    const { data } = body;
    expect(data).toMatchObject({ match: { id }, pattern: { label: 'nightly backup' }, shift_seconds: 86_400 });
    expect(data.timeseries[0]).toEqual([start, 100]);
    expect(data.pattern_timeseries).toHaveLength(SLOTS);
    expect(data.pattern_timeseries[0]).toEqual([start - 86_400, 90]);
    expect(data.display).toMatchObject({ width: 300, height: 320 });

    const page = await get(`${String(id)}/graph`);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('pattern: nightly backup');
    const picture = await get(`${String(id)}/graph?format=svg&theme=dark&width=300`).buffer();
    expect(String(picture.body)).toContain('backup.bytes');
    const png = await get(`${String(id)}/graph?format=png`);
    expect((png.body as Buffer).subarray(1, 4).toString()).toBe('PNG');
  });

  it('shows a motif over its part of the pattern on /motif/graph, which returns 404 for a shape', async () => {
    const id = await aMatch('motif');
    const part = (await get(`${String(id)}/motif/graph?format=json`)).body.data;
    expect(part.timeseries).toHaveLength(10);
    expect(part.pattern_timeseries).toHaveLength(10);
    expect(part.pattern_timeseries[0]).toEqual([start - 86_400 + 600, 100]);
    const whole = (await get(`${String(id)}/graph?format=json`)).body.data;
    expect(whole.timeseries).toHaveLength(10);
    expect(whole.pattern_timeseries).toHaveLength(SLOTS);
    expect((await get(`${String(await aMatch('shape'))}/motif/graph`)).status).toBe(404);
  });

  it('is linked from the match, and requires access to its organisation', async () => {
    const id = await aMatch('shape');
    const { match } = (await get(String(id))).body.data;
    expect(match.graph_url).toContain(`/match/${String(id)}/graph`);
    const stranger = await app.aToken((await app.anOrg()).id, Permission.Read);
    expect((await get(`${String(id)}/graph`, stranger)).status).toBe(404);
    expect((await app.http().get(`/api/match/${String(id)}/graph`)).status).toBe(401);
  });
});
