import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { KeepingChannel } from '../../../../../test/support/alerts.js';
import { until } from '../../../../../test/support/product.js';
import { ChannelRegistryService } from '../../alerting/channel/channel-registry.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { OrgService } from '../../people/org/org.service.js';

let identity: IdentityApp;

beforeAll(async () => {
  identity = await IdentityApp.create();
});
afterAll(() => identity.close());
beforeEach(() => {
  identity.clock.seconds = START;
});

interface Credential {
  token?: string;
  session?: string;
}

function put(credential: Credential, params: object) {
  const call = identity.http().put('/api/org');
  if (credential.token !== undefined) call.set('X-Auth-Token', credential.token);
  if (credential.session !== undefined) call.set('X-Session-Id', credential.session);
  return call.send(params);
}

async function anAdmin(orgId: number) {
  const user = await identity.aUser(orgId, { admin: true });
  return { user, session: await identity.aSession(user.id) };
}

const adminToken = async (orgId: number) => ({ token: await identity.aToken(orgId, Permission.Admin) });

/** Field and code of every problem. */
const problemsOf = (answer: { body: unknown }) =>
  (answer.body as { data: { error: { details: { field: string; code: string }[] } } }).data.error.details.map(
    ({ field, code }) => `${field} ${code}`,
  );

async function eventsOf(orgId: number): Promise<{ type: string; text: string; userId: number | null }[]> {
  await identity.get(EventRecorderService).flush();
  return identity.database.dataSource.query(
    `SELECT type, text, user_id AS "userId" FROM org_event WHERE org_id = $1 ORDER BY id`,
    [orgId],
  );
}

function auditOf(orgId: number): Promise<{ action: string; changes: { field: string }[] }[]> {
  return identity.database.dataSource.query(
    `SELECT action, changes, actor_type AS "actorType" FROM audit_entry WHERE org_id = $1 AND action LIKE 'org.%' ORDER BY id`,
    [orgId],
  );
}

async function withContact(orgId: number, contact: { phone?: string; chat?: string }): Promise<number> {
  const { id } = await identity.aUser(orgId);
  await identity.database.dataSource.query(
    'UPDATE user_account SET phone_number = $2, chat_member_id = $3 WHERE id = $1',
    [id, contact.phone ?? null, contact.chat ?? null],
  );
  return id;
}

describe('PUT /org', () => {
  it('changes the given fields and keeps the others', async () => {
    const org = await identity.anOrg({ name: 'Before' });
    const { session } = await anAdmin(org.id);
    const answer = await put({ session }, { name: ' Example Ltd ', timezone: 'Europe/Oslo', metric_limit: '500' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      org: { id: org.id, name: 'Example Ltd', timezone: 'Europe/Oslo', alert_muting: { muted: false } },
      analysis_variables: { metric_limit: 500, retention_1_resolution_seconds: 60 },
      message: 'OK',
    });
    expect(await identity.get(OrgService).getById(org.id)).toEqual({
      ...org,
      name: 'Example Ltd',
      timezone: 'Europe/Oslo',
      metricLimit: 500,
    });
    const cleared = await put({ session }, { metric_limit: null });
    expect(cleared.body.data.analysis_variables.metric_limit).toBeNull();
  });

  it('is also available as POST /org/update, and accepts forms', async () => {
    const { id } = await identity.anOrg();
    const answer = await identity
      .http()
      .post('/api/org/update')
      .set('X-Auth-Token', (await adminToken(id)).token)
      .type('form')
      .send('name=Form&email_users=&default_chat_channel=%23ops');
    expect(answer.status).toBe(200);
    expect(answer.get('Deprecation')).toBe('true');
    expect(answer.get('Link')).toBe('<https://plumbline.example.org/api/org>; rel="successor-version"');
    expect(await identity.get(OrgService).getById(id)).toMatchObject({ name: 'Form', defaultChatChannel: '#ops' });
  });

  it('accepts every analysis variable, and states when a new retention takes effect', async () => {
    const { id } = await identity.anOrg();
    const variables = {
      retention_1_resolution_seconds: 30,
      retention_1_period_seconds: 1_209_600,
      retention_2_resolution_seconds: 900,
      retention_2_period_seconds: 31_536_000,
      default_data_frequency_seconds: 10,
      default_analysis_period_1_seconds: 43_200,
      default_analysis_period_2_seconds: 1_209_600,
      long_term_pattern_length_seconds: 1_209_600,
      metric_limit: 1000,
    };
    const answer = await put(await adminToken(id), variables);
    expect(answer.body.data.analysis_variables).toEqual(variables);
    expect(answer.body.data.message).toContain('within a day');
  });

  it.each([
    [{ name: '' }, 'name required'],
    [{ name: null }, 'name required'],
    [{ name: 'x'.repeat(101) }, 'name too_long'],
    [{ timezone: 'Mars/Olympus' }, 'timezone unknown_timezone'],
    [{ alerts_muted_minutes: -1 }, 'alerts_muted_minutes out_of_range'],
    [{ alerts_muted_minutes: 10_081 }, 'alerts_muted_minutes out_of_range'],
    [{ chat_api_token: 'two words' }, 'chat_api_token bad_format'],
    [{ email_users: ['x'] }, 'email_users not_integer'],
    [{ retention_1_resolution_seconds: 45 }, 'retention_1_resolution_seconds not_one_of'],
    [{ retention_1_period_seconds: 86_399 }, 'retention_1_period_seconds out_of_range'],
    [{ retention_1_period_seconds: 2_592_001 }, 'retention_1_period_seconds out_of_range'],
    [{ retention_2_resolution_seconds: 59 }, 'retention_2_resolution_seconds out_of_range'],
    [{ retention_2_resolution_seconds: 3601 }, 'retention_2_resolution_seconds out_of_range'],
    [{ retention_2_period_seconds: 157_680_001 }, 'retention_2_period_seconds out_of_range'],
    [{ default_data_frequency_seconds: 9 }, 'default_data_frequency_seconds out_of_range'],
    [{ default_analysis_period_1_seconds: 21_599 }, 'default_analysis_period_1_seconds out_of_range'],
    [{ default_analysis_period_2_seconds: 1_209_601 }, 'default_analysis_period_2_seconds out_of_range'],
    [{ long_term_pattern_length_seconds: 1_209_599 }, 'long_term_pattern_length_seconds out_of_range'],
    [{ metric_limit: 0 }, 'metric_limit out_of_range'],
    [{ onboarding_status_id: 300 }, 'onboarding_status_id unknown_parameter'],
    // Compared with stored values: 60 s slots for a week, 600 s slots for two years, second analysis period a week.
    [{ retention_2_resolution_seconds: 90 }, 'retention_2_resolution_seconds mismatch'],
    [{ retention_2_period_seconds: 86_400 }, 'retention_2_period_seconds out_of_range'],
    [{ default_analysis_period_2_seconds: 691_200 }, 'default_analysis_period_2_seconds out_of_range'],
    [{ retention_1_period_seconds: 86_400 }, 'retention_1_period_seconds out_of_range'],
  ])('rejects %j: %s', async (params, problem) => {
    const org = await identity.anOrg();
    const answer = await put(await adminToken(org.id), { ...params });
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toEqual([problem]);
    expect(await identity.get(OrgService).getById(org.id)).toEqual(org);
    expect(await auditOf(org.id)).toEqual([]);
  });

  it('validates variables of one request against each other', async () => {
    const { id } = await identity.anOrg();
    const together = { retention_1_resolution_seconds: 300, retention_2_resolution_seconds: 500, name: '' };
    const refused = await put(await adminToken(id), together);
    expect(problemsOf(refused).sort()).toEqual(['name required', 'retention_2_resolution_seconds mismatch']);
    const sound = { retention_1_resolution_seconds: 300, retention_2_resolution_seconds: 1500 };
    expect((await put(await adminToken(id), sound)).status).toBe(200);
  });

  it('reports all problems of a request together, of its form and of stored values', async () => {
    const { id } = await identity.anOrg();
    const answer = await put(await adminToken(id), {
      name: '',
      timezone: 'Mars/Olympus',
      nonsense: 1,
      email_users: [999_999],
      retention_2_resolution_seconds: 90,
      // Out of range on its own. The stored period of 7 days is about to be replaced, so it limits no other variable.
      retention_1_period_seconds: 2_592_001,
      default_analysis_period_2_seconds: 1_209_600,
    });
    expect(answer.status).toBe(400);
    expect(problemsOf(answer).sort()).toEqual([
      'email_users unknown_user',
      'name required',
      'nonsense unknown_parameter',
      'retention_1_period_seconds out_of_range',
      'retention_2_resolution_seconds mismatch',
      'timezone unknown_timezone',
    ]);
  });

  it('names the missing permission', async () => {
    const { id } = await identity.anOrg();
    const token = await identity.aToken(id, Permission.Read);
    const missing = async (params: object) => (await put({ token }, params)).body.data.error.details;
    expect(await missing({ name: 'Mine' })).toEqual([{ field: 'permission', code: 'missing', message: 'admin' }]);
    expect(await missing({ name: 'Mine', alerts_muted_minutes: 5 })).toMatchObject([{ message: 'admin' }]);
    expect(await missing({ alerts_muted_minutes: 5 })).toMatchObject([{ message: 'alert' }]);
  });

  it('requires admin permission, except for muting, which a user or the alert permission may do', async () => {
    const { id } = await identity.anOrg();
    const session = await identity.aSession((await identity.aUser(id)).id);
    const alert = await identity.aToken(id, Permission.Alert);
    for (const credential of [{ session }, { token: alert }]) {
      const refused = await put(credential, { name: 'Mine', alerts_muted_minutes: 5 });
      expect(refused.status).toBe(403);
      expect(refused.body.data.error).toEqual({
        code: 'permission_denied',
        details: [{ field: 'permission', code: 'missing', message: 'admin' }],
      });
      // Permissions are checked before parameters, even unknown ones.
      expect((await put(credential, { name: '' })).status).toBe(403);
      expect((await put(credential, { nonsense: 1 })).status).toBe(403);
      expect((await put(credential, { alerts_muted_minutes: 5 })).status).toBe(200);
    }
    const others = await identity.aToken(id, Permission.Read, Permission.Write, Permission.Ingest);
    expect((await put({ token: others }, { alerts_muted_minutes: 5 })).status).toBe(403);
    expect((await put({}, { alerts_muted_minutes: 5 })).status).toBe(401);
    const body = { data: { token: alert, alerts_muted_minutes: 0 } };
    const post = (sent: object) => identity.http().post('/api/org/update').send(sent);
    expect((await post(body)).status).toBe(200);
    expect((await post({ data: { token: alert, 'email_users[]': '1' } })).status).toBe(403);
  });

  it('records who changed which fields, and nothing without a change', async () => {
    const { id } = await identity.anOrg({ name: 'Before' });
    const { user, session } = await anAdmin(id);
    await put({ session }, { name: 'After', email_users: [user.id] });
    await put({ session }, { name: 'After', email_users: [user.id] });
    expect(await auditOf(id)).toEqual([
      {
        action: 'org.update',
        actorType: 'user',
        changes: [
          { field: 'name', before: 'Before', after: 'After' },
          { field: 'email_users', before: [], after: [user.id] },
        ],
      },
    ]);
  });
});

describe('muting of alerts', () => {
  it('ends after the given minutes', async () => {
    const { id } = await identity.anOrg({ timezone: 'Europe/Oslo' });
    const { user, session } = await anAdmin(id);
    const answer = await put({ session }, { alerts_muted_minutes: 90 });
    expect(answer.body.data.org.alert_muting).toEqual({
      muted: true,
      muted_until_timestamp: START + 5400,
      muted_until_timestamp_string: expect.stringContaining('@'),
      minutes_remaining: 90,
    });
    identity.clock.seconds = START + 5400;
    const later = await put({ session }, {});
    expect(later.body.data.org.alert_muting).toMatchObject({ muted: false, minutes_remaining: null });
    expect(await eventsOf(id)).toMatchObject([{ type: 'alerts_muted', userId: user.id }]);
  });

  it('is ended by 0, with a single event', async () => {
    const { id } = await identity.anOrg();
    const credential = await adminToken(id);
    await put(credential, { alerts_muted_minutes: 5 });
    await put(credential, { alerts_muted_minutes: 0 });
    await put(credential, { alerts_muted_minutes: 0 });
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['alerts_muted', 'alerts_unmuted']);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['org.mute', 'org.unmute']);
  });
});

describe('the default chat channel', () => {
  let chat: KeepingChannel;

  beforeEach(() => {
    chat = new KeepingChannel('chat');
    chat.places = ['#ops'];
    identity.get(ChannelRegistryService).register(chat);
  });
  afterEach(() => {
    chat.places = null;
  });

  it('must exist in the chat, and is validated together with other fields', async () => {
    const org = await identity.anOrg();
    const { session } = await anAdmin(org.id);
    const refused = await put({ session }, { default_chat_channel: '#nowhere', email_users: [999_999_999] });
    expect(refused.status).toBe(400);
    expect(problemsOf(refused).sort()).toEqual(['default_chat_channel unknown_channel', 'email_users unknown_user']);
    expect((await put({ session }, { default_chat_channel: '#ops' })).status).toBe(200);
    // An unchanged channel is not looked up again, and clearing it needs no lookup.
    chat.places = [];
    expect((await put({ session }, { default_chat_channel: '#ops', name: 'New' })).status).toBe(200);
    expect((await put({ session }, { default_chat_channel: '' })).status).toBe(200);
  });

  it('is looked up with the token of the same request', async () => {
    const org = await identity.anOrg();
    const { session } = await anAdmin(org.id);
    await put({ session }, { default_chat_channel: '#ops', chat_api_token: 'xoxb-new' });
    await put({ session }, { default_chat_channel: '', chat_api_token: '************-new' });
    await put({ session }, { default_chat_channel: '#ops', chat_api_token: '************-new' });
    expect(chat.askedWith).toEqual(['xoxb-new', undefined]);
  });

  it('is accepted without a check when the chat cannot be reached', async () => {
    const org = await identity.anOrg();
    const { session } = await anAdmin(org.id);
    chat.places = null;
    expect((await put({ session }, { default_chat_channel: '#nowhere' })).status).toBe(200);
  });
});

describe('the chat token', () => {
  const SECRET = 'xoxb-17653672481-19874698323-pdFZKVeTuE8s';

  it('is stored sealed, and recorded only as "changed"', async () => {
    const { id } = await identity.anOrg();
    const { session } = await anAdmin(id);
    const answer = await put({ session }, { chat_api_token: SECRET, default_chat_channel: '#ops' });
    expect(answer.body.data.org.connected_services.chat).toBe(true);
    const stored = await identity.get(OrgService).getById(id);
    expect(identity.get(OrgService).chatApiToken(stored)).toBe(SECRET);
    expect(JSON.stringify([stored, await eventsOf(id), await auditOf(id)])).not.toContain(SECRET);
    expect(await auditOf(id)).toMatchObject([
      {
        changes: [
          { field: 'chat_api_token', before: null, after: 'changed' },
          { field: 'default_chat_channel', before: '', after: '#ops' },
        ],
      },
    ]);
    expect(await eventsOf(id)).toMatchObject([{ type: 'integration_changed', text: 'Chat was connected.' }]);
  });

  it('is kept when its masked form is sent, and removed when it is cleared', async () => {
    const { id } = await identity.anOrg();
    const { session } = await anAdmin(id);
    await put({ session }, { chat_api_token: SECRET });
    await put({ session }, { chat_api_token: `************${SECRET.slice(-4)}`, default_chat_channel: '#new' });
    const kept = await identity.get(OrgService).getById(id);
    expect(identity.get(OrgService).chatApiToken(kept)).toBe(SECRET);
    const cleared = await put({ session }, { chat_api_token: '' });
    expect(cleared.body.data.org.connected_services.chat).toBe(false);
    expect((await eventsOf(id)).map(({ text }) => text)).toEqual([
      'Chat was connected.',
      'The default channel of chat is #new.',
      'Chat was disconnected.',
    ]);
  });
});

describe('recipients', () => {
  it('are replaced per list', async () => {
    const { id } = await identity.anOrg();
    const both = await withContact(id, { phone: '+4799999999', chat: 'U024BE7LH' });
    const none = await withContact(id, {});
    const first = { email_users: [none, both], sms_users: [both], chat_mention_users: String(both) };
    expect((await put(await adminToken(id), first)).status).toBe(200);
    const second = { email_users: [both], admin_email_users: [none], admin_sms_users: [both] };
    expect((await put(await adminToken(id), second)).status).toBe(200);
    expect(await identity.get(OrgService).listRecipients(id)).toEqual({
      email: [both],
      admin_email: [none],
      chat_mentions: [both],
      sms: [both],
      admin_sms: [both],
    });
    expect((await put(await adminToken(id), { email_users: [] })).status).toBe(200);
    expect((await identity.get(OrgService).listRecipients(id)).email).toEqual([]);
  });

  it('must be users of the organisation with the required contact data', async () => {
    const { id } = await identity.anOrg();
    const none = await withContact(id, { phone: '' });
    const stranger = await withContact((await identity.anOrg()).id, { phone: '+4799999999', chat: 'U1' });
    const answer = await put(await adminToken(id), {
      email_users: [none, stranger, 1],
      sms_users: [none],
      admin_sms_users: [none],
      chat_mention_users: [none, stranger],
    });
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toEqual([
      'email_users unknown_user',
      'chat_mention_users unknown_user',
      'sms_users user_lacks_phone',
      'admin_sms_users user_lacks_phone',
    ]);
    expect(await identity.get(OrgService).listRecipients(id)).toMatchObject({ email: [], sms: [] });
  });
});

describe('a recipient who is removed while the lists are changed', () => {
  const isWaiting = async (): Promise<true | undefined> => {
    const rows = await identity.database.dataSource.query<unknown[]>(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0 ? true : undefined;
  };

  it('is reported as an unknown user', async () => {
    const { id } = await identity.anOrg();
    const removed = await withContact(id, {});
    const credential = await adminToken(id);
    const answer = await identity.database.dataSource.transaction(async (tx) => {
      await tx.query('DELETE FROM user_account WHERE id = $1', [removed]);
      const sent = put(credential, { email_users: [removed] }).then((received) => received);
      await until('the call to wait for the removal', isWaiting);
      return { sent };
    });
    const received = await answer.sent;
    expect(received.status).toBe(400);
    expect(problemsOf(received)).toEqual(['email_users unknown_user']);
    expect((await identity.get(OrgService).listRecipients(id)).email).toEqual([]);
  });
});

describe('PUT /org with a payment provider', () => {
  let paying: IdentityApp;
  beforeAll(async () => {
    const plan = { id: 'team', name: 'Team', price: 'price_1', metric_limit: 5000, amount: 4900, currency: 'EUR' };
    const env = {
      STRIPE_SECRET_KEY: 'sk_test_12345678',
      STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
      PLUMBLINE_PLANS: JSON.stringify([{ ...plan, interval: 'month' }]),
    };
    paying = await IdentityApp.create({ env });
  });
  afterAll(() => paying.close());

  it('rejects a new metric_limit, but accepts the current value', async () => {
    const { id } = await paying.anOrg();
    const token = await paying.aToken(id, Permission.Admin);
    const send = (limit: number | null) =>
      paying.http().put('/api/org').set('X-Auth-Token', token).send({ metric_limit: limit });
    const refused = await send(10);
    expect(problemsOf(refused)).toEqual(['metric_limit read_only']);
    expect((await send(null)).status).toBe(200);
  });
});

describe('limits set by the operator', () => {
  const HOUR = 3600;
  let limited: IdentityApp;
  let token: string;
  beforeAll(async () => {
    limited = await IdentityApp.create({
      database: identity.database,
      env: {
        PLUMBLINE_MAX_METRIC_LIMIT: '1000',
        PLUMBLINE_MAX_TIER_1_DAYS: '5',
        PLUMBLINE_MAX_TIER_2_DAYS: '90',
      },
    });
  });
  afterAll(() => limited.close());
  const set = (params: object) => limited.http().put('/api/org').set('X-Auth-Token', token).send(params);

  it('are the defaults of a new organisation and the maximum of its settings', async () => {
    const { id } = await limited.get(OrgService).create({ name: 'Tenant' });
    token = await limited.aToken(id, Permission.Admin);
    expect(await limited.get(OrgService).getById(id)).toMatchObject({
      metricLimit: 1000,
      retention1PeriodSeconds: 5 * 24 * HOUR,
      retention2PeriodSeconds: 90 * 24 * HOUR,
    });
    for (const [params, problem] of [
      [{ metric_limit: 1001 }, 'metric_limit out_of_range'],
      [{ metric_limit: null }, 'metric_limit out_of_range'],
      [{ retention_1_period_seconds: 6 * 24 * HOUR }, 'retention_1_period_seconds out_of_range'],
      [{ retention_2_period_seconds: 91 * 24 * HOUR }, 'retention_2_period_seconds out_of_range'],
    ] as const) {
      const refused = await set(params);
      expect([refused.status, problemsOf(refused)]).toEqual([400, [problem]]);
    }
    const refused = await set({ metric_limit: 5000 });
    expect(refused.body.data.error.details[0].message).toBe(
      'metric_limit must be at most 1000 (a limit of the operator of this installation), got 5000',
    );
    expect((await set({ metric_limit: 900, retention_2_period_seconds: 30 * 24 * HOUR })).status).toBe(200);
  });

  it('do not apply to an existing higher value that is sent back', async () => {
    const { id } = await identity.get(OrgService).create({ name: 'Older', metricLimit: 5000 });
    token = await limited.aToken(id, Permission.Admin);
    expect((await set({ name: 'Older still', metric_limit: 5000 })).status).toBe(200);
    expect((await set({ metric_limit: 5001 })).status).toBe(400);
  });
});
