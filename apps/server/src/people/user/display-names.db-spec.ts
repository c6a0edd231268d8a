import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type User } from './user.types.js';

let app: MetricApp;
let orgId: number;
let nameless: User;
let named: User;

beforeAll(async () => {
  app = await MetricApp.create();
  orgId = (await app.anOrg()).id;
  [nameless, named] = [await app.aUser(orgId, ''), await app.aUser(orgId, 'Ann')];
  const metricId = await app.aMetric(orgId, 'web-1.cpu');
  for (const { id } of [nameless, named]) {
    app.get(EventRecorderService).record({ orgId, type: 'custom', level: 'info', message: 'done', userId: id });
    const body = { chips: `job:batch-${String(id)}`, type: 'alerting' };
    const { status } = await app.call('post', '/exclusion', { session: await app.aSession(id) }, body);
    expect(status).toBe(200);
    const anomalyId = await app.anAnomaly(orgId, metricId, START - id, START);
    await app.database.dataSource.query(
      'UPDATE anomaly SET acknowledged_by = $2, acknowledged_at = now() WHERE id = $1',
      [anomalyId, id],
    );
  }
  await app.get(EventRecorderService).flush();
});
afterAll(() => app.close());

interface Credential {
  token?: string;
  session?: string;
}
type Row = Record<string, unknown>;

/** The displayed names by user id, for each of the lists. */
async function namesIn(credential: Credential): Promise<Record<string, Record<string, unknown>>> {
  const list = async (path: string, key: string, user: string, name: string): Promise<Record<string, unknown>> => {
    const { status, data } = await app.call('get', path, credential);
    expect(status).toBe(200);
    const rows = (data[key] as Row[]).filter((row) => row[user] !== null);
    return Object.fromEntries(rows.map((row) => [row[user], row[name]]));
  };
  return {
    events: await list('/org/events?type=custom', 'events', 'user_id', 'user_display_name'),
    exclusions: await list('/exclusion/list', 'exclusions', 'created_by', 'created_by_display_name'),
    anomalies: await list('/anomalies', 'anomalies', 'acknowledged_by', 'acknowledged_by_display_name'),
  };
}

const everywhere = (first: unknown, second: unknown) => ({
  events: { [nameless.id]: first, [named.id]: second },
  exclusions: { [nameless.id]: first, [named.id]: second },
  anomalies: { [nameless.id]: first, [named.id]: second },
});

it('a token with admin gets the address of a user without a name', async () => {
  const token = await app.aToken(orgId, Permission.Read, Permission.Admin);
  expect(await namesIn({ token })).toEqual(everywhere(nameless.email, 'Ann'));
});

it('other callers never get an address', async () => {
  const neutral = everywhere(`User ${String(nameless.id)}`, 'Ann');
  expect(await namesIn({ token: await app.aToken(orgId, Permission.Read, Permission.Write) })).toEqual(neutral);
  expect(await namesIn({ session: await app.aSession(named.id) })).toEqual(neutral);
});

it('a demo user gets no names of other users', async () => {
  const visitor = await app.aUser(orgId, 'Visitor');
  await app.database.dataSource.query('UPDATE user_account SET demo = true WHERE id = $1', [visitor.id]);
  expect(await namesIn({ session: await app.aSession(visitor.id) })).toEqual(everywhere(null, null));
});
