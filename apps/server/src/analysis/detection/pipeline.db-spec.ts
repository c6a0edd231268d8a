import { jest } from '@jest/globals';
import { Permission } from '#libs/contracts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { PointApp } from '../../../../../test/support/point-app.js';
import { until } from '../../../../../test/support/product.js';
import { MetricRegistryService } from '../../data/metric/metric-registry.service.js';
import { MetricStatesService } from '../../data/metric/metric-states.service.js';
import { DefinitionChangesService } from './definition-changes.service.js';

const MINUTE = 60;
const DAY = 86_400;

/** Seeded noise around a daily wave. */
function usualValue(timestamp: number): number {
  const noise = Math.sin(timestamp * 12.9898) * 43_758.5453;
  return 100 + 20 * Math.sin((2 * Math.PI * timestamp) / DAY) + (noise - Math.floor(noise)) * 4;
}

describe('the pipeline from ingest to anomaly', () => {
  let database: TestDatabase;
  let app: PointApp;
  let token: string;

  beforeEach(async () => {
    database = await createTestDatabase();
    app = await PointApp.create({ database });
    const org = await app.anOrg();
    token = await app.aToken(org.id, Permission.Read, Permission.Write, Permission.Ingest);
  });

  afterEach(async () => {
    await app.close();
    await database.drop();
  });

  it('opens an anomaly when a series leaves its usual behaviour', async () => {
    await sendHistory('web-1.cpu', 3 * DAY);
    for (let minute = 0; minute < 10; minute++) await sendLive('web-1.cpu', START + minute * MINUTE, 400);
    const anomaly = await until('an anomaly', async () => {
      const { anomalies } = await get('/anomalies?metric=web-1.cpu&state=open');
      return anomalies[0];
    });
    expect(anomaly).toMatchObject({
      metric: 'web-1.cpu',
      state: 'open',
      until_timestamp: null,
      close_reason: null,
      value: 400,
    });
    expect(anomaly.score).toBeGreaterThanOrEqual(0.5);
    expect(anomaly.expected_range_upper).toBeLessThan(200);
    expect(anomaly.timestamp).toBe(START - (START % MINUTE));
    expect(anomaly.peak_value).toBe(400);
    expect(anomaly.peak_timestamp).toBeGreaterThanOrEqual(anomaly.timestamp);
    expect(anomaly.explanation.length).toBeGreaterThan(0);
    for (const { observed, timestamp } of anomaly.explanation) {
      expect({ observed, timestamp }).toEqual({ observed: 400, timestamp: anomaly.peak_timestamp });
    }
  });

  it('works with 1024 partitions and at most 40 database connections', async () => {
    await app.close();
    await database.drop();
    database = await createTestDatabase();
    app = await PointApp.create({ database, env: { PLUMBLINE_PARTITIONS: '1024' } });
    const org = await app.anOrg();
    token = await app.aToken(org.id, Permission.Read, Permission.Write, Permission.Ingest);

    await sendHistory('web-1.cpu', 3 * DAY);
    await sendLive('web-1.cpu', START, 400);

    const [anomaly] = await until('an anomaly', async () => {
      const { anomalies } = await get('/anomalies?metric=web-1.cpu&state=open');
      return anomalies.length > 0 && anomalies;
    });
    expect(anomaly).toMatchObject({ metric: 'web-1.cpu', value: 400 });
    const [{ connections }] = await database.dataSource.query(
      'SELECT count(*)::int AS connections FROM pg_stat_activity WHERE datname = current_database()',
    );
    expect(connections).toBeLessThanOrEqual(40);
  });

  it('stores every accepted point, and updates the progress of the metric and the organisation', async () => {
    await sendHistory('web-1.cpu', DAY);
    const stored = await storedPoints('web-1.cpu', START - DAY, START, DAY / MINUTE);
    const first = START - (START % MINUTE) - DAY;
    expect(stored[0]).toEqual([first, usualValue(first)]);
    const metric = await until('the progress of the metric', async () => {
      const rows = await database.dataSource.query(`SELECT points, ready_range FROM metric WHERE name = 'web-1.cpu'`);
      return rows[0].points === DAY / MINUTE ? rows[0] : undefined;
    });
    expect(metric).toEqual({ points: DAY / MINUTE, ready_range: true });
    // The organisation advances once the progress is written.
    await until('the organisation to advance', async () => {
      const [{ status }] = await database.dataSource.query('SELECT onboarding_status_id AS status FROM org');
      return status >= 200 ? true : undefined;
    });
  });

  it('lists a metric as active as soon as it sends again', async () => {
    const [{ id: orgId }] = await database.dataSource.query('SELECT id FROM org');
    await sendHistory('web-1.cpu', DAY);
    await storedPoints('web-1.cpu', START - DAY, START, DAY / MINUTE);
    await sendLive('web-1.cpu', START, 100);
    const state = async (): Promise<string | undefined> => {
      const rows = await database.dataSource.query('SELECT state FROM metric_search WHERE org_id = $1', [orgId]);
      return rows[0]?.state;
    };
    app.clock.seconds += 20 * MINUTE;
    await until('the silence', async () => {
      await app.get(MetricStatesService).run();
      return (await state()) === 'stale' || undefined;
    });
    await sendLive('web-1.cpu', START + 20 * MINUTE, 100);
    await until('the return', async () => (await state()) === 'active' || undefined);
    const [{ last }] = await database.dataSource.query('SELECT last_timestamp AS last FROM metric');
    expect(last).toBeGreaterThanOrEqual(START + 19 * MINUTE);
  });

  it('stores everything once when the consumer is dropped without a checkpoint', async () => {
    await sendHistory('web-1.cpu', 2 * DAY);
    for (let minute = 0; minute < 10; minute++) await sendLive('web-1.cpu', START + minute * MINUTE, 400);
    await until('an anomaly', async () => (await get('/anomalies')).anomalies[0]);
    const before = await anomalyRows();
    // The connection with the partition locks breaks, so the state in memory is invalid.
    await breakLocks();
    for (let minute = 10; minute < 20; minute++) {
      await sendLive('web-1.cpu', START + minute * MINUTE, usualValue(START + minute * MINUTE));
    }
    await until('the anomaly to close', async () => (await get('/anomalies?state=resolved')).anomalies[0]);
    const after = await anomalyRows();
    expect(after.map(({ id, start_timestamp }) => ({ id, start_timestamp }))).toEqual(
      before.map(({ id, start_timestamp }) => ({ id, start_timestamp })),
    );
    await storedPoints('web-1.cpu', START - 2 * DAY, app.clock.now(), (2 * DAY) / MINUTE + 20);
  });

  it('continues after a clean stop with the learnt state', async () => {
    await sendHistory('web-1.cpu', 2 * DAY);
    await storedPoints('web-1.cpu', START - 2 * DAY, START, (2 * DAY) / MINUTE);
    await app.close();
    const [{ left }] = await database.dataSource.query('SELECT count(*)::integer AS left FROM point_log');
    expect(left).toBe(0);
    app = await PointApp.create({ database, clock: app.clock });
    await sendLive('web-1.cpu', START, 400);
    await sendLive('web-1.cpu', START + MINUTE, 400);
    await sendLive('web-1.cpu', START + 2 * MINUTE, 400);
    const anomaly = await until('an anomaly', async () => (await get('/anomalies')).anomalies[0]);
    expect(anomaly.expected_range_upper).toBeLessThan(200);
  });

  it('saves learnt state periodically and trims the log up to it', async () => {
    await sendHistory('web-1.cpu', DAY);
    await storedPoints('web-1.cpu', START - DAY, START, DAY / MINUTE);
    app.clock.seconds += 31;
    await sendLive('web-1.cpu', app.clock.now(), 100);
    const rows = await until('a checkpoint', async () => {
      const found = await database.dataSource.query(
        `SELECT "partition", c.position, octet_length(bytes) AS bytes
         FROM detection_checkpoint c JOIN detection_checkpoint_page USING ("partition")`,
      );
      return found.length > 0 ? found : undefined;
    });
    expect(rows[0].bytes).toBeGreaterThan(1000);
    await until('the log to be trimmed', async () => {
      const [{ left }] = await database.dataSource.query(
        'SELECT count(*)::integer AS left FROM point_log WHERE "partition" = $1 AND position <= $2',
        [rows[0].partition, rows[0].position],
      );
      return left === 0 ? true : undefined;
    });
  });

  it('detects a counter, and relearns it as a counter from its stored points', async () => {
    const minutes = 3 * 1440;
    const first = START - (START % MINUTE) - minutes * MINUTE;
    const reading = (row: number): number => 1000 + row * 60 + (row % 3);
    const send = (from: number, to: number, options: string, value = reading) => {
      const lines = Array.from({ length: to - from }, (_, i) => {
        const row = from + i;
        return `jobs done=${String(value(row))} ${String(first + row * MINUTE)}`;
      });
      const post = app.http().post(`/write?precision=s${options}`).set('X-Auth-Token', token);
      return post.send(lines.join('\n')).expect(204);
    };
    await send(0, minutes, '&backfill=true');
    const metric = async () => (await database.dataSource.query('SELECT type, points FROM metric'))[0];
    await until('a counter', async () => ((await metric()).type === 'counter' ? true : undefined));
    await storedPoints('jobs_done', first, START, minutes);
    await app.get(DefinitionChangesService).run();

    // Nothing is counted any more: only a series that knows its rate is out of its range.
    for (let minute = 0; minute < 15; minute++) {
      app.clock.seconds = Math.max(app.clock.seconds, first + (minutes + minute + 1) * MINUTE);
      await send(minutes + minute, minutes + minute + 1, '', () => reading(minutes - 1));
    }
    const anomaly = await until('an anomaly', async () => (await get('/anomalies?metric=jobs_done')).anomalies[0]);
    expect(anomaly).toMatchObject({ metric: 'jobs_done', value: 0 });
    expect(anomaly.expected_range_lower).toBeGreaterThan(0.5);
  });

  it('applies longer slots of the organisation, and relearns the series in them', async () => {
    await sendHistory('web-1.cpu', DAY);
    await storedPoints('web-1.cpu', START - DAY, START, DAY / MINUTE);
    const metric = async () => (await database.dataSource.query('SELECT id, points, ready_range FROM metric'))[0];
    await until('the range to be known', async () => ((await metric()).ready_range ? true : undefined));
    await database.dataSource.query('UPDATE org SET retention_1_resolution_seconds = 300');
    await app.get(DefinitionChangesService).run();
    const first = START - (START % 300) + 300;
    for (let minute = 0; minute < 20; minute++) {
      await sendLive('web-1.cpu', first + minute * MINUTE, 100 + minute);
    }
    const { id } = await metric();
    const slots = await until('the slots', async () => {
      const { timestamps, values } = await app.series.readRaw(id, first, first + DAY);
      return values.at(-1) === 119 ? [...timestamps].map((at, i) => [at - first, values[i]]) : undefined;
    });
    expect(slots).toEqual([
      [0, 104],
      [300, 109],
      [600, 114],
      [900, 119],
    ]);
    await until('learning to restart', async () => ((await metric()).ready_range ? undefined : true));
    expect((await metric()).points).toBeLessThan(10);
    // Points that were stored before are unchanged, and are read in the new slots.
    expect((await app.series.readRaw(id, first - DAY, first - 600)).timestamps.length).toBeGreaterThan(1400);
    const answer = await get(`/metric/web-1.cpu/timeseries?from=${String(first - 3600)}&until=${String(first)}`);
    expect(answer).toMatchObject({ resolution_seconds: 300, tier: 1, aggregated: true });
    const expectation = await get('/metric/web-1.cpu/yhat');
    expect(expectation).toMatchObject({ resolution_seconds: 300, available: true });
    expect(expectation.yhat.length).toBeGreaterThan(250);
  });

  it('applies a changed time zone of the organisation', async () => {
    await sendHistory('web-1.cpu', 300 * MINUTE);
    await storedPoints('web-1.cpu', START - 300 * MINUTE, START, 300);
    const lookUps = jest.spyOn(app.get(MetricRegistryService), 'definitions');
    await sendLive('web-1.cpu', START, 100);
    await storedPoints('web-1.cpu', START - 300 * MINUTE, START, 301);
    expect(lookUps).not.toHaveBeenCalled();
    await database.dataSource.query(`UPDATE org SET timezone = 'Asia/Tokyo'`);
    await app.get(DefinitionChangesService).run();
    await sendLive('web-1.cpu', START + MINUTE, 100);
    await storedPoints('web-1.cpu', START - 300 * MINUTE, START + MINUTE, 302);
    // The points of a batch are stored in parallel with its detection, not after it.
    const definitions = await until('detection to ask for the definition', () =>
      Promise.resolve(lookUps.mock.results.at(-1)?.value),
    );
    expect(definitions).toMatchObject([{ timezone: 'Asia/Tokyo', slotSeconds: 60 }]);
  });

  it('forgets erased metrics', async () => {
    await sendHistory('web-1.cpu', DAY);
    await storedPoints('web-1.cpu', START - DAY, START, DAY / MINUTE);
    await database.dataSource.query('DELETE FROM metric');
    await app.get(DefinitionChangesService).run();
    app.clock.seconds += 1200;
    const empty = { ids: new Uint32Array(0), timestamps: new Float64Array(0), values: new Float64Array(0) };
    await app.log.append(empty, 'tick');
    await sendHistory('web-2.cpu', DAY);
    await storedPoints('web-2.cpu', START - DAY, START, DAY / MINUTE);
    expect((await get('/anomalies')).anomalies).toEqual([]);
  });

  it('detects missing data by ticks, but only of metrics that have sent live points', async () => {
    await sendHistory('web-1.cpu', DAY);
    await sendHistory('imported.cpu', DAY);
    await sendLive('web-1.cpu', START, usualValue(START));
    await tickAfter(1200);
    const anomaly = await until('an anomaly', async () => (await get('/anomalies')).anomalies[0]);
    expect(anomaly).toMatchObject({ kind: 'missing_data', value: null, state: 'open', metric: 'web-1.cpu' });
    await app.get(MetricStatesService).run();
    const states = 'SELECT m.name, s.state FROM metric m JOIN metric_search s ON s.metric_id = m.id ORDER BY m.name';
    expect(await database.dataSource.query(states)).toEqual([
      { name: 'imported.cpu', state: 'active' },
      { name: 'web-1.cpu', state: 'stale' },
    ]);
    expect((await get('/anomalies')).anomalies).toHaveLength(1);
  });

  it('does not treat the end of a backfill as missing data, even after a restart and a replay of the log', async () => {
    await sendHistory('imported.cpu', DAY);
    await storedPoints('imported.cpu', START - DAY, START, DAY / MINUTE);
    await breakLocks();
    await tickAfter(1200);
    await app.close();
    app = await PointApp.create({ database, clock: app.clock });
    await tickAfter(DAY);
    // Later points show that the ticks were applied.
    for (let minute = 0; minute < 10; minute++) await sendLive('imported.cpu', app.clock.now() + MINUTE, 400);
    await until('an anomaly of values', async () => (await get('/anomalies')).anomalies[0]);
    const kinds = await database.dataSource.query('SELECT DISTINCT kind FROM anomaly');
    expect(kinds).not.toContainEqual({ kind: 'missing_data' });
  });

  it('stores and learns points buffered for hours in any order, and records their anomaly as backfill', async () => {
    await sendHistory('web-1.cpu', 2 * DAY);
    const first = START - (START % MINUTE);
    app.clock.seconds = START + 4 * 3600;
    const timestamps = Array.from({ length: 180 }, (_, i) => first + i * MINUTE);
    const values = timestamps.map((timestamp, i) => (i >= 60 && i < 75 ? 400 : usualValue(timestamp)));
    const metrics = [{ metric: 'web-1.cpu', timestamps: timestamps.toReversed(), values: values.toReversed() }];
    await app.http().post('/ingest/metrics').set('X-Auth-Token', token).send({ metrics }).expect(204);
    const stored = await storedPoints('web-1.cpu', first + MINUTE, app.clock.now(), 180);
    expect(stored).toEqual(timestamps.map((timestamp, i) => [timestamp, values[i]]));
    const anomaly = await until('an anomaly', async () => (await get('/anomalies')).anomalies[0]);
    expect(anomaly.timestamp).toBe(first + 60 * MINUTE);
    expect(await database.dataSource.query('SELECT DISTINCT backfill FROM anomaly')).toEqual([{ backfill: true }]);
  });

  it('drops points of erased metrics', async () => {
    const log = app.log;
    await log.append(
      { ids: Uint32Array.of(4711), timestamps: Float64Array.of(START), values: Float64Array.of(1) },
      'live',
    );
    await sendHistory('web-1.cpu', DAY);
    await storedPoints('web-1.cpu', START - DAY, START, DAY / MINUTE);
    expect(await app.series.extent(4711)).toBeNull();
  });

  it('returns the expected range of a window and of one time', async () => {
    await sendHistory('web-1.cpu', 3 * DAY);
    await storedPoints('web-1.cpu', START - 3 * DAY, START, (3 * DAY) / MINUTE);
    const answer = await get('/metric/web-1.cpu/yhat');
    expect(answer).toMatchObject({ available: true, reason: null, resolution_seconds: 60, anomalous_periods: [] });
    // The newest slot of the window has no point yet.
    expect(answer.yhat).toHaveLength(DAY / MINUTE - 1);
    const inside = answer.yhat.filter((point: Record<'value' | 'yhat_lower' | 'yhat_upper', number>) => {
      return point.value >= point.yhat_lower && point.value <= point.yhat_upper;
    });
    expect(inside.length / answer.yhat.length).toBeGreaterThan(0.9);
    const thin = await get(
      '/metric/web-1.cpu/yhat?max_points=10&include_value=false&include_mean=false&include_yhat_real_lower=false',
    );
    expect(thin.resolution_seconds).toBe(8700);
    expect(thin.yhat.length).toBeLessThanOrEqual(10);
    expect(thin.yhat[0].timestamp).toBeGreaterThanOrEqual(thin.from);
    expect(thin.yhat[1]).toMatchObject({
      yhat: expect.any(Number),
      value: null,
      mean: null,
      yhat_real_lower: null,
      anomalous: false,
    });
    const looked = await get(`/anomaly/lookup?metric=web-1.cpu&timestamp=${String(START - 600)}`);
    expect(looked.anomaly).toMatchObject({
      id: null,
      kind: null,
      severity: 0,
      peak_timestamp: looked.anomaly.timestamp,
      peak_value: looked.anomaly.value,
      explanation: [{ observed: looked.anomaly.value, timestamp: looked.anomaly.timestamp }],
      state: 'resolved',
      close_reason: null,
      training: { trainable: false, trainable_status: 'not_recorded' },
    });
    expect(looked.anomaly.expected_range_lower).toBeLessThan(looked.anomaly.value);
  });

  async function tickAfter(seconds: number): Promise<void> {
    const empty = { ids: new Uint32Array(0), timestamps: new Float64Array(0), values: new Float64Array(0) };
    app.clock.seconds += seconds;
    await app.log.append(empty, 'tick');
  }

  async function sendHistory(metric: string, seconds: number): Promise<void> {
    // The last slot before START is the last one of the history.
    const first = START - (START % MINUTE) - seconds;
    const timestamps = Array.from({ length: seconds / MINUTE }, (_, i) => first + i * MINUTE);
    await app
      .http()
      .post('/ingest/metrics')
      .set('X-Auth-Token', token)
      .set('X-Backfill', 'true')
      .send({ metrics: [{ metric, timestamps, values: timestamps.map(usualValue) }] })
      .expect(204);
  }

  async function sendLive(metric: string, timestamp: number, value: number): Promise<void> {
    app.clock.seconds = Math.max(app.clock.seconds, timestamp);
    await app.http().post('/ingest/metrics').set('X-Auth-Token', token).send({ metric, timestamp, value }).expect(204);
  }

  async function get(path: string) {
    const answer = await app.http().get(`/api${path}`).set('X-Auth-Token', token).expect(200);
    return answer.body.data;
  }

  async function storedPoints(metric: string, from: number, to: number, count: number): Promise<[number, number][]> {
    const store = app.series;
    return until('the points', async () => {
      const [row] = await database.dataSource.query('SELECT id FROM metric WHERE name = $1', [metric]);
      const { timestamps, values } = await store.readRaw(row.id, from - MINUTE, to);
      return timestamps.length === count
        ? [...timestamps].map((ts, i): [number, number] => [ts, values[i]!])
        : undefined;
    });
  }

  function anomalyRows(): Promise<{ id: number; start_timestamp: number }[]> {
    return database.dataSource.query('SELECT * FROM anomaly ORDER BY id');
  }

  async function breakLocks(): Promise<void> {
    const broken = await database.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM (
         SELECT DISTINCT pid FROM pg_locks
         WHERE locktype = 'advisory' AND objsubid = 2 AND classid = x'706c0001'::int
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       ) AS holder`,
    );
    expect(broken).toEqual([{ pg_terminate_backend: true }]);
  }
});
