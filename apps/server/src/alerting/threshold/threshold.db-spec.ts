import { Permission } from '#libs/contracts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { until } from '../../../../../test/support/product.js';
import { POINT_LOG, type PointLog } from '../../platform/storage/storage.types.js';
import { WatcherModule } from '../watcher/watcher.module.js';
import { ThresholdChangesService } from './threshold-changes.service.js';
import { ThresholdEvaluationModule } from './threshold-evaluation.module.js';
import { ThresholdRecordsService } from './threshold-records.service.js';
import { ThresholdWatchersService } from './threshold-watchers.service.js';

const MINUTE = 60;
/** Start of a slot, in Unix seconds. */
const FIRST = START - (START % MINUTE);

let database: TestDatabase;
let app: MetricApp;
let orgId: number;
let token: string;

beforeEach(async () => {
  database = await createTestDatabase();
  app = await start();
  orgId = (await app.anOrg()).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Write, Permission.Ingest);
});
afterEach(async () => {
  await app.close();
  await database.drop();
});

async function start(): Promise<MetricApp> {
  const started = await MetricApp.create({ database }, [WatcherModule, ThresholdEvaluationModule]);
  started.clock.seconds = FIRST;
  return started;
}

async function restart(): Promise<void> {
  const { seconds } = app.clock;
  await app.close();
  app = await start();
  app.clock.seconds = seconds;
}

async function aWatcher(fields: object, credential = token): Promise<number> {
  const { status, data } = await app.call(
    'post',
    '/watcher/threshold',
    { token: credential },
    { chips: 'cpu', ...fields },
  );
  expect(status).toBe(200);
  await app.get(ThresholdWatchersService).refreshNow();
  return data.watcher.id as number;
}

/** Sends one value per minute, starting at `minute`, and advances the clock. */
async function send(metric: string, minute: number, ...values: number[]): Promise<void> {
  for (const [index, value] of values.entries()) {
    const timestamp = FIRST + (minute + index) * MINUTE;
    app.clock.seconds = Math.max(app.clock.seconds, timestamp);
    const body = { metric, timestamp, value };
    await app.http().post('/ingest/metrics').set('X-Auth-Token', token).send(body).expect(204);
  }
  await applied();
}

/** Waits until all sent points have been processed. */
async function applied(): Promise<void> {
  await until('the log is consumed', async () => {
    const [row] = await database.dataSource.query<{ behind: number }[]>(
      `SELECT count(*)::integer AS behind FROM point_log l JOIN detection_checkpoint c ON c.partition = l.partition
       WHERE l.position > c.applied_position`,
    );
    return row!.behind === 0 ? true : undefined;
  });
}

/** Advances the clock without sending points. */
async function tick(minute: number): Promise<void> {
  app.clock.seconds = FIRST + minute * MINUTE;
  const empty = { ids: new Uint32Array(0), timestamps: new Float64Array(0), values: new Float64Array(0) };
  await app.app.get<PointLog>(POINT_LOG, { strict: false }).append(empty, 'tick');
  await applied();
}

/** Type of each change, and minutes after the first slot. */
async function changes(watcherId: number): Promise<[string, number][]> {
  const rows = await database.dataSource.query<{ type: string; timestamp: number }[]>(
    'SELECT type, timestamp FROM threshold_change WHERE watcher_id = $1 ORDER BY id',
    [watcherId],
  );
  return rows.map(({ type, timestamp }) => [type, (timestamp - FIRST) / MINUTE]);
}

describe('a threshold watcher', () => {
  it('opens and closes a breach after the configured number of points, with events', async () => {
    const id = await aWatcher({ algorithm: 'above', value: 10, times_in_a_row: 2, name: 'Hot' });
    await send('web.cpu', 0, 11, 9, 11, 12, 13, 9, 9, 8);
    expect(await changes(id)).toEqual([
      ['breached', 3],
      ['recovered', 6],
    ]);
    expect((await app.events(orgId)).filter(([type]) => type.startsWith('threshold'))).toEqual([
      ['threshold_breached', 'web.cpu', 'Hot: web.cpu is at 12, above 10.'],
      ['threshold_recovered', 'web.cpu', 'Hot: web.cpu is at 9, within the limit of 10 again.'],
    ]);
    const rows = await database.dataSource.query<{ type: string; subject_id: number }[]>(
      `SELECT type, subject_id FROM stream_event WHERE org_id = $1 AND type LIKE 'threshold%' ORDER BY id`,
      [orgId],
    );
    expect(rows.map(({ type }) => type)).toEqual(['threshold.breached', 'threshold.recovered']);
    const records = await app.get(ThresholdRecordsService).findByIds(
      orgId,
      rows.map((row) => row.subject_id),
    );
    expect(records.get(rows[0]!.subject_id)).toEqual({
      watcher: { id, name: 'Hot' },
      metric: 'web.cpu',
      metric_id: expect.any(Number) as number,
      value: 12,
      threshold: 10,
    });
    const [breaches] = await database.dataSource.query('SELECT count(*)::integer AS count FROM threshold_breach');
    expect(breaches).toEqual({ count: 0 });
  });

  it('works although a watcher of another organisation has an unreadable chip', async () => {
    const other = (await app.anOrg()).id;
    const foreign = await app.aToken(other, Permission.Read, Permission.Write);
    const broken = await aWatcher({ algorithm: 'above', value: 10 }, foreign);
    await database.dataSource.query(`UPDATE watcher SET chips = '{@nothing:known}' WHERE id = $1`, [broken]);
    const id = await aWatcher({ algorithm: 'above', value: 10 });
    await send('web.cpu', 0, 11);
    expect(await changes(id)).toEqual([['breached', 0]]);
  });

  it('hands over each change once for alerting', async () => {
    const id = await aWatcher({ algorithm: 'above', value: 10 });
    await send('web.cpu', 0, 11, 9);
    const waiting = app.get(ThresholdChangesService);
    expect(await waiting.orgsWaiting()).toEqual([orgId]);
    const take = () => database.dataSource.transaction((tx) => waiting.takeWaiting(orgId, 10, tx));
    expect(await take()).toMatchObject([
      { watcherId: id, type: 'breached', value: 11, threshold: 10 },
      { watcherId: id, type: 'recovered' },
    ]);
    expect(await take()).toEqual([]);
    expect(await waiting.orgsWaiting()).toEqual([]);
  });

  it('continues after a restart with its rows of points, windows and breaches', async () => {
    const row = await aWatcher({ algorithm: 'above', value: 10, times_in_a_row: 3, name: 'row' });
    const mean = await aWatcher({
      algorithm: 'above',
      value: 10,
      function: 'mean',
      function_seconds: 180,
      name: 'mean',
    });
    const single = await aWatcher({ algorithm: 'above', value: 10, name: 'single' });
    await send('web.cpu', 0, 1, 1, 11, 11);
    await restart();
    await send('web.cpu', 4, 11);
    await restart();
    await send('web.cpu', 5, 12);
    await restart();
    await send('web.cpu', 6, 1, 1, 1);
    expect(await changes(row)).toEqual([
      ['breached', 4],
      ['recovered', 8],
    ]);
    expect(await changes(mean)).toEqual([
      ['breached', 4],
      ['recovered', 6],
    ]);
    expect(await changes(single)).toEqual([
      ['breached', 2],
      ['recovered', 6],
    ]);
  });

  it('applies edits and keeps its state', async () => {
    const id = await aWatcher({ algorithm: 'above', value: 10, times_in_a_row: 2 });
    await send('web.cpu', 0, 11, 11, 11);
    const edit = async (fields: object): Promise<void> => {
      const path = `/api/watcher/threshold/${String(id)}`;
      await app.http().put(path).set('X-Auth-Token', token).send(fields).expect(200);
      await app.get(ThresholdWatchersService).refreshNow();
    };
    await edit({ value: 5 });
    await send('web.cpu', 3, 11, 11);
    expect(await changes(id)).toEqual([['breached', 1]]);
    await edit({ value: 20 });
    await send('web.cpu', 5, 11, 11);
    expect(await changes(id)).toEqual([
      ['breached', 1],
      ['recovered', 5],
    ]);
    await edit({ chips: 'mem' });
    await send('web.cpu', 7, 99, 99);
    expect(await changes(id)).toHaveLength(2);
    expect((await app.call('delete', `/watcher/${String(id)}`, { token })).status).toBe(200);
    await app.get(ThresholdWatchersService).refreshNow();
    await send('web.mem', 9, 99, 99);
    expect(await changes(id)).toHaveLength(2);
  });

  describe('with an open breach', () => {
    const endings = async (id: number): Promise<unknown[]> =>
      database.dataSource.query(
        `SELECT m.name, c.type, c.departure, c.value FROM threshold_change c JOIN metric m ON m.id = c.metric_id
         WHERE c.watcher_id = $1 ORDER BY c.id`,
        [id],
      );
    const breached = { name: 'web.cpu', type: 'breached', departure: null, value: 12 };
    const open = (): Promise<unknown[]> => database.dataSource.query('SELECT 1 FROM threshold_breach');

    it('closes the breach when its chips change, and opens it again when they are changed back', async () => {
      const id = await aWatcher({ algorithm: 'above', value: 10, name: 'Hot' });
      const edit = async (chips: string): Promise<void> => {
        const path = `/api/watcher/threshold/${String(id)}`;
        await app.http().put(path).set('X-Auth-Token', token).send({ chips }).expect(200);
        await app.get(ThresholdWatchersService).refreshNow();
      };
      await send('web.cpu', 0, 12);
      await edit('mem');
      await send('web.cpu', 1, 13);
      const closed = { ...breached, type: 'recovered', departure: 'left' };
      expect(await endings(id)).toEqual([breached, closed]);
      expect(await open()).toEqual([]);
      expect((await app.events(orgId)).at(-1)).toEqual([
        'threshold_recovered',
        'web.cpu',
        'Hot: web.cpu is no longer selected by the watcher.',
      ]);
      await edit('cpu');
      await send('web.cpu', 3, 14);
      expect(await endings(id)).toEqual([breached, closed, { ...breached, value: 14 }]);
    });

    it('closes the breach also when the process restarts between the edit and the next point', async () => {
      const id = await aWatcher({ algorithm: 'above', value: 10, times_in_a_row: 1 });
      await send('web.cpu', 0, 12);
      await app
        .http()
        .put(`/api/watcher/threshold/${String(id)}`)
        .set('X-Auth-Token', token)
        .send({ chips: 'mem' })
        .expect(200);
      await restart();
      await send('web.mem', 1, 1);
      await send('web.cpu', 2, 13);
      expect(await endings(id)).toEqual([breached, { ...breached, type: 'recovered', departure: 'left' }]);
    });

    it('closes the breach when it is deleted, without an event', async () => {
      const id = await aWatcher({ algorithm: 'above', value: 10 });
      await send('web.cpu', 0, 12);
      expect((await app.call('delete', `/watcher/${String(id)}`, { token })).status).toBe(200);
      await app.get(ThresholdWatchersService).refreshNow();
      await send('web.cpu', 1, 12);
      expect(await endings(id)).toEqual([breached, { ...breached, type: 'recovered', departure: 'deleted' }]);
      expect((await app.events(orgId)).map(([type]) => type)).not.toContain('threshold_recovered');
    });

    it('closes the breach within five minutes after the metric is removed', async () => {
      const id = await aWatcher({ algorithm: 'above', value: 10 });
      await send('web.cpu', 0, 12);
      await send('web.mem', 0, 1);
      await database.dataSource.query(
        `UPDATE metric_search SET state = 'removed' WHERE metric_id = (SELECT id FROM metric WHERE name = 'web.cpu')`,
      );
      await tick(5);
      expect(await endings(id)).toEqual([breached, { ...breached, type: 'recovered', departure: 'removed' }]);
    });
  });

  it('detects silence by ticks, also of metrics that have sent nothing since a restart', async () => {
    const high = await aWatcher({ algorithm: 'above', value: 10, name: 'high' });
    const id = await aWatcher({ algorithm: 'no_data', value: 300 });
    await send('web.cpu', 0, 1);
    await restart();
    await tick(4);
    expect(await changes(id)).toEqual([]);
    await tick(7);
    await tick(8);
    expect(await changes(id)).toEqual([['breached', 7]]);
    await send('web.cpu', 9, 99);
    expect(await changes(id)).toEqual([
      ['breached', 7],
      ['recovered', 9],
    ]);
    expect(await changes(high)).toEqual([['breached', 9]]);
  });

  it('ignores silence after a backfill, also across a restart, until a live point arrives', async () => {
    const id = await aWatcher({ algorithm: 'no_data', value: 300, chips: '*' });
    await app
      .http()
      .post('/ingest/csv?metric=old.cpu')
      .set('X-Auth-Token', token)
      .set('Content-Type', 'text/csv')
      .send(`${String(FIRST - 7200)},1\n${String(FIRST - 7140)},2\n`)
      .expect(204);
    await tick(1);
    await restart();
    await tick(2);
    await tick(9);
    expect(await changes(id)).toEqual([]);
    await send('old.cpu', 10, 1);
    await tick(17);
    await tick(18);
    expect(await changes(id)).toEqual([['breached', 17]]);
  });

  it('ignores metrics of other organisations, backfill and other names', async () => {
    const other = await app.anOrg();
    const stranger = await app.aToken(other.id, Permission.Read, Permission.Write);
    const theirs = await aWatcher({ algorithm: 'above', value: 10, chips: '*' }, stranger);
    const ours = await aWatcher({ algorithm: 'above', value: 10 });
    await app
      .http()
      .post('/ingest/metrics')
      .set('X-Auth-Token', token)
      .set('X-Backfill', 'true')
      .send({ metrics: [{ metric: 'old.cpu', timestamps: [FIRST - 7200, FIRST - 7140], values: [99, 99] }] })
      .expect(204);
    await send('web.mem', 0, 99);
    await send('web.cpu', 0, 99);
    expect(await changes(theirs)).toEqual([]);
    expect(await changes(ours)).toEqual([['breached', 0]]);
  });

  it('reports each change once, however often its partition changes owner', async () => {
    const id = await aWatcher({ algorithm: 'above', value: 10, times_in_a_row: 2 });
    for (let minute = 0; minute < 8; minute += 2) {
      await send('web.cpu', minute, minute % 4 === 0 ? 11 : 1, minute % 4 === 0 ? 11 : 1);
      await database.dataSource.query(
        `SELECT pg_terminate_backend(pid) FROM (
           SELECT DISTINCT pid FROM pg_locks
           WHERE locktype = 'advisory' AND objsubid = 2 AND classid = x'706c0001'::int
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS holder`,
      );
    }
    await send('web.cpu', 8, 11, 11);
    expect(await changes(id)).toEqual([
      ['breached', 1],
      ['recovered', 3],
      ['breached', 5],
      ['recovered', 7],
      ['breached', 9],
    ]);
  });
});
