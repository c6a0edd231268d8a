import { Permission } from '#libs/contracts';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { DetectApiModule } from './detect-api.module.js';

const BASE = '/anomalydetector/v1.1/timeseries';
const POINTS = Array.from({ length: 24 }, (_, row) => ({ value: 100 + ((row * 7919) % 13) }));

let app: MetricApp;
let orgId: number;
let key: string;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [DetectApiModule]);
  orgId = (await app.anOrg()).id;
  key = await app.aToken(orgId, Permission.Read);
});
afterAll(() => app.close());

const post = (path: string, headers: Record<string, string>, body: object | string = { series: POINTS }) =>
  app
    .http()
    .post(`${BASE}/${path}/detect`)
    .set({ 'Content-Type': 'application/json', ...headers })
    .send(body);

describe('the API of the retired detection service', () => {
  it.each(['entire', 'last'])('%s returns the original format, with a subscription key or a token', async (path) => {
    const variants: Record<string, string>[] = [
      { 'Ocp-Apim-Subscription-Key': key },
      { 'X-Auth-Token': key },
      { Authorization: `Bearer ${key}` },
    ];
    for (const headers of variants) {
      const { status, body } = await post(path, headers);
      expect([status, body]).toMatchObject([200, { period: expect.any(Number) }]);
      expect(body).not.toHaveProperty('status');
    }
  });

  it.each(['change-point', 'changepoint'])('%s finds change points', async (path) => {
    const series = POINTS.map((point, row) => ({ ...point, timestamp: `2024-01-${String(row + 1).padStart(2, '0')}` }));
    const { body } = await post(path, { 'Ocp-Apim-Subscription-Key': key }, { series, granularity: 'daily' });
    expect(body.isChangePoint).toHaveLength(24);
  });

  it('reports the code and the message of an invalid request', async () => {
    const answer = await post('entire', { 'Ocp-Apim-Subscription-Key': key }, { series: POINTS.slice(0, 5) });
    expect([answer.status, answer.headers['x-ms-error-code']]).toEqual([400, 'BadArgument']);
    expect(answer.body).toEqual({ code: 'BadArgument', message: expect.stringContaining('12 to 8640 points') });
    expect((await post('last', { 'Ocp-Apim-Subscription-Key': key }, '{')).body.code).toBe('InvalidJsonFormat');
  });

  it('returns gateway errors for a missing or wrong key, wrong permission, type, size or method', async () => {
    const sender = await app.aToken(orgId, Permission.Ingest);
    const json = { 'Ocp-Apim-Subscription-Key': key };
    const answers = [
      await post('entire', {}),
      await post('entire', { 'Ocp-Apim-Subscription-Key': 'pl_wrong' }),
      await post('entire', { 'Ocp-Apim-Subscription-Key': sender }),
      await post('entire', { ...json, 'Content-Type': 'text/plain' }, 'x'),
      await post('entire', json, { series: POINTS, more: 'x'.repeat(1_100_000) }),
      await app.http().get(`${BASE}/entire/detect`).set(json),
    ];
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 403, 415, 413, 405]);
    expect(answers.map(({ body }) => body.error.code)).toEqual(statuses.map(String));
  });

  it('does not accept the subscription key header on other routes', async () => {
    expect((await app.http().get('/api/metrics').set('Ocp-Apim-Subscription-Key', key)).status).toBe(401);
  });
});
