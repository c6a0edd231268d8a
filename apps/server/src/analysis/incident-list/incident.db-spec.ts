import { Permission } from '#libs/contracts';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { IncidentGroupingModule } from '../incident/incident-grouping.module.js';
import { IncidentGroupingService } from '../incident/incident-grouping.service.js';
import { type IncidentDto } from '../incident/incident.dto.js';
import { TrainingModule } from '../../teaching/training/training.module.js';
import { IncidentListModule } from './incident-list.module.js';

let app: MetricApp;
let orgId: number;
let token: string;
let reader: { token: string };

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [
    IncidentGroupingModule,
    IncidentListModule,
    TrainingModule,
  ]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  token = await app.aToken(orgId, Permission.Read);
  reader = { token };
});

const query = <T>(sql: string, values: unknown[]): Promise<T[]> => app.database.dataSource.query<T[]>(sql, values);

/** Groups until no change is left; the application does the same in the background. */
async function group(): Promise<void> {
  for (;;) {
    await app.get(IncidentGroupingService).run();
    const [left] = await query('SELECT 1 FROM anomaly_change WHERE org_id = $1 LIMIT 1', [orgId]);
    if (left === undefined) return;
  }
}

async function incidents(parameters = ''): Promise<IncidentDto[]> {
  await group();
  const { status, data } = await app.call('get', `/incidents${parameters}`, reader);
  expect(status).toBe(200);
  return data.incidents as IncidentDto[];
}

const find = (id: number): Promise<Answer> => app.call('get', `/incidents/${String(id)}`, reader);

/** Creates a metric of a host with an anomaly that begins `after` seconds after START − 600. */
async function failing(name: string, host: string, after: number, end: number | null = null): Promise<number> {
  const metricId = await app.aMetric(orgId, `${name}{instance="${host}"}`, { labels: { instance: host } });
  return app.anAnomaly(orgId, metricId, START - 600 + after, end);
}

const mark = (anomalyId: number, state: string, end: number | null = null): Promise<unknown> =>
  query('UPDATE anomaly SET state = $2, end_timestamp = $3 WHERE id = $1', [anomalyId, state, end]);

describe('incidents', () => {
  it('group anomalies that begin together and share a label, and name the likely origin', async () => {
    const disk = await failing('disk_latency', 'db-1', 0);
    const others = [];
    for (const [place, name] of ['queries', 'connections', 'cpu'].entries()) {
      others.push(await failing(name, 'db-1', 60 + 60 * place));
    }
    const elsewhere = await failing('queue_length', 'mail-1', 30);

    const [ofMail, ofDb] = (await incidents()).sort((a, b) => a.metrics_count - b.metrics_count);
    expect(ofDb).toMatchObject({
      state: 'open',
      title: '4 metrics of instance=db-1 since 08:43, first: disk_latency',
      started_timestamp: START - 600,
      ended_timestamp: null,
      severity: 40,
      severity_label: 'minor',
      anomalies_count: 4,
      metrics_count: 4,
      anomaly_ids: [disk, ...others],
      common_labels: { instance: 'db-1' },
      acknowledged_by: null,
    });
    expect(ofDb!.origins[0]).toMatchObject({
      rank: 1,
      metric: 'disk_latency{instance="db-1"}',
      anomaly_id: disk,
      reason: 'started first and leads 3 of 3 others by 120 s; shares instance=db-1 with 3 of them',
    });
    const likelihoods = ofDb!.origins.map(({ likelihood }) => likelihood);
    expect(likelihoods).toEqual([...likelihoods].sort((a, b) => b - a));
    expect(likelihoods.reduce((a, b) => a + b)).toBeLessThanOrEqual(1);
    expect(ofMail).toMatchObject({
      title: 'queue_length{instance="mail-1"} spiked',
      anomaly_ids: [elsewhere],
      origins: [{ likelihood: 1, reason: 'the only metric' }],
    });
  });

  it('name the peak and the kind of a single anomaly as they change', async () => {
    const id = await failing('queue', 'web-1', 0);
    await query(`UPDATE anomaly SET kind = 'spike', value = 5, peak_value = 5, lower = 1, upper = 4 WHERE id = $1`, [
      id,
    ]);
    expect(await incidents()).toMatchObject([{ title: 'queue{instance="web-1"} spiked to 5 (usual 1 to 4)' }]);
    await query('UPDATE anomaly SET peak_value = 70 WHERE id = $1', [id]);
    expect(await incidents()).toMatchObject([{ title: 'queue{instance="web-1"} spiked to 70 (usual 1 to 4)' }]);
    await query(`UPDATE anomaly SET kind = 'level_shift_up' WHERE id = $1`, [id]);
    expect(await incidents()).toMatchObject([{ title: 'queue{instance="web-1"} rose to 70 (usual 1 to 4)' }]);
  });

  it('separate anomalies that begin later or share nothing', async () => {
    await failing('cpu', 'web-1', 0);
    await failing('memory', 'web-1', 121);
    await failing('requests', 'web-2', 10);
    expect(await incidents()).toHaveLength(3);
  });

  it('continue while an anomaly begins within two minutes of the latest one', async () => {
    for (const after of [0, 110, 220, 330]) await failing(`m${String(after)}`, 'web-1', after);
    expect(await incidents()).toMatchObject([{ anomalies_count: 4, started_timestamp: START - 600 }]);
  });

  it('merge when an anomaly belongs to both, in any order of detection', async () => {
    await failing('a', 'web-1', 0);
    await failing('b', 'web-1', 200);
    const [later, earlier] = await incidents();
    await failing('c', 'web-1', 100);
    expect(await incidents()).toMatchObject([{ id: earlier!.id, anomalies_count: 3 }]);
    expect((await find(later!.id)).data.incident).toMatchObject({ state: 'resolved', anomalies_count: 0 });
  });

  it('resolve when all their anomalies have ended, and reopen with a new one', async () => {
    const [one, other] = [await failing('a', 'web-1', 0), await failing('b', 'web-1', 30)];
    await incidents();
    await mark(one, 'resolved', START - 300);
    expect(await incidents()).toMatchObject([{ state: 'open' }]);
    await mark(other, 'resolved', START - 200);
    expect(await incidents()).toMatchObject([
      {
        state: 'resolved',
        ended_timestamp: START - 140,
        title: '2 metrics of instance=web-1 from 08:43 to 08:51, first: a',
      },
    ]);
    await failing('c', 'web-1', 100);
    expect(await incidents()).toMatchObject([{ state: 'open', ended_timestamp: null, anomalies_count: 3 }]);
    const events = (await app.events(orgId)).map(([type]) => type).filter((type) => type.startsWith('incident'));
    expect(events).toEqual(['incident_opened', 'incident_closed', 'incident_opened']);
  });

  it('no longer grow once all values are normal again, and end with the last slot of their anomalies', async () => {
    const [one, other] = [await failing('a', 'web-1', 0, START - 300), await failing('b', 'web-1', 30)];
    expect(await incidents()).toMatchObject([{ state: 'open', out_until_timestamp: null, ended_timestamp: null }]);
    await query('UPDATE anomaly SET out_until_timestamp = $2 WHERE id = $1', [other, START - 180]);
    const [open] = (await incidents()) as [IncidentDto];
    expect(open).toMatchObject({ state: 'open', out_until_timestamp: START - 180, ended_timestamp: null });
    await mark(other, 'resolved', START - 240);
    expect(await incidents()).toMatchObject([{ out_until_timestamp: START - 180, ended_timestamp: START - 180 }]);
    const { data } = await find(open.id);
    expect(data.anomalies).toMatchObject([
      { id: one, out_until_timestamp: START - 240 },
      { id: other, until_timestamp: START - 240, out_until_timestamp: START - 180 },
    ]);
  });

  it('lose trained, excluded and erased anomalies, and resolve without the last one', async () => {
    const [a, b, c] = [
      await failing('a', 'web-1', 0),
      await failing('b', 'web-1', 10),
      await failing('c', 'web-1', 20),
    ];
    const [{ id }] = (await incidents()) as [IncidentDto];
    await mark(a, 'trained', START - 500);
    expect(await incidents()).toMatchObject([{ id, anomaly_ids: [b, c], started_timestamp: START - 590 }]);
    await query('DELETE FROM metric WHERE id = (SELECT metric_id FROM anomaly WHERE id = $1)', [b]);
    expect(await incidents()).toMatchObject([{ id, anomaly_ids: [c] }]);
    await mark(c, 'excluded', START - 400);
    expect(await incidents()).toEqual([]);
    expect((await find(id)).data).toMatchObject({ incident: { state: 'resolved', anomaly_ids: [] }, anomalies: [] });
  });

  it('are found in history that is backfilled series by series, without events', async () => {
    for (const name of ['a', 'b', 'c']) {
      const metricId = await app.aMetric(orgId, `${name}{instance="web-1"}`, { labels: { instance: 'web-1' } });
      for (const day of [3, 2, 1]) {
        const start = START - day * 86_400;
        await app.anAnomaly(orgId, metricId, start, start + 600, { isBackfill: true });
      }
    }
    const found = await incidents(`?from=${String(START - 7 * 86_400)}`);
    expect(found.map(({ metrics_count, state }) => [metrics_count, state])).toEqual([
      [3, 'resolved'],
      [3, 'resolved'],
      [3, 'resolved'],
    ]);
    expect(await app.events(orgId)).toEqual([]);
  });

  it('rank a metric higher that was first in earlier incidents', async () => {
    const ids: number[] = [];
    for (const name of ['a', 'b']) {
      ids.push(await app.aMetric(orgId, `${name}{instance="web-1"}`, { labels: { instance: 'web-1' } }));
    }
    const [a, b] = ids as [number, number];
    for (const day of [3, 2]) {
      await app.anAnomaly(orgId, b, START - day * 86_400, START - day * 86_400 + 600);
      await app.anAnomaly(orgId, a, START - day * 86_400 + 60, START - day * 86_400 + 600);
      await group();
    }
    // This time they begin in the same minute.
    await app.anAnomaly(orgId, a, START - 600);
    await app.anAnomaly(orgId, b, START - 600);
    const [latest] = await incidents();
    expect(latest!.origins.map(({ metric_id }) => metric_id)).toEqual([b, a]);
    expect(latest!.origins[0]!.reason).toContain('was first in 2 of 2 earlier incidents');
  });

  it('survive a failed grouping round', async () => {
    const grouping = await app.byHand(IncidentGroupingService);
    await failing('a', 'web-1', 0);
    await query('ALTER TABLE incident_anomaly ADD CONSTRAINT no_more CHECK (false) NOT VALID', []);
    await expect(grouping.run()).rejects.toThrow('no_more');
    await query('ALTER TABLE incident_anomaly DROP CONSTRAINT no_more', []);
    expect(await incidents()).toMatchObject([{ anomalies_count: 1 }]);
    expect(await query('SELECT FROM incident WHERE org_id = $1', [orgId])).toHaveLength(1);
  });
});

describe('GET /incidents', () => {
  it('filters by state, severity, chips and window, and returns pages', async () => {
    const a = await failing('a', 'web-1', 0, START - 500);
    await failing('b', 'db-1', 10);
    await query('UPDATE anomaly SET severity = 80 WHERE id = $1', [a]);
    const titles = async (parameters: string) => (await incidents(parameters)).map(({ title }) => title.slice(0, 1));
    expect(await titles('')).toEqual(['b', 'a']);
    expect(await titles('?order=severity')).toEqual(['a', 'b']);
    expect(await titles('?state=open')).toEqual(['b']);
    expect(await titles('?severity_min=50')).toEqual(['a']);
    expect(await titles('?chips=instance:db-*')).toEqual(['b']);
    expect(await titles(`?from=${String(START - 400)}`)).toEqual(['b']);
    const { data } = await app.call('get', '/incidents?limit=1&offset=1', reader);
    expect(data).toMatchObject({ total: 2, limit: 1, offset: 1, incidents: [{ severity: 80 }] });
  });

  it('returns no incidents of other organisations', async () => {
    await failing('a', 'web-1', 0);
    const [{ id }] = (await incidents()) as [IncidentDto];
    const stranger = { token: await app.aToken((await app.anOrg()).id, Permission.Read) };
    expect((await app.call('get', '/incidents', stranger)).data.incidents).toEqual([]);
    expect((await app.call('get', `/incidents/${String(id)}`, stranger)).status).toBe(404);
  });
});

describe('GET /incidents/{incident_id}', () => {
  it('returns the timeline, and anomalies refer to their incident', async () => {
    const one = await failing('a', 'web-1', 0, START - 300);
    const other = await failing('b', 'web-1', 60);
    const user = await app.aUser(orgId, 'Ann');
    await query('UPDATE anomaly SET acknowledged_by = $2, acknowledged_at = to_timestamp($3) WHERE id = $1', [
      other,
      user.id,
      START - 100,
    ]);
    const [{ id }] = (await incidents()) as [IncidentDto];
    const { data } = await find(id);
    expect(data.incident).toMatchObject({
      acknowledged_by: user.id,
      acknowledged_by_display_name: 'Ann',
      acknowledged_at: START - 100,
    });
    expect(data.anomalies).toMatchObject([
      { id: one, incident_id: id },
      { id: other, incident_id: id },
    ]);
    expect(data.timeline).toMatchObject([
      { timestamp: START - 600, anomaly_id: one, what: 'opened' },
      { timestamp: START - 540, anomaly_id: other, what: 'opened' },
      { timestamp: START - 240, anomaly_id: one, what: 'closed' },
      { timestamp: START - 100, anomaly_id: other, what: 'acknowledged' },
    ]);
    const anomaly = await app.call('get', `/anomaly/${String(one)}`, reader);
    expect(anomaly.data).toMatchObject({
      anomaly: { incident_id: id },
      incident: { id },
      related_anomalies: [{ id: other }],
    });
    const listed = await app.call('get', `/anomalies?incident_id=${String(id)}&order=oldest`, reader);
    expect((listed.data.anomalies as { id: number }[]).map((row) => row.id)).toEqual([one, other]);
  });
});

describe('POST /anomaly/{anomaly_id}/acknowledge with incident', () => {
  let operator: { token: string };

  beforeEach(async () => {
    operator = { token: await app.aToken(orgId, Permission.Read, Permission.Alert) };
  });

  const acknowledge = (id: number, body: object): Promise<Answer> =>
    app.call('post', `/anomaly/${String(id)}/acknowledge`, operator, body);
  const notes = () =>
    query<{ id: number; note: string | null }>(
      'SELECT id, acknowledge_note AS note FROM anomaly WHERE org_id = $1 ORDER BY id',
      [orgId],
    );

  it('acknowledges all open anomalies of the incident, and undoes it', async () => {
    const one = await failing('a', 'web-1', 0);
    const ended = await failing('b', 'web-1', 30, START - 300);
    const other = await failing('c', 'web-1', 60);
    const stranger = await failing('queue', 'mail-1', 60);
    await group();

    expect((await acknowledge(one, { note: 'mine' })).data.acknowledged_ids).toEqual([one]);
    const { data } = await acknowledge(one, { note: 'mine', incident: true });
    expect(data).toMatchObject({ anomaly: { id: one, acknowledge_note: 'mine' }, acknowledged_ids: [one, other] });
    expect(await notes()).toEqual([
      { id: one, note: 'mine' },
      { id: ended, note: null },
      { id: other, note: 'mine' },
      { id: stranger, note: null },
    ]);

    expect((await acknowledge(other, { acknowledged: false, incident: true })).data.acknowledged_ids).toEqual([]);
    expect((await notes()).map(({ note }) => note)).toEqual([null, null, null, null]);
  });

  it('keeps earlier acknowledgements with their notes, and accepts an anomaly without an incident', async () => {
    const one = await failing('a', 'web-1', 0);
    const other = await failing('b', 'web-1', 60);
    expect((await acknowledge(other, { note: 'first', incident: true })).status).toBe(200);
    await group();
    expect((await acknowledge(one, { note: 'second', incident: true })).data.acknowledged_ids).toEqual([one]);
    expect((await notes()).map(({ note }) => note)).toEqual(['second', 'first']);
  });
});
