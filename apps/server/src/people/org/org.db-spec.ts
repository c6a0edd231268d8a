import { ALL_PERMISSIONS, Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { OrgService } from './org.service.js';
import { type Org } from './org.types.js';

const DAY = 86_400;

let identity: IdentityApp;

beforeAll(async () => {
  identity = await IdentityApp.create();
});
afterAll(() => identity.close());
beforeEach(() => {
  identity.clock.seconds = START;
});

async function read(path: string, credential: { token?: string; session?: string }) {
  const call = identity.http().get(`/api${path}`);
  if (credential.token !== undefined) call.set('X-Auth-Token', credential.token);
  if (credential.session !== undefined) call.set('X-Session-Id', credential.session);
  return call;
}

async function connectChat(org: Org): Promise<void> {
  const sealed = identity.get(Secrets).seal('chat-api-token', `org/${String(org.id)}`, 'xoxb-secret-1234');
  await identity.database.dataSource.query(
    `UPDATE org SET chat_api_token_sealed = $2, default_chat_channel = '#ops' WHERE id = $1`,
    [org.id, sealed],
  );
}

describe('GET /org/info', () => {
  it('shows an administrator all data of the organisation', async () => {
    const org = await identity.anOrg({ name: 'Example Ltd', timezone: 'Europe/Oslo' });
    const admin = await identity.aUser(org.id, { admin: true });
    const ann = await identity.aUser(org.id);
    await identity.get(OrgService).addRecipient(org.id, ann.id, ['email', 'sms']);
    await identity.get(OrgService).addRecipient(org.id, admin.id, ['admin_email', 'email']);
    await connectChat(org);

    const { status, body } = await read('/org/info', { session: await identity.aSession(admin.id) });
    expect(status).toBe(200);
    const shown = (id: number, email: string | null) => expect.objectContaining({ id, email });
    expect(body.data).toEqual({
      org: {
        id: org.id,
        name: 'Example Ltd',
        timezone: 'Europe/Oslo',
        alert_muting: expect.objectContaining({ muted: false }),
        onboarding_status_id: 1,
        connected_services: { chat: true, teams_chat: false },
      },
      properties: { chat_api_token: 'xoxb-secret-1234', default_chat_channel: '#ops' },
      alert_recipients: {
        email: [shown(admin.id, admin.email), shown(ann.id, ann.email)],
        admin_email: [shown(admin.id, admin.email)],
        chat_mentions: [],
        sms: [shown(ann.id, ann.email)],
        admin_sms: [],
      },
      admin_users: [shown(admin.id, admin.email)],
      analysis_variables: expect.objectContaining({ retention_1_resolution_seconds: 60, metric_limit: null }),
      environment: {
        ingest_url: 'https://ingest.example.org/ingest/metrics',
        ingest_origin: 'https://ingest.example.org',
        graphite_address: null,
        api_url: 'https://plumbline.example.org/api',
        console_url: 'https://plumbline.example.org/',
      },
      message: 'OK',
      plan: null,
      users_count: 2,
    });
  });

  it('hides contact data of others and the chat token from members and tokens without admin', async () => {
    const org = await identity.anOrg();
    const admin = await identity.aUser(org.id, { admin: true });
    const ann = await identity.aUser(org.id);
    await identity.get(OrgService).addRecipient(org.id, ann.id, ['email']);
    await connectChat(org);

    const byUser = (await read('/org/info', { session: await identity.aSession(ann.id) })).body.data;
    expect(byUser.properties.chat_api_token).toBe('************1234');
    expect(byUser.admin_users).toMatchObject([{ id: admin.id, email: '', phone_number: null }]);
    expect(byUser.alert_recipients.email).toMatchObject([{ id: ann.id, email: ann.email }]);

    const token = await identity.aToken(org.id, Permission.Read);
    const byToken = (await read('/org/info', { token })).body.data;
    expect(byToken.properties.chat_api_token).toBe('************1234');
    expect(byToken.alert_recipients.email).toMatchObject([{ id: ann.id, email: '' }]);

    const adminToken = await identity.aToken(org.id, Permission.Read, Permission.Admin);
    const byAdminToken = (await read('/org/info', { token: adminToken })).body.data;
    expect(byAdminToken.properties.chat_api_token).toBe('xoxb-secret-1234');
    expect(byAdminToken.admin_users).toMatchObject([{ email: admin.email }]);
  });

  it('does not show other users to a demo user', async () => {
    const org = await identity.anOrg({ isDemo: true });
    const admin = await identity.aUser(org.id, { admin: true });
    const visitor = await identity.aUser(org.id);
    await identity.database.dataSource.query('UPDATE user_account SET demo = true WHERE id = $1', [visitor.id]);
    for (const user of [admin, visitor]) await identity.get(OrgService).addRecipient(org.id, user.id, ['email']);
    const { data } = (await read('/org/info', { session: await identity.aSession(visitor.id) })).body;
    expect(data.admin_users).toEqual([]);
    expect(data.alert_recipients.email).toMatchObject([{ id: visitor.id }]);
  });

  it('masks a chat token that was sealed under a lost key', async () => {
    const org = await identity.anOrg();
    const admin = await identity.aUser(org.id, { admin: true });
    await identity.database.dataSource.query(`UPDATE org SET chat_api_token_sealed = 'v1.00000000.x.y' WHERE id = $1`, [
      org.id,
    ]);
    const { data } = (await read('/org/info', { session: await identity.aSession(admin.id) })).body;
    expect(data.properties.chat_api_token).toBe('************');
  });

  it('shows the organisation of the caller, whatever organisation the request names', async () => {
    const [one, other] = [await identity.anOrg({ name: 'One' }), await identity.anOrg({ name: 'Other' })];
    const token = await identity.aToken(one.id, Permission.Read);
    const { data } = (await read(`/org/info?org_id=${String(other.id)}&org=Other`, { token })).body;
    expect(data.org.name).toBe('One');
  });

  it.each(['/org/info', '/org/summary', '/org/tokens'])('%s requires the permission read', async (path) => {
    const { id } = await identity.anOrg();
    const others = await identity.aToken(id, Permission.Write, Permission.Alert, Permission.Ingest, Permission.Admin);
    const refused = await read(path, { token: others });
    expect(refused.status).toBe(403);
    expect(refused.body.data.error).toEqual({
      code: 'permission_denied',
      details: [{ field: 'permission', code: 'missing', message: 'read' }],
    });
    expect((await read(path, {})).body.data.error.code).toBe('not_authenticated');
  });

  it.each(['/org/info', '/org/summary'])('%s is also available by POST', async (path) => {
    const token = await identity.aToken((await identity.anOrg()).id, Permission.Read);
    const response = await identity
      .http()
      .post(`/api${path}`)
      .send({ data: { token, unknown: 1 } });
    expect(response.status).toBe(200);
  });
});

describe('GET /org/summary', () => {
  async function aMetric(orgId: number, name: string, columns: Record<string, unknown> = {}): Promise<number> {
    const row = {
      org_id: orgId,
      name,
      name_hash: Buffer.from(name),
      display_name: name,
      type: 'gauge',
      aggregation: 'last',
      source: 'http',
      last_timestamp: START - 30,
      resolution_seconds: 60,
      ...columns,
    };
    const names = Object.keys(row);
    const rows: { id: number }[] = await identity.database.dataSource.query(
      `INSERT INTO metric (${names.join()}) VALUES (${names.map((_, i) => `$${String(i + 1)}`).join()}) RETURNING id`,
      Object.values(row),
    );
    return rows[0]!.id;
  }

  async function anAnomaly(orgId: number, metricId: number, start: number, end: number | null): Promise<void> {
    await identity.database.dataSource.query(
      `INSERT INTO anomaly (org_id, metric_id, start_timestamp, end_timestamp, peak_timestamp, score, severity, kind, state)
       VALUES ($1, $2, $3, $4, $3, 0.8, 60, 'spike', $5)`,
      [orgId, metricId, start, end, end === null ? 'open' : 'resolved'],
    );
  }

  async function summaryOf(orgId: number) {
    const token = await identity.aToken(orgId, Permission.Read);
    return (await read('/org/summary', { token })).body.data.summary;
  }

  it('is all zeros for an organisation without data', async () => {
    const { id } = await identity.anOrg();
    expect(await summaryOf(id)).toEqual({
      metrics: { total: 0, active: 0, stale: 0, inactive: 0, limit: null, remaining: null },
      anomalies: { open: 0, last_24h: 0, last_7d: 0, last_30d: 0 },
      matches: { last_24h: 0, last_7d: 0, last_30d: 0 },
      patterns: { total: 0, enabled: 0, trained: 0, learnt: 0, pending: 0 },
      incidents: { open: 0, last_7d: 0 },
      alerts: { last_24h: 0, last_7d: 0, suppressed_7d: 0 },
      watchers: { total: 0, alerting: 0 },
      users: 0,
      last_data_timestamp: null,
      last_data_string: 'never',
      points_last_minute: 0,
    });
  });

  it('counts metrics by state, and the remaining quota', async () => {
    const { id } = await identity.anOrg();
    await aMetric(id, 'active');
    await aMetric(id, 'stale', { last_timestamp: START - 1000 });
    await aMetric(id, 'slow', { last_timestamp: START - 1000, resolution_seconds: 3600 });
    await aMetric(id, 'inactive', { last_timestamp: START - DAY });
    await aMetric(id, 'removed', { removed_at: new Date() });
    await aMetric((await identity.anOrg()).id, 'of somebody else');
    await identity.database.dataSource.query('UPDATE org SET metric_limit = 3 WHERE id = $1', [id]);
    await identity.aUser(id);
    expect(await summaryOf(id)).toMatchObject({
      metrics: { total: 4, active: 2, stale: 1, inactive: 1, limit: 3, remaining: 0 },
      users: 1,
      last_data_timestamp: START - 30,
      last_data_string: 'just now',
    });
  });

  it('counts an anomaly in every window that it overlaps', async () => {
    const { id } = await identity.anOrg();
    const metric = await aMetric(id, 'm');
    await anAnomaly(id, metric, START - 100 * DAY, null);
    await anAnomaly(id, metric, START - 3 * DAY, START - DAY + 1);
    await anAnomaly(id, metric, START - 6 * DAY, START - 5 * DAY);
    await anAnomaly(id, metric, START - 40 * DAY, START - 29 * DAY);
    await anAnomaly(id, metric, START - 41 * DAY, START - 31 * DAY);
    const stranger = (await identity.anOrg()).id;
    await anAnomaly(stranger, await aMetric(stranger, 'm'), START - 60, null);
    for (const fraction of [0, 0.25]) {
      identity.clock.seconds = START + fraction;
      expect((await summaryOf(id)).anomalies).toEqual({ open: 1, last_24h: 2, last_7d: 3, last_30d: 4 });
    }
  });

  it('counts the points of the last complete minute', async () => {
    const { id } = await identity.anOrg();
    const minute = Math.floor(START / 60) * 60 - 120;
    await aMetric(id, 'silent', { last_timestamp: minute - 60 });
    await aMetric(id, 'of that minute', { last_timestamp: minute });
    await aMetric(id, 'going on', { last_timestamp: minute + 60 });
    await aMetric(id, 'new', { last_timestamp: minute + 120, resolution_seconds: null });
    await aMetric(id, 'every five minutes', { last_timestamp: minute + 60, resolution_seconds: 300 });
    expect((await summaryOf(id)).points_last_minute).toBe(3);
    // With slots of ten seconds, a metric may have several points a minute.
    await identity.database.dataSource.query('UPDATE org SET retention_1_resolution_seconds = 10 WHERE id = $1', [id]);
    await aMetric(id, 'every ten seconds', { last_timestamp: minute + 60, resolution_seconds: 10 });
    await aMetric(id, 'until its thirtieth second', { last_timestamp: minute + 30, resolution_seconds: 10 });
    expect((await summaryOf(id)).points_last_minute).toBe(3 + 6 + 4);
  });
});

describe('tokens', () => {
  async function admin(): Promise<{ orgId: number; session: string; userId: number }> {
    const { id: orgId } = await identity.anOrg();
    const { id: userId } = await identity.aUser(orgId, { admin: true });
    return { orgId, userId, session: await identity.aSession(userId) };
  }

  it("GET /org/tokens masks tokens, except for an administrator's session with reveal", async () => {
    const { orgId, session } = await admin();
    await connectChat(await identity.get(OrgService).getById(orgId));
    const whole = await identity.aToken(orgId, Permission.Read, Permission.Admin);
    const shown = async (path: string, credential: Parameters<typeof read>[1]) => {
      const { tokens, properties } = (await read(path, credential)).body.data;
      return [...tokens.map(({ id }: { id: string }) => id), properties.chat_api_token];
    };
    const masked = [`************${whole.slice(-4)}`, '************1234'];
    const user = await identity.aSession((await identity.aUser(orgId)).id);
    expect(await shown('/org/tokens', { session })).toEqual(masked);
    expect(await shown('/org/tokens?reveal=true', { session: user })).toEqual(masked);
    expect(await shown('/org/tokens?reveal=true', { token: whole })).toEqual(masked);
    const entries = (): Promise<unknown[]> =>
      identity.database.dataSource.query(
        `SELECT actor_type FROM audit_entry WHERE org_id = $1 AND action = 'token.reveal'`,
        [orgId],
      );
    expect(await entries()).toEqual([]);
    expect(await shown('/org/tokens?reveal=true', { session })).toEqual([whole, 'xoxb-secret-1234']);
    expect(await entries()).toEqual([{ actor_type: 'user' }]);
    const block = (await read('/org/tokens', { session })).body.data;
    expect(block.org.id).toBe(orgId);
    expect(block.environment.api_url).toBe('https://plumbline.example.org/api');
  });

  it.each([
    [{ read: true, ingest: true }],
    [['read', 'ingest']],
    ['read,ingest'],
    [{ read: 'true', ingest: '1', admin: 'false' }],
  ])('POST /org/tokens accepts the permissions %j', async (permissions) => {
    const { orgId, session, userId } = await admin();
    const response = await identity
      .http()
      .post('/api/org/tokens')
      .set('X-Session-Id', session)
      .send({ name: ' prometheus prod ', permissions, valid_until: START + 60 });
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({
      message: 'OK',
      token: {
        id: expect.stringMatching(/^pl_[\w-]{43}$/),
        org_id: orgId,
        valid_until: START + 60,
        permissions: { read: true, write: false, alert: false, ingest: true, admin: false },
        ref: expect.any(Number),
        name: 'prometheus prod',
        created_timestamp: START,
        created_user_id: userId,
        last_used_timestamp: null,
      },
    });
    const token = response.body.data.token.id as string;
    expect((await read('/org/info', { token })).status).toBe(200);
    identity.clock.seconds = START + 60;
    expect((await read('/org/info', { token })).body.data.error.code).toBe('token_expired');
  });

  it('POST /org/tokens accepts dotted names in a form', async () => {
    const { session } = await admin();
    const response = await identity
      .http()
      .post('/api/org/tokens')
      .set('X-Session-Id', session)
      .type('form')
      .send({ name: 'a', 'permissions.read': 'true', 'permissions.write': '0' });
    expect(response.body.data.token.permissions).toMatchObject({ read: true, write: false });
  });

  it.each([
    [{}, { name: 'required', permissions: 'required' }],
    [{ name: '', permissions: ['read'] }, { name: 'required' }],
    [{ name: 'x'.repeat(101), permissions: ['read'] }, { name: 'too_long' }],
    [{ name: 'a', permissions: [] }, { permissions: 'too_few' }],
    [{ name: 'a', permissions: {} }, { permissions: 'too_few' }],
    [{ name: 'a', permissions: { read: false } }, { permissions: 'too_few' }],
    [{ name: 'a', permissions: ['read', 'fly'] }, { permissions: 'not_one_of' }],
    [{ name: 'a', permissions: { read: 'perhaps' } }, { 'permissions.read': 'not_boolean' }],
    [{ name: 'a', permissions: { fly: true } }, { 'permissions.fly': 'unknown_parameter' }],
    [{ name: 'a', permissions: 5 }, { permissions: 'not_object' }],
    [{ name: 'a', permissions: ['read'], valid_until: START }, { valid_until: 'out_of_range' }],
    [{ name: 'a', permissions: ['read'], valid_until: 'soon' }, { valid_until: 'not_integer' }],
    [{ name: 'a', permissions: ['read'], org_id: 1 }, { org_id: 'unknown_parameter' }],
  ])('POST /org/tokens rejects %j', async (body, problems) => {
    const { orgId, session } = await admin();
    const response = await identity.http().post('/api/org/tokens').set('X-Session-Id', session).send(body);
    expect(response.status).toBe(400);
    const details = response.body.data.error.details as { field: string; code: string }[];
    expect(Object.fromEntries(details.map(({ field, code }) => [field, code]))).toEqual(problems);
    expect((await read('/org/tokens', { session })).body.data.tokens).toEqual([]);
    expect(orgId).toBeGreaterThan(0);
  });

  it('POST /org/tokens creates a token without expiry for null or an empty string', async () => {
    const { session } = await admin();
    for (const validUntil of [null, '']) {
      const response = await identity
        .http()
        .post('/api/org/tokens')
        .set('X-Session-Id', session)
        .send({ name: 'a', permissions: 'read', valid_until: validUntil });
      expect(response.body.data.token.valid_until).toBeNull();
    }
  });

  it('DELETE /org/tokens ends a token by id and by ref, and returns it masked', async () => {
    const { orgId, session } = await admin();
    const token = await identity.aToken(orgId, Permission.Read);
    const ref = (await read('/org/tokens', { session })).body.data.tokens[0].ref as number;
    for (const name of [`ref:${String(ref)}`, token]) {
      const response = await identity.http().delete(`/api/org/tokens/${name}`).set('X-Session-Id', session);
      expect(response.status).toBe(200);
      expect(response.body.data).toMatchObject({ message: 'OK', token: { ref, id: `************${token.slice(-4)}` } });
    }
    expect((await read('/org/info', { token })).body.data.error.code).toBe('not_authenticated');
  });

  it('DELETE /org/tokens answers 404 for a token of another organisation', async () => {
    const [one, other] = [await admin(), await admin()];
    const token = await identity.aToken(other.orgId, Permission.Read);
    const response = await identity.http().delete(`/api/org/tokens/${token}`).set('X-Session-Id', one.session);
    expect(response.status).toBe(404);
    expect(response.body.data.error.code).toBe('not_found');
    expect((await read('/org/info', { token })).status).toBe(200);
  });

  it('POST and DELETE /org/tokens require the permission admin', async () => {
    const { orgId } = await admin();
    const token = await identity.aToken(orgId, ...[Permission.Read, Permission.Write, Permission.Alert]);
    const created = await identity
      .http()
      .post('/api/org/tokens')
      .set('X-Auth-Token', token)
      .send({ name: 'a', permissions: ['admin'] });
    expect(created.body.data.error).toMatchObject({ code: 'permission_denied', details: [{ message: 'admin' }] });
    const removed = await identity.http().delete(`/api/org/tokens/${token}`).set('X-Auth-Token', token);
    expect(removed.status).toBe(403);
    const user = await identity.aUser(orgId);
    await identity.database.dataSource.query('UPDATE user_account SET demo = true WHERE id = $1', [user.id]);
    const byDemo = await identity
      .http()
      .post('/api/org/tokens')
      .set('X-Session-Id', await identity.aSession(user.id))
      .send({ name: 'a', permissions: ['read'] });
    expect(byDemo.body.data.error.code).toBe('demo_account');
  });

  it('a token with only the permission admin creates tokens but cannot list them', async () => {
    const { orgId } = await admin();
    const token = await identity.aToken(orgId, Permission.Admin);
    const created = await identity
      .http()
      .post('/api/org/tokens')
      .set('Authorization', `Bearer ${token}`)
      .send({ name: 'a', permissions: ['read'] });
    expect(created.body.data.token).toMatchObject({ created_user_id: null });
    expect((await read('/org/tokens', { token })).status).toBe(403);
    expect(ALL_PERMISSIONS & Permission.Admin).toBe(Permission.Admin);
  });
});
