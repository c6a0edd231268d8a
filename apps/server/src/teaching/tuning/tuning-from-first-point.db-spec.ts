import { Permission } from '#libs/contracts';
import { type SeriesHeader } from '#libs/protocols';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { until } from '../../../../../test/support/product.js';
import { MetricRegistryService } from '../../data/metric/metric-registry.service.js';
import { TuningApplicationService } from './tuning-application.service.js';
import { TuningModule } from './tuning.module.js';

const MINUTE = 60;
const DAY = 86_400;
const ROWS = (3 * DAY) / MINUTE;
const SPIKE = ROWS - 60;
const FIRST = START - (START % MINUTE) - ROWS * MINUTE;

let database: TestDatabase;
let app: MetricApp;
const clock = new HandClock();
let orgId: number;
let token: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await start();
  orgId = (await app.anOrg()).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Write, Permission.Ingest);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

async function start(): Promise<void> {
  app = await MetricApp.create({ database, clock }, [TuningModule]);
  // A separate round applies tunings to existing metrics. It is disabled here, because the metrics are new.
  await app.byHand(TuningApplicationService);
}

const tune = (chips: string, fields: object) =>
  app.call('post', '/tuning', { token }, { chips, ...fields }).then(({ data }) => data.tuning.id as number);

/** Sends three days of each metric in one body, with an upward spike an hour before the end. */
async function send(...names: string[]): Promise<void> {
  const timestamps = Array.from({ length: ROWS }, (_, row) => FIRST + row * MINUTE);
  const values = timestamps.map(
    (_, row) => 100 + ((row * 7919) % 101) / 10 + (row >= SPIKE && row < SPIKE + 4 ? 300 : 0),
  );
  await app
    .http()
    .post('/ingest/metrics')
    .set('X-Auth-Token', token)
    .set('X-Backfill', 'true')
    .send({ metrics: names.map((metric) => ({ metric, timestamps, values })) })
    .expect(204);
  await until('all points to be judged', async () => {
    const rows = await database.dataSource.query<{ points: number }[]>(
      'SELECT points FROM metric WHERE org_id = $1 AND name = ANY($2)',
      [orgId, names],
    );
    return (rows.length === names.length && rows.every(({ points }) => points === ROWS)) || undefined;
  });
}

const anomalies = async (name: string): Promise<{ from: number }[]> =>
  database.dataSource.query(
    `SELECT a.start_timestamp AS "from" FROM anomaly a JOIN metric m ON m.id = a.metric_id WHERE m.name = $1`,
    [name],
  );
const termsOf = async (name: string): Promise<unknown> => {
  const [row] = await database.dataSource.query<{ terms: unknown }[]>(
    'SELECT t.terms FROM metric m LEFT JOIN detection_terms t ON t.id = m.terms_id WHERE m.name = $1',
    [name],
  );
  return row!.terms;
};

it('a tuning applies from the first point of new metrics, even after a restart', async () => {
  await tune('web-*', { direction: 'down' });
  for (const time of ['before', 'after']) {
    await send(`web-${time}`, `db-${time}`);
    expect(await anomalies(`db-${time}`)).toEqual([{ from: FIRST + SPIKE * MINUTE }]);
    expect(await anomalies(`web-${time}`)).toEqual([]);
    await app.close();
    await start();
  }
});

it('a new metric gets the tuning with most chips, then the newest, even one with only defaults', async () => {
  await tune('@source:http,@type:gauge,one', { sensitivity: 2 });
  await tune('one', { sensitivity: 4 });
  await tune('defaults', { sensitivity: 3 });
  await tune('defaults,-one', {});
  await app.get(MetricRegistryService).resolve(orgId, 'http', ['some.one', 'some.defaults', 'another'].map(headerOf));
  expect(await Promise.all(['some.one', 'some.defaults', 'another'].map(termsOf))).toEqual([
    { sensitivity: 2 },
    null,
    null,
  ]);
});

it('a removed metric that sends again gets the current tuning', async () => {
  const registry = app.get(MetricRegistryService);
  const resolve = () => registry.resolve(orgId, 'http', [headerOf('returning')]);
  const [id] = (await resolve()).ids;
  await registry.remove(orgId, [id!]);
  await tune('returning', { sensitivity: 0.5 });
  await app.get(TuningApplicationService).run();
  await resolve();
  expect(await termsOf('returning')).toEqual({ sensitivity: 0.5 });
});

it('applying tunings again uses no ids of the sequence', async () => {
  const id = await tune('again', { sensitivity: 0.7 });
  const last = async () => {
    await app.get(TuningApplicationService).run();
    const [row] = await database.dataSource.query<{ value: string }[]>(
      `SELECT last_value AS value FROM pg_sequences WHERE sequencename = 'detection_terms_id_seq'`,
    );
    return row!.value;
  };
  const before = await last();
  for (let round = 0; round < 3; round++) {
    await app
      .http()
      .put(`/api/tuning/${String(id)}`)
      .set('X-Auth-Token', token)
      .send({ name: String(round) });
    expect(await last()).toBe(before);
  }
});

function headerOf(name: string): SeriesHeader {
  const undescribed = { type: null, typeIsSuffix: false, aggregation: null, unit: null, description: null };
  return { name, backfill: false, ...undescribed };
}
