import { Permission } from '#libs/contracts';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { bareShape, storePattern } from '../../../../../test/support/patterns.js';
import { type PatternOrigin } from '../../analysis/pattern/pattern.types.js';
import { MatchModule } from './match.module.js';

const HOUR = 3600;

let app: MetricApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [MatchModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Write);
});

const query = <T>(sql: string, values: unknown[]): Promise<T[]> => app.database.dataSource.query<T[]>(sql, values);
const get = async (path: string) => (await app.call('get', path, { token })).data;

/** Creates a pattern with an empty shape. */
async function aPattern(
  metricId: number,
  members: { parentId?: number; shadow?: boolean; origin?: PatternOrigin } = {},
): Promise<number> {
  const { parentId = null, shadow = false, origin = 'trained' } = members;
  const shape = bareShape(START - 48 * HOUR);
  return storePattern(app, { orgId, metricId, parentId, rootId: parentId, origin, shadow, shape });
}

async function aMatch(metricId: number, patternId: number, start: number, similarity = 0.97): Promise<number> {
  const event = {
    ...{ type: 'closed', seriesId: metricId, startTimestamp: start, endTimestamp: start + 600, peakTimestamp: start },
    ...{ backfill: false, value: 150, peakValue: 150, expected: 100, lower: 90, upper: 110, score: 0.9, severity: 60 },
    ...{ kind: 'spike', explanation: [], closeReason: 'recovered' },
  };
  const [match] = await query<{ id: number }>(
    `INSERT INTO pattern_match (org_id, metric_id, pattern_id, start_timestamp, match_type, similarity, distance, shape_index,
       window_start, window_slots, area_percent, explanation, event)
     VALUES ($1, $2, $3, $4, 'shape', $5, 1, 0, $4, 1, 0, '', $6) RETURNING id`,
    [orgId, metricId, patternId, start, similarity, JSON.stringify(event)],
  );
  return match!.id;
}

const judge = (id: number, valid: boolean | null): Promise<Answer> =>
  app.call('post', `/match/${String(id)}/validate`, { token }, { valid });

const startsOf = async (id: number) =>
  (await query<{ starts: number[] }>('SELECT starts FROM pattern WHERE id = $1', [id]))[0]!.starts;
const isEnabled = async (ids: readonly number[]): Promise<boolean[]> =>
  (await query<{ enabled: boolean }>('SELECT enabled FROM pattern WHERE id = ANY($1) ORDER BY id', [ids])).map(
    ({ enabled }) => enabled,
  );

describe('a verdict on a match', () => {
  let metricId: number;
  let patternId: number;

  beforeEach(async () => {
    metricId = await app.aMetric(orgId, 'backup.bytes');
    patternId = await aPattern(metricId);
  });

  it('that rejects the match can be undone, which restores pattern, anomaly and match', async () => {
    const id = await aMatch(metricId, patternId, START - HOUR);
    const wrong = await judge(id, false);
    expect(wrong.data).toMatchObject({ match: { validated: false }, pattern: { invalid_matches: 1 } });
    const { status, data } = await judge(id, null);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      match: { validated: null, validated_by: null, validated_timestamp: null },
      pattern: { invalid_matches: 0, similarity_threshold: 0.95, enabled: true },
      message: 'OK',
    });
    expect(data).toMatchObject({ anomaly_id: null, match: { anomaly_id: null } });
    expect((await app.call('get', `/anomaly/${String(wrong.data.anomaly_id)}`, { token })).status).toBe(404);
    const texts = (await app.events(orgId)).map(([, , text]) => text);
    expect(texts).toContain('The verdict on the match of backup.bytes was undone.');
  });

  it('has an event with the metric and the user', async () => {
    const id = await aMatch(metricId, patternId, START - HOUR);
    const session = await app.aSession((await app.aUser(orgId, 'Ann')).id);
    await app.call('post', `/match/${String(id)}/validate`, { session }, { valid: true });
    const [event] = (await app.events(orgId)).filter(([type]) => type === 'match_validated');
    expect(event).toEqual(['match_validated', 'backup.bytes', 'The match of backup.bytes was marked right by Ann.']);
  });

  it('that confirms the match can be undone, which removes its time from the pattern', async () => {
    const id = await aMatch(metricId, patternId, START - HOUR);
    await judge(id, true);
    expect(await startsOf(patternId)).toContain(START - HOUR);
    expect((await judge(id, null)).data.match.validated).toBeNull();
    expect(await startsOf(patternId)).toEqual([START - 48 * HOUR]);
    await judge(id, true);
    await judge(id, false);
    expect(await startsOf(patternId)).toEqual([START - 48 * HOUR]);
  });

  /** Returns everything that a verdict can change. */
  async function everything(): Promise<unknown> {
    const tables = { pattern: 'id', pattern_match: 'id', anomaly: 'id' };
    const rows = await Promise.all(
      Object.entries(tables).map(([table, id]) =>
        query(`SELECT * FROM ${table} WHERE org_id = $1 ORDER BY ${id}`, [orgId]),
      ),
    );
    const { metric } = await get('/metric/backup.bytes');
    const { summary } = await get('/metric/backup.bytes/anomalysummary');
    return { rows, metric, summary };
  }

  it('that is changed and then undone leaves everything as before', async () => {
    const id = await aMatch(metricId, patternId, START - HOUR);
    const before = await everything();
    for (const verdict of [false, true]) await judge(id, verdict);
    const [{ state }] = (await query<{ state: string }>('SELECT state FROM anomaly WHERE org_id = $1', [orgId])) as [
      { state: string },
    ];
    expect(state).toBe('trained');
    await judge(id, null);
    expect(await everything()).toEqual(before);
    for (const verdict of [false, null]) await judge(id, verdict);
    expect((await everything()) as object).toMatchObject({ summary: { total: 0 } });
  });

  it('that is changed and then undone keeps an anomaly that existed before', async () => {
    const id = await aMatch(metricId, patternId, START - HOUR);
    const anomaly = await app.anAnomaly(orgId, metricId, START - HOUR, START - HOUR + 600);
    await query(`UPDATE anomaly SET state = 'trained', close_reason = 'trained' WHERE id = $1`, [anomaly]);
    await query('UPDATE pattern_match SET anomaly_id = $2 WHERE id = $1', [id, anomaly]);
    const before = await everything();
    for (const verdict of [false, true, null]) await judge(id, verdict);
    expect(await everything()).toEqual(before);
  });

  it('closes an anomaly as data_ended if the metric has been silent since', async () => {
    const reasons: unknown[] = [];
    for (const last of [START - HOUR + 600, START]) {
      const silent = await app.aMetric(orgId, `silent-${String(last)}`, { lastTimestamp: last });
      const id = await aMatch(silent, await aPattern(silent), START - HOUR);
      const anomaly = await app.anAnomaly(orgId, silent, START - HOUR, START - HOUR + 600);
      await query(`UPDATE anomaly SET state = 'trained', close_reason = 'trained' WHERE id = $1`, [anomaly]);
      await query(`UPDATE pattern_match SET anomaly_id = $2, event = event || '{"closeReason": null}' WHERE id = $1`, [
        id,
        anomaly,
      ]);
      await judge(id, false);
      reasons.push((await get(`/anomaly/${String(anomaly)}`)).anomaly.close_reason);
    }
    expect(reasons).toEqual(['data_ended', 'recovered']);
  });

  it('re-enables the pattern and descendants that it disabled, but no others', async () => {
    const child = await aPattern(metricId, { parentId: patternId, origin: 'learnt' });
    const other = await aPattern(metricId, { parentId: patternId, origin: 'learnt' });
    await query('UPDATE pattern SET enabled = false WHERE id = $1', [other]);
    const id = await aMatch(metricId, patternId, START - HOUR, 0.995);
    await judge(id, false);
    expect(await isEnabled([patternId, child, other])).toEqual([false, false, false]);
    await judge(id, null);
    expect(await isEnabled([patternId, child, other])).toEqual([true, true, false]);
  });

  it('keeps a pattern disabled while another wrong match requires this', async () => {
    const [one, other] = [
      await aMatch(metricId, patternId, START - HOUR, 0.995),
      await aMatch(metricId, patternId, START - 2 * HOUR, 0.993),
    ];
    await judge(one, false);
    await judge(other, false);
    await judge(one, null);
    expect(await isEnabled([patternId])).toEqual([false]);
    await judge(other, true);
    expect(await isEnabled([patternId])).toEqual([true]);
  });

  it('changes nothing when repeated, and is required in the request', async () => {
    const id = await aMatch(metricId, patternId, START - HOUR);
    expect((await judge(id, null)).data.match.validated).toBeNull();
    const before = (await app.events(orgId)).length;
    await judge(id, null);
    expect(await app.events(orgId)).toHaveLength(before);
    expect((await app.call('post', `/match/${String(id)}/validate`, { token }, {})).status).toBe(400);
  });
});

describe('GET /matches', () => {
  it('lists matches of all metrics by verdict, metric, pattern, chips and time, in pages', async () => {
    const [one, other] = [await app.aMetric(orgId, 'backup.bytes'), await app.aMetric(orgId, 'report.rows')];
    const [first, second] = [await aPattern(one), await aPattern(other)];
    const ids: number[] = [];
    for (let hour = 1; hour <= 3; hour++) {
      ids.push(await aMatch(one, first, START - hour * HOUR), await aMatch(other, second, START - hour * HOUR - 60));
    }
    await judge(ids[0]!, true);
    const list = async (parameters = '') =>
      (await get(`/matches${parameters}`)).matches.map(({ id }: { id: number }) => id);
    expect(await list()).toEqual(ids);
    expect(await list('?validated=none')).toEqual(ids.slice(1));
    expect(await list('?validated=true')).toEqual(ids.slice(0, 1));
    expect(await list('?metric=report.rows')).toEqual([ids[1], ids[3], ids[5]]);
    expect(await list(`?pattern_id=${String(first)}`)).toEqual([ids[0], ids[2], ids[4]]);
    expect(await list('?chips=backup')).toEqual([ids[0], ids[2], ids[4]]);
    expect(await list(`?from=${String(START - 2 * HOUR)}&until=${String(START - HOUR - 1)}`)).toEqual([ids[1], ids[2]]);
    const turned = `?from=${String(START - HOUR)}&until=${String(START - 2 * HOUR)}`;
    for (const path of [`/matches${turned}`, `/pattern/${String(first)}/matches${turned}`]) {
      const { status, data } = await app.call('get', path, { token });
      expect([status, data.error]).toMatchObject([
        400,
        { details: [{ field: 'until', code: 'from_not_before_until' }] },
      ]);
    }
    const page = await get('/matches?limit=2&offset=1');
    expect(page).toMatchObject({ total: 6, limit: 2, offset: 1 });
    expect(page.matches).toHaveLength(2);
    const stranger = { token: await app.aToken((await app.anOrg()).id, Permission.Read) };
    expect((await app.call('get', '/matches', stranger)).data.matches).toEqual([]);
    expect((await app.call('get', `/matches?pattern_id=${String(first)}`, stranger)).status).toBe(404);
  });
});

describe('GET /patterns', () => {
  it('lists patterns of all metrics, with filters such as waiting for a verdict', async () => {
    const [one, other] = [await app.aMetric(orgId, 'backup.bytes'), await app.aMetric(orgId, 'report.rows')];
    const trained = await aPattern(one);
    const waiting = await aPattern(other, { shadow: true, origin: 'recurring' });
    const judged = await aPattern(other, { shadow: true, origin: 'recurring' });
    const list = async (parameters = '') =>
      (await get(`/patterns${parameters}`)).patterns.map(({ id }: { id: number }) => id);
    await app.call('put', `/pattern/${String(judged)}`, { token }, { validated: false });
    expect(await list('?order=oldest')).toEqual([trained, waiting, judged]);
    expect(await list('?waiting=true')).toEqual([waiting]);
    expect(await list('?waiting=false&order=oldest')).toEqual([trained, judged]);
    expect(await list('?validated=false')).toEqual([judged]);
    expect(await list('?shadow=false')).toEqual([trained]);
    expect(await list('?origin=recurring&enabled=true')).toEqual([waiting]);
    expect(await list('?metric=backup.bytes')).toEqual([trained]);
    expect(await list('?chips=report&limit=1&order=oldest')).toEqual([waiting]);
    expect((await get('/patterns?limit=1')).total).toBe(3);
    await app.call('put', `/pattern/${String(waiting)}`, { token }, { validated: true });
    expect(await list('?waiting=true')).toEqual([]);
    const stranger = { token: await app.aToken((await app.anOrg()).id, Permission.Read) };
    expect((await app.call('get', '/patterns', stranger)).data.patterns).toEqual([]);
    expect((await app.call('get', '/patterns?metric=backup.bytes', stranger)).status).toBe(404);
  });
});
