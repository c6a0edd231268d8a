import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { PrometheusStandIn } from '../../../../../test/support/prometheus.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { PrometheusApiModule } from '../../views/prometheus-api/prometheus-api.module.js';
import { SourceReaderService } from '../../data/source/source-reader.service.js';
import { type SourceDto } from '../../data/source/dto/source.dto.js';
import { SourceWriteBackService } from './source-write-back.service.js';
import { WriteBackModule } from './write-back.module.js';

const MINUTE = 60;
const HOUR = 3600;
const NOW = Math.floor(START / MINUTE) * MINUTE;
const HISTORY_SECONDS = 5 * HOUR;
const loadAt = (timestamp: number): number => 100 + (Math.floor(timestamp / MINUTE) % 7);

const SERIES = ['plumbline_expected', 'plumbline_expected_lower', 'plumbline_expected_upper', 'plumbline_score'];

let app: MetricApp;
let store: PrometheusStandIn;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({ env: { PLUMBLINE_OUTGOING: '127.0.0.0/8' } }, [WriteBackModule, PrometheusApiModule]);
  await app.byHand(SourceReaderService);
  await app.byHand(SourceWriteBackService);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = NOW;
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Admin);
  store = await new PrometheusStandIn().listen();
  store.series = [{ metric: { __name__: 'load', host: 'a' }, valueAt: loadAt }];
});
afterEach(async () => {
  await app.database.dataSource.query('DELETE FROM source');
  await store.close();
});

async function call(method: 'get' | 'post' | 'put', path: string, body?: object) {
  const answer = await app.http()[method](`/api${path}`).set('X-Auth-Token', token).send(body);
  return { status: answer.status, data: answer.body.data };
}

const shown = async ({ id }: { id: number }): Promise<SourceDto> =>
  (await call('get', `/source/${String(id)}`)).data.source as SourceDto;

/** Creates a source whose points up to `until` have been read and stored. */
async function aSource(more: object = {}, until = NOW): Promise<SourceDto> {
  const fields = { name: 'load', type: 'promql', url: store.url, query: 'load', write_back: true, ...more };
  const { status, data } = await call('post', '/source', fields);
  expect([status, data.error]).toEqual([200, undefined]);
  await readUpTo(data.source as SourceDto, until);
  return data.source as SourceDto;
}

async function readUpTo({ id }: { id: number }, until: number): Promise<void> {
  await app.database.dataSource.query(
    'UPDATE source SET watermark = $2, is_backfilling = false, series_count = 1, due_at = to_timestamp($3) WHERE id = $1',
    [id, until, NOW + 1e9],
  );
}

/** Creates a metric with one point per minute for five hours. */
async function aMetric(name: string, labels: Record<string, string>, until = NOW): Promise<number> {
  const id = await app.aMetric(orgId, name, { labels });
  await pointsUpTo(id, until - HISTORY_SECONDS, until);
  return id;
}

async function pointsUpTo(id: number, from: number, until: number): Promise<void> {
  const count = (until - from) / MINUTE + 1;
  const timestamps = Float64Array.from({ length: count }, (_, i) => from + i * MINUTE);
  await app.series.write({ ids: new Uint32Array(count).fill(id), timestamps, values: timestamps.map(loadAt) });
  await app.database.dataSource.query(
    `UPDATE metric SET first_timestamp = coalesce(first_timestamp, $2), last_timestamp = $3, resolution_seconds = 60 WHERE id = $1`,
    [id, from, until],
  );
}

const writeBack = (): Promise<void> => app.get(SourceWriteBackService).deliverAll();

/** Returns the times at which a series was written. */
const timesOf = (name: string): number[] => [...(store.written.get(name)?.keys() ?? [])];
const written = (name: string, of = 'load{host="a"}') => `${name}{host="a",metric="${of.replaceAll('"', '\\"')}"}`;

describe('a source with write_back', () => {
  it('receives the range and score of closed slots, equal to those of the Prometheus API', async () => {
    const id = await aMetric('load{host="a"}', { host: 'a' });
    const source = await aSource();
    await writeBack();
    expect([...store.written.keys()].sort()).toEqual(SERIES.map((name) => written(name)).sort());
    for (const name of SERIES) {
      expect(timesOf(written(name))).toEqual([NOW]);
      const query = encodeURIComponent(`${name}{metric="load{host=\\"a\\"}"}`);
      const answer = await app
        .http()
        .get(`/prometheus/api/v1/query?time=${String(NOW)}&query=${query}`)
        .set('X-Auth-Token', token);
      expect(Number(answer.body.data.result[0].value[1])).toBe(store.written.get(written(name))!.get(NOW));
    }
    expect(await shown(source)).toMatchObject({ write_back: true, write_back_timestamp: NOW, write_back_error: null });

    app.clock.seconds += 3 * MINUTE;
    await pointsUpTo(id, NOW, NOW + 3 * MINUTE);
    await readUpTo(source, NOW + 3 * MINUTE);
    await writeBack();
    expect(timesOf(written('plumbline_score'))).toEqual([0, 1, 2, 3].map((i) => NOW + i * MINUTE));
    expect((await shown(source)).write_back_timestamp).toBe(NOW + 3 * MINUTE);
  });

  it('receives the same values again after a process was killed before it stored its position', async () => {
    const id = await aMetric('load{host="a"}', { host: 'a' });
    const source = await aSource();
    await writeBack();
    app.clock.seconds += 2 * MINUTE;
    await pointsUpTo(id, NOW, NOW + 2 * MINUTE);
    await readUpTo(source, NOW + 2 * MINUTE);
    await writeBack();
    const before = new Map([...store.written].map(([name, values]) => [name, new Map(values)]));
    // The store rejects samples that are older than its newest.
    const statement = 'UPDATE source_write_back SET watermark = $2, due_at = to_timestamp(0) WHERE id = $1';
    await app.database.dataSource.query(statement, [source.id, NOW]);
    await writeBack();
    expect(store.written).toEqual(before);
    expect(await shown(source)).toMatchObject({ write_back_timestamp: NOW + 2 * MINUTE, write_back_error: null });
  });

  it('waits for points that are not stored yet', async () => {
    const id = await aMetric('load{host="a"}', { host: 'a' }, NOW - MINUTE);
    const source = await aSource();
    await writeBack();
    expect([store.written.size, (await shown(source)).write_back_timestamp]).toEqual([0, null]);
    await pointsUpTo(id, NOW, NOW);
    app.clock.seconds += 5;
    await writeBack();
    expect(timesOf(written('plumbline_expected'))).toEqual([NOW]);
  });

  it('retries when the store is busy, and continues where it stopped', async () => {
    const id = await aMetric('load{host="a"}', { host: 'a' });
    const source = await aSource();
    await writeBack();
    const taking = store.judgeWrite;
    store.judgeWrite = () => ({ status: 503, headers: { 'Retry-After': '120' }, body: 'busy' });
    await pointsUpTo(id, NOW, NOW + MINUTE);
    await readUpTo(source, NOW + MINUTE);
    app.clock.seconds += MINUTE;
    await writeBack();
    const failed = await shown(source);
    expect(failed).toMatchObject({ write_back_timestamp: NOW, state: 'ok' });
    expect(failed.write_back_error).toMatch(/api\/v1\/write answers 503: busy$/);
    store.judgeWrite = taking;
    app.clock.seconds += 119;
    await writeBack();
    expect(timesOf(written('plumbline_expected'))).toEqual([NOW]);
    app.clock.seconds += 1;
    await writeBack();
    expect(timesOf(written('plumbline_expected'))).toEqual([NOW, NOW + MINUTE]);
    expect((await shown(source)).write_back_error).toBeNull();
  });

  it.each([
    [404, /404: does the store accept remote write/],
    [401, /401: do the credentials permit writing/],
    [307, /307 with another address/],
    [400, /400: no$/],
  ])('stops when the store answers %i, until the source is changed', async (status, says) => {
    await aMetric('load{host="a"}', { host: 'a' });
    const source = await aSource();
    store.judgeWrite = () => ({ status, body: 'no' });
    await writeBack();
    const writes = () => store.received.filter(({ path }) => path === '/api/v1/write').length;
    const tried = writes();
    expect((await shown(source)).write_back_error).toMatch(says);
    app.clock.seconds += HOUR;
    await writeBack();
    expect(writes()).toBe(tried);
    await app.get(EventRecorderService).flush();
    const events = await app.database.dataSource.query<{ text: string }[]>(
      `SELECT text FROM org_event WHERE org_id = $1 AND type = 'source_failing'`,
      [orgId],
    );
    expect(events).toHaveLength(1);
    expect(events[0]!.text).toMatch(/cannot be written back to/);

    await call('put', `/source/${String(source.id)}`, { timeout_seconds: 20 });
    expect((await shown(source)).write_back_error).toBeNull();
    await writeBack();
    expect(writes()).toBe(tried + 1);
  });

  it('sends its credentials, and writes only its own metrics', async () => {
    await aMetric('load{host="a"}', { host: 'a' });
    await aMetric('load{host="b"}', { host: 'b' });
    await aSource({ username: 'me', password: 'pw', headers_set: { 'X-Scope-OrgID': 'team' } });
    await writeBack();
    expect(store.written.size).toBe(4);
    expect(store.received.find(({ path }) => path === '/api/v1/write')!.headers).toMatchObject({
      authorization: 'Basic bWU6cHc=',
      'x-scope-orgid': 'team',
      'content-encoding': 'snappy',
    });
  });

  it('receives nothing after write_back is switched off', async () => {
    await aMetric('load{host="a"}', { host: 'a' });
    const source = await aSource();
    await call('put', `/source/${String(source.id)}`, { write_back: false });
    await writeBack();
    expect(store.written.size).toBe(0);
    expect(await shown(source)).toMatchObject({ write_back: false, write_back_timestamp: null });
  });

  it('must be of type promql', async () => {
    const body = { name: 'x', type: 'graphite', url: store.url, query: 'a.*', write_back: true };
    expect((await call('post', '/source', body)).data).toMatchObject({
      error: { code: 'validation_failed', details: [{ field: 'write_back', code: 'not_one_of' }] },
    });
    const source = await aSource();
    const { status } = await call('put', `/source/${String(source.id)}`, { type: 'graphite' });
    expect(status).toBe(400);
  });
});
