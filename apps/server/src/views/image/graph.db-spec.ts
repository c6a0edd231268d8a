import { DataSource } from 'typeorm';
import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { statementsOf } from '../../../../../test/support/statements.js';
import { ImageModule } from './image.module.js';

let app: MetricApp;
let token: string;
let anomalyId: number;

beforeAll(async () => {
  app = await MetricApp.create({ env: { PLUMBLINE_ROLES: 'api,ingest' } }, [ImageModule]);
  const { id: orgId } = await app.anOrg();
  token = await app.aToken(orgId, Permission.Read);
  const metricId = await app.aMetric(orgId, 'web-1.cpu');
  anomalyId = await app.anAnomaly(orgId, metricId, START - 7200, START - 3600);
  // Caches the credential, so that later requests do not read it.
  expect((await app.call('get', '/metric/web-1.cpu', { token })).status).toBe(200);
});
afterAll(() => app.close());

it.each([
  ['/metric/web-1.cpu/graph?format=json', () => ''],
  ['/metric/web-1.cpu/graph?format=svg', () => ''],
  ['/image/metric?metric=web-1.cpu', () => ''],
  ['/image/anomaly?anomaly_id=', () => String(anomalyId)],
  [`/image/anomaly?metric=web-1.cpu&timestamp=${String(START - 7200)}`, () => ''],
  ['/metric/web-1.cpu/timeseries', () => ''],
  ['/metric/web-1.cpu/yhat', () => ''],
  ['/anomalies', () => ''],
])('%s reads the organisation once', async (path, rest) => {
  let status: number | undefined;
  const statements = await statementsOf(app.get(DataSource), async () => {
    ({ status } = await app.http().get(`/api${path}${rest()}`).set('X-Auth-Token', token));
  });
  expect(status).toBe(200);
  expect(statements.filter((sql) => sql.includes('FROM "org" '))).toHaveLength(1);
});
