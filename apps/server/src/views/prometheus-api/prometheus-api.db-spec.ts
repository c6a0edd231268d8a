import { readFileSync } from 'node:fs';
import { Permission } from '#libs/contracts';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { PrometheusApiModule } from './prometheus-api.module.js';

/** The clock also has fractions of a second. */
const NOW = START + 0.25;

let app: MetricApp;
let clock: HandClock;
let orgId: number;
let token: string;

beforeAll(async () => {
  clock = new HandClock();
  app = await MetricApp.create({ clock }, [PrometheusApiModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  clock.seconds = START;
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  token = await app.aToken(orgId, Permission.Read);
});

/** Parameters of a call; a list repeats its parameter. */
type Asked = Record<string, string | number | string[]>;

function formOf(asked: Asked): string {
  const pairs = Object.entries(asked).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

async function ask(path: string, asked: Asked = {}) {
  const answer = await app
    .http()
    .get(`/prometheus/${path}?${formOf(asked)}`)
    .set('X-Auth-Token', token);
  return { status: answer.status, body: answer.body, text: answer.text, headers: answer.headers };
}

async function found(path: string, asked: Asked = {}) {
  const { status, body } = await ask(`api/v1/${path}`, asked);
  if (status !== 200) throw new Error(`${String(status)} ${JSON.stringify(body)}`);
  return body.data;
}

/** Stores a metric with `count` points, one every `pace` seconds up to now, and returns its id. */
async function aSeries(
  name: string,
  labels: Record<string, string> = {},
  { pace = 60, count = 10, of = orgId, ended = false, type = 'gauge' } = {},
): Promise<number> {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  const id = await app.aMetric(of, pairs.length === 0 ? name : `${name}{${pairs.sort().join(',')}}`, { labels });
  const first = START - (START % pace) - (count - 1) * pace;
  const timestamps = Float64Array.from({ length: count }, (_, i) => first + i * pace);
  const values = timestamps.map((_, i) => i);
  await app.series.write({ ids: new Uint32Array(count).fill(id), timestamps, values });
  await app.database.dataSource.query(
    `UPDATE metric SET first_timestamp = $2, last_timestamp = $3, last_value = $4, resolution_seconds = $5, has_ended = $6,
       type = $7 WHERE id = $1`,
    [id, first, timestamps.at(-1), count - 1, pace, ended, type],
  );
  return id;
}

interface GrafanaRequest {
  what: string;
  method: 'GET' | 'POST';
  path: string;
  form?: string;
  status: number;
  data?: unknown;
}

const GRAFANA = JSON.parse(
  readFileSync(new URL('../../../../../test/golden/prometheus-api/grafana.json', import.meta.url), 'utf8'),
) as { requests: GrafanaRequest[] };

describe('a request from Grafana', () => {
  it.each(GRAFANA.requests.map((request) => [request.what, request] as const))(
    'gets the expected answer: %s',
    async (_, { method, path, form, status, data }) => {
      await aSeries('http_requests_total', { job: 'api', host: 'a' });
      await aSeries('web-1.cpu');
      const timed = (text: string) =>
        text.replaceAll('{now}', String(START)).replaceAll('{from}', String(START - 3600));
      const call = app.http()[method === 'GET' ? 'get' : 'post'](`/prometheus${timed(path)}`);
      void call.set({ Authorization: `Basic ${Buffer.from(`grafana:${token}`).toString('base64')}` });
      void call.set({ 'User-Agent': 'Grafana/11.2.0', 'Accept-Encoding': 'gzip', 'X-Grafana-Org-Id': '1' });
      const answer = await (form === undefined ? call : call.type('form').send(timed(form)));
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ status: status === 200 ? 'success' : 'error' });
      const expected = JSON.parse(timed(JSON.stringify(data ?? null)).replaceAll(`"${String(START)}"`, String(START)));
      if (expected !== null) expect(answer.body.data).toEqual(expected);
    },
  );
});

describe('an instant query', () => {
  it('finds a metric by name and labels, case-sensitively', async () => {
    await aSeries('http_requests', { job: 'api', Method: 'GET' });
    await aSeries('http_requests', { job: 'web', Method: 'GET' });
    const { resultType, result } = await found('query', { query: 'http_requests{job="api"}' });
    expect(resultType).toBe('vector');
    expect(result).toEqual([{ metric: { __name__: 'http_requests', job: 'api', Method: 'GET' }, value: [NOW, '9'] }]);
    expect((await found('query', { query: 'http_requests{job="API"}' })).result).toEqual([]);
    expect((await found('query', { query: 'HTTP_requests' })).result).toEqual([]);
  });

  it.each([
    ['{metric="web-1.cpu"}', ['web-1.cpu']],
    ['{metric="up{job=\\"api\\"}"}', ['up']],
    ['{metric="up{ job = \\"api\\" }"}', ['up']],
    ['{"web-1.cpu"}', ['web-1.cpu']],
    ['{__name__=~"web-1.*|x"}', ['web-1.cpu']],
    ['{__name__=~"web-1\\\\..*"}', ['web-1.cpu']],
    ['{__name__=~"(up|web-1\\\\.cpu)"}', ['up', 'web-1.cpu']],
    ['{job!=""}', ['up']],
    ['{__name__!="up",job!="x",metric!=""}', ['own', 'web-1.cpu']],
    ['{__name__=~"u.+",job=~"a.i"}', ['up']],
    ['{__name__=~"u.+",job!~"a.i"}', []],
    ['{__name__="up",job=~"api|web"}', ['up']],
    ['{__name__="up",job=~".*"}', ['up']],
    ['{__name__="web-1.cpu",job=""}', ['web-1.cpu']],
    ['{__name__="up",job=""}', []],
    ['{metric="mine"}', ['own']],
    ['{metric=~"web.*|mine"}', ['own', 'web-1.cpu']],
    ['{metric!="mine",__name__=~"own|up"}', ['up']],
  ])('with %s returns the metrics %j', async (query, names) => {
    await aSeries('web-1.cpu');
    await aSeries('up', { job: 'api' });
    await aSeries('own', { metric: 'mine' });
    const { result } = await found('query', { query });
    expect(result.map(({ metric }: { metric: Record<string, string> }) => metric.__name__).sort()).toEqual(names);
  });

  it('never returns data of another organisation', async () => {
    const other = (await app.anOrg()).id;
    await aSeries('up', { secret: 'theirs' }, { of: other });
    for (const query of ['up', '{metric=~".+"}', '{secret="theirs"}', 'plumbline_anomalous']) {
      expect((await found('query', { query })).result).toEqual([]);
    }
    for (const path of ['labels', 'label/__name__/values', 'label/secret/values', 'label/metric/values']) {
      expect(await found(path)).toEqual([]);
    }
    expect(await found('series', { 'match[]': 'up' })).toEqual([]);
    expect(Object.keys(await found('metadata'))).not.toContain('up');
    expect((await ask('federate', { 'match[]': 'up' })).text).toBe('');
  });

  it('returns the latest value for five minutes or three times the interval of the metric', async () => {
    await aSeries('minutes');
    await aSeries('hours', {}, { pace: 3600, count: 5 });
    const at = async (query: string, time: number) => (await found('query', { query, time })).result[0]?.value?.[1];
    const last = START - (START % 60);
    const lastHour = START - (START % 3600);
    expect(await at('minutes', last - 30)).toBe('8');
    expect(await at('minutes', last + 299)).toBe('9');
    expect(await at('minutes', last + 300)).toBeUndefined();
    expect(await at('minutes', last - 600)).toBeUndefined();
    expect(await at('hours', lastHour + 3599)).toBe('4');
    expect(await at('hours', lastHour + 3 * 3600 - 1)).toBe('4');
    expect(await at('hours', lastHour + 3 * 3600)).toBeUndefined();
    expect(await at('hours offset 1h', lastHour)).toBe('3');
    expect(await at(`minutes @ ${String(last - 60)}`, last + 9999)).toBe('8');
    expect((await found('query', { query: 'minutes', time: last + 100, lookback_delta: '1m' })).result).toEqual([]);
  });

  it('ends a series one interval after its last point if the sender has ended it', async () => {
    await aSeries('over', {}, { ended: true });
    const last = START - (START % 60);
    const at = async (time: number) => (await found('query', { query: 'over', time })).result.length;
    expect([await at(last), await at(last + 59), await at(last + 60), await at(last - 10)]).toEqual([1, 1, 0, 1]);
  });

  it('returns the points of a range selector', async () => {
    await aSeries('up');
    const last = START - (START % 60);
    const { resultType, result } = await found('query', { query: 'up[2m]', time: last });
    expect(resultType).toBe('matrix');
    expect(result[0].values).toEqual([
      [last - 60, '8'],
      [last, '9'],
    ]);
  });

  it.each([
    ['1+1', { resultType: 'scalar', result: [NOW, '2'] }],
    ['vector(1)', { resultType: 'vector', result: [{ metric: {}, value: [NOW, '1'] }] }],
    ['1/0', { resultType: 'scalar', result: [NOW, '+Inf'] }],
    ['"x"', { resultType: 'string', result: [NOW, 'x'] }],
  ])('returns the constant %s', async (query, data) => {
    expect(await found('query', { query })).toEqual(data);
  });

  it('truncates at the limit, with a warning', async () => {
    for (const job of ['a', 'b', 'c']) await aSeries('up', { job });
    const { body } = await ask('api/v1/query', { query: 'up', limit: 2 });
    expect(body.data.result).toHaveLength(2);
    expect(body.warnings).toEqual(['results truncated due to limit']);
    expect((await ask('api/v1/query', { query: 'up', limit: 3 })).body).not.toHaveProperty('warnings');
  });
});

describe('a range query', () => {
  it('returns the value at each step from the start', async () => {
    await aSeries('up');
    const last = START - (START % 60);
    const asked = { query: 'up', start: last - 120 + 7, end: last + 400, step: '90s' };
    const { resultType, result } = await found('query_range', asked);
    expect(resultType).toBe('matrix');
    expect(result[0].values).toEqual([
      [last - 113, '7'],
      [last - 23, '8'],
      [last + 67, '9'],
      [last + 157, '9'],
      [last + 247, '9'],
    ]);
  });

  it('returns a continuous line for an hourly metric', async () => {
    await aSeries('hours', {}, { pace: 3600, count: 24 });
    const last = START - (START % 3600);
    const { result } = await found('query_range', { query: 'hours', start: last - 20 * 3600, end: last, step: 60 });
    expect(result[0].values).toHaveLength(1201);
  });

  it('accepts RFC 3339 times and fractions of a second', async () => {
    await aSeries('up');
    const at = (seconds: number) => new Date(seconds * 1000).toISOString();
    const { result } = await found('query_range', { query: 'up', start: at(START - 1), end: at(START), step: '0.5' });
    expect(result[0].values.map(([time]: [number]) => time)).toEqual([START - 1, START - 0.5, START]);
  });

  it('returns a constant at each step', async () => {
    const { result } = await found('query_range', { query: '1+1', start: START, end: START + 60, step: 60 });
    expect(result).toEqual([
      {
        metric: {},
        values: [
          [START, '2'],
          [START + 60, '2'],
        ],
      },
    ]);
  });

  it('returns at most 11,000 points per series', async () => {
    await aSeries('up');
    const asked = { query: 'up', start: 0, end: 11_000, step: 1 };
    expect((await ask('api/v1/query_range', asked)).status).toBe(200);
    const { status, body } = await ask('api/v1/query_range', { ...asked, end: 11_001 });
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'error', errorType: 'bad_data', error: expect.stringContaining('11,000') });
  });
});

describe('derived series', () => {
  it('report whether an anomaly is open, with the labels and the name of the metric', async () => {
    const id = await aSeries('up', { job: 'api' });
    await aSeries('web-1.cpu');
    const own = await aSeries('own', { metric: 'mine' });
    const last = START - (START % 60);
    await app.anAnomaly(orgId, id, last - 180);
    await app.anAnomaly(orgId, own, last - 300, last - 240);
    const { result } = await found('query', { query: 'plumbline_anomalous' });
    expect(result).toEqual([
      { metric: { __name__: 'plumbline_anomalous', job: 'api', metric: 'up{job="api"}' }, value: [NOW, '1'] },
      { metric: { __name__: 'plumbline_anomalous', metric: 'web-1.cpu' }, value: [NOW, '0'] },
      {
        metric: { __name__: 'plumbline_anomalous', exported_metric: 'mine', metric: 'own{metric="mine"}' },
        value: [NOW, '0'],
      },
    ]);
    const range = { start: last - 360, end: last, step: 60 };
    const line = async (query: string) =>
      (await found('query_range', { query, ...range })).result[0].values
        .map(([, value]: [number, string]) => value)
        .join('');
    expect(await line('plumbline_anomalous{metric="up{job=\\"api\\"}"}')).toBe('0001111');
    expect(await line('plumbline_anomalous{exported_metric="mine"}')).toBe('0110000');
  });

  it('report the expected range and the score once enough is learnt', async () => {
    await aSeries('steady', {}, { count: 600 });
    const last = START - (START % 60);
    for (const name of ['expected', 'expected_lower', 'expected_upper', 'score']) {
      const query = `plumbline_${name}{metric="steady"}`;
      const { result } = await found('query_range', { query, start: last - 600, end: last, step: 60 });
      expect(result).toHaveLength(1);
      expect(result[0].metric).toEqual({ __name__: `plumbline_${name}`, metric: 'steady' });
      expect(result[0].values.length).toBeGreaterThan(5);
    }
  });

  it('are selected only by their names', async () => {
    await aSeries('up', { job: 'api' });
    const names = async (query: string) =>
      (await found('series', { 'match[]': query })).map((metric: Record<string, string>) => metric.__name__);
    expect(await names('{job="api"}')).toEqual(['up']);
    expect(await names('{__name__!="x",job="api"}')).toEqual(['up']);
    expect(await names('{__name__=~"plumbline_expected.*"}')).toEqual([
      'plumbline_expected',
      'plumbline_expected_lower',
      'plumbline_expected_upper',
    ]);
    expect(await names('{__name__=~".+"}')).toHaveLength(6);
    expect(await names('{__name__=~".+",__name__!~"plumbline_.*"}')).toEqual(['up']);
  });

  it('are limited to two hundred metrics per query if the detector must run', async () => {
    await app.database.dataSource.query(
      `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source, first_timestamp, last_timestamp,
         last_value)
       SELECT $1, 'm' || i, sha256(('m' || i)::bytea), 'm' || i, '{}', 'gauge', 'last', 'http', $2, $2, 1
       FROM generate_series(1, 201) AS i`,
      [orgId, START],
    );
    const { status, body } = await ask('api/v1/query', { query: 'plumbline_score' });
    expect([status, body.errorType]).toEqual([422, 'execution']);
    expect((await found('query', { query: 'plumbline_anomalous' })).result).toHaveLength(201);
  });
});

describe('labels', () => {
  beforeEach(async () => {
    await aSeries('up', { job: 'api', host: 'a' });
    await aSeries('up', { job: 'web', host: 'b' });
    await aSeries('web-1.cpu');
  });

  it('are listed by name and by value', async () => {
    expect(await found('labels')).toEqual(['__name__', 'host', 'job', 'metric']);
    expect(await found('labels', { 'match[]': 'up{job="web"}' })).toEqual(['__name__', 'host', 'job']);
    expect(await found('label/job/values')).toEqual(['api', 'web']);
    expect(await found('label/job/values', { 'match[]': ['up{host="a"}', '{metric="web-1.cpu"}'] })).toEqual(['api']);
    expect(await found('label/nothing/values')).toEqual([]);
    expect(await found('label/__name__/values')).toEqual([
      ...['plumbline_anomalous', 'plumbline_expected', 'plumbline_expected_lower', 'plumbline_expected_upper'],
      ...['plumbline_score', 'up', 'web-1.cpu'],
    ]);
    expect(await found('label/metric/values')).toEqual([
      'up{host="a",job="api"}',
      'up{host="b",job="web"}',
      'web-1.cpu',
    ]);
    expect((await ask('api/v1/label/job/values', { limit: 1 })).body).toMatchObject({
      data: ['api'],
      warnings: ['results truncated due to limit'],
    });
  });

  it('are limited to the window', async () => {
    expect(await found('label/job/values', { start: START + 3600 })).toEqual([]);
    expect(await found('labels', { start: START - 60, end: START })).toContain('job');
    expect(await found('series', { 'match[]': 'up', end: START - 86_400 })).toEqual([]);
    expect(await found('series', { 'match[]': 'up', start: START - (START % 60) })).toHaveLength(2);
  });

  it('include names of any length, sorted by bytes', async () => {
    const long = 'x'.repeat(128);
    for (const name of ['Z', `${long}b`, `${long}a`, long, 'x', 'ä']) await aSeries(name);
    const own = (names: string[]) => names.filter((name) => !name.startsWith('plumbline_'));
    const all = ['Z', 'up', 'web-1.cpu', 'x', long, `${long}a`, `${long}b`, 'ä'];
    expect(own(await found('label/__name__/values'))).toEqual(all);
    expect(own(await found('label/__name__/values', { start: START + 3600 }))).toEqual([]);
    const names = async (pattern: string) => {
      const series: { __name__: string }[] = await found('series', { 'match[]': `{__name__=~"${pattern}"}` });
      return series.map(({ __name__: name }) => name).sort();
    };
    expect(await names(`${long}.+`)).toEqual([`${long}a`, `${long}b`]);
    expect(await names('x.*')).toEqual(['x', long, `${long}a`, `${long}b`]);
    expect(await names('.*[äZ]')).toEqual(['Z', 'ä']);
    expect(await names('X.*')).toEqual([]);
  });

  it('are returned as series, each once', async () => {
    const both = await found('series', { 'match[]': ['up', '{job="api"}'] });
    expect(both).toEqual([
      { __name__: 'up', host: 'a', job: 'api' },
      { __name__: 'up', host: 'b', job: 'web' },
    ]);
    expect((await ask('api/v1/series', { 'match[]': 'up', limit: 1 })).body.warnings).toHaveLength(1);
  });

  it('omit removed metrics', async () => {
    await app.database.dataSource.query(
      `UPDATE metric SET removed_at = now() WHERE org_id = $1 AND display_name = 'up'`,
      [orgId],
    );
    expect(await found('label/job/values')).toEqual([]);
    expect((await found('query', { query: 'up' })).result).toEqual([]);
  });

  it('have metadata', async () => {
    await app.database.dataSource.query(
      `UPDATE metric SET type = 'counter', unit = 's', description = 'Seconds.' WHERE org_id = $1 AND name LIKE '%api%'`,
      [orgId],
    );
    const all = await found('metadata');
    expect(all.up).toEqual([
      { type: 'gauge', help: '', unit: '' },
      { type: 'counter', help: 'Seconds.', unit: 's' },
    ]);
    expect(all.plumbline_score[0].type).toBe('gauge');
    expect(Object.keys(await found('metadata', { metric: 'up' }))).toEqual(['up']);
    expect((await found('metadata', { metric: 'up', limit_per_metric: 1 })).up).toHaveLength(1);
    expect(Object.keys(await found('metadata', { limit: 2 }))).toHaveLength(2);
    expect(await found('status/buildinfo')).toMatchObject({ version: '2.42.0' });
  });
});

describe('federation', () => {
  it('lists the newest values by name with their timestamps', async () => {
    await aSeries('up', { job: 'a"b\\c' });
    await aSeries('web-1.cpu', { 'host.name': 'x' });
    await aSeries('old', {}, { ended: true });
    clock.seconds = START + 90;
    const at = String((START - (START % 60)) * 1000);
    const { text, headers } = await ask('federate', { 'match[]': ['{__name__=~"up|old"}', '{metric=~"web.*"}'] });
    expect(headers['content-type']).toContain('version=0.0.4');
    expect(text).toBe(
      [
        '# TYPE up untyped',
        String.raw`up{job="a\"b\\c",instance=""} 9 ${at}`,
        '# TYPE web_1_cpu untyped',
        String.raw`web_1_cpu{host_name="x",metric="web-1.cpu{host.name=\"x\"}",instance="",job=""} 9 ${at}`,
        '',
      ].join('\n'),
    );
    const utf8 = await app
      .http()
      .get('/prometheus/federate')
      .query({ 'match[]': '{"web-1.cpu"}' })
      .set({
        Authorization: `Bearer ${token}`,
        Accept: 'text/plain;version=1.0.0;escaping=allow-utf-8;q=0.6,*/*;q=0.1',
      });
    expect(utf8.text).toBe(`# TYPE "web-1.cpu" untyped\n{"web-1.cpu","host.name"="x",instance="",job=""} 9 ${at}\n`);
  });

  it('requires a selector', async () => {
    expect((await ask('federate')).body).toMatchObject({
      errorType: 'bad_data',
      error: 'no match[] parameter provided',
    });
  });
});

describe('the Prometheus API', () => {
  it('accepts a token in X-Auth-Token, as Bearer, or as the password of Basic authentication', async () => {
    const basic = `Basic ${Buffer.from(`grafana:${token}`).toString('base64')}`;
    for (const headers of [{ 'X-Auth-Token': token }, { Authorization: `Bearer ${token}` }, { Authorization: basic }]) {
      const { body } = await app.http().get('/prometheus/api/v1/query').query({ query: '1' }).set(headers).expect(200);
      expect(body.status).toBe('success');
    }
  });

  it('returns a Prometheus error without a valid read token in a header', async () => {
    const user = await app.aUser(orgId, 'a user');
    const ingest = await app.aToken(orgId, Permission.Ingest);
    const statusOf = async (headers: Record<string, string>, query = '') => {
      const { status, body } = await app.http().get(`/prometheus/api/v1/query?query=1${query}`).set(headers);
      return [status, body.status, body.errorType];
    };
    expect(await statusOf({})).toEqual([401, 'error', 'unauthorized']);
    expect(await statusOf({ 'X-Auth-Token': 'pl_wrong' })).toEqual([401, 'error', 'unauthorized']);
    expect(await statusOf({ 'X-Session-Id': await app.aSession(user.id) })).toEqual([401, 'error', 'unauthorized']);
    expect(await statusOf({}, `&token=${token}`)).toEqual([401, 'error', 'unauthorized']);
    expect(await statusOf({ 'X-Auth-Token': ingest })).toEqual([403, 'error', 'forbidden']);
  });

  it('accepts a form, which takes precedence over the query string', async () => {
    await aSeries('up');
    const { body } = await app
      .http()
      .post('/prometheus/api/v1/query?query=down')
      .set('X-Auth-Token', token)
      .type('form')
      .send({ query: 'up' })
      .expect(200);
    expect(body.data.result).toHaveLength(1);
  });

  it.each([
    ['query', { query: 'sum(up)' }, 422, 'execution', 'is not supported'],
    ['query', { query: 'up{' }, 400, 'bad_data', 'invalid parameter "query": 1:4: parse error'],
    ['query', {}, 400, 'bad_data', 'required'],
    ['query', { query: '{job=~".*"}' }, 400, 'bad_data', 'non-empty matcher'],
    ['query', { query: '{job=~"("}' }, 400, 'bad_data', 'error parsing regexp'],
    ['query', { query: '{job="a\\x00b"}' }, 400, 'bad_data', 'zero byte'],
    ['query', { query: 'up', time: 'now' }, 400, 'bad_data', 'invalid parameter "time"'],
    ['query', { query: 'up', timeout: '-1' }, 400, 'bad_data', 'invalid parameter "timeout"'],
    ['query', { query: 'up', limit: '-1' }, 400, 'bad_data', 'invalid parameter "limit"'],
    ['query_range', { query: 'up', start: '1', end: '2' }, 400, 'bad_data', 'invalid parameter "step"'],
    ['query_range', { query: 'up', start: '2', end: '1', step: '1' }, 400, 'bad_data', 'before start'],
    ['query_range', { query: 'up', start: '1', end: '2', step: '0' }, 400, 'bad_data', 'zero or negative'],
    ['query_range', { query: 'up[5m]', start: '1', end: '2', step: '1' }, 400, 'bad_data', 'range vector'],
    ['series', {}, 400, 'bad_data', 'no match[] parameter'],
    ['series', { 'match[]': '1' }, 400, 'bad_data', 'instant selector'],
    ['labels', { start: '2', end: '1' }, 400, 'bad_data', 'before start'],
    ['targets', {}, 404, 'not_found', ''],
    ['query_exemplars', {}, 400, 'bad_data', 'invalid parameter "query"'],
    [
      'query_exemplars',
      { query: 'up', start: 2, end: 1 },
      400,
      'bad_data',
      'end timestamp must not be before start time',
    ],
    ['label/%00/values', {}, 400, 'bad_data', 'invalid label name'],
  ])('returns for %s %j the error %d %s', async (path, asked, status, errorType, text) => {
    const answer = await ask(`api/v1/${path}`, asked);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ status: 'error', errorType, error: expect.stringContaining(text) });
  });

  it('rejects a result of more than 50,000 series', async () => {
    await app.database.dataSource.query(
      `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source, first_timestamp, last_timestamp,
         last_value)
       SELECT $1, 'm{i="' || i || '"}', sha256(('m' || i)::bytea), 'm', jsonb_build_object('i', i::text), 'gauge', 'last', 'http',
         $2, $2, 1 FROM generate_series(1, 50001) AS i`,
      [orgId, START],
    );
    for (const query of ['m', '{__name__="m",i=~".+"}', '{__name__=~"m|n.+"}']) {
      const { status, body } = await ask('api/v1/query', { query });
      expect([status, body.errorType, body.error]).toEqual([422, 'execution', expect.stringContaining('50000 series')]);
    }
    const { result } = await found('query', { query: 'm{i!="1"}' });
    expect(result).toHaveLength(50_000);
  });
});
