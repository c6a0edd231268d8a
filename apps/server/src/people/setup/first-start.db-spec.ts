import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { ConfigError } from '../../common/config/load-config.js';
import { OrgService } from '../org/org.service.js';
import { FirstStartService } from './first-start.service.js';

let database: TestDatabase;
const apps: IdentityApp[] = [];

async function start(env: Record<string, string> = {}): Promise<IdentityApp> {
  const identity = await IdentityApp.create({ database, env });
  apps.push(identity);
  return identity;
}

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(apps.splice(0).map((identity) => identity.close()));
  await database.drop();
});

describe('the first start', () => {
  it('creates an organisation, an administrator who can log in, and two valid tokens', async () => {
    const identity = await start({ PLUMBLINE_DEMO: 'off' });
    const created = await identity.get(FirstStartService).run();
    expect(created).toMatchObject({
      isDemo: false,
      orgName: 'My organisation',
      adminEmail: 'admin@plumbline.local',
      adminPassword: expect.stringMatching(/^([a-z2-9]{4}-){4}[a-z2-9]{4}$/),
      isPasswordGenerated: true,
    });
    const login = await identity
      .http()
      .post('/api/login')
      .send({ email: created?.adminEmail, password: created?.adminPassword });
    expect(login.body.data.session.user).toMatchObject({ admin: true, org_id: created?.orgId });
    const info = await identity
      .http()
      .get('/api/org/info')
      .set('X-Auth-Token', created?.readToken ?? '');
    expect(info.body.data.alert_recipients).toMatchObject({
      email: [{ admin: true }],
      admin_email: [{ admin: true }],
      sms: [],
    });
    const tokens = await identity
      .http()
      .get('/api/org/tokens?reveal=true')
      .set('X-Session-Id', login.body.data.session.id);
    expect(tokens.body.data.tokens).toMatchObject([
      { id: created?.ingestToken, permissions: { ingest: true, read: false, admin: false } },
      { id: created?.readToken, permissions: { ingest: false, read: true, admin: false } },
    ]);
  });

  it('creates the administrator from the settings', async () => {
    const identity = await start({
      PLUMBLINE_ADMIN_EMAIL: 'ann@example.org',
      PLUMBLINE_ADMIN_PASSWORD: 'correct horse battery staple',
    });
    const created = await identity.get(FirstStartService).run();
    expect(created).toMatchObject({
      isDemo: true,
      orgName: 'Demo shop',
      adminEmail: 'ann@example.org',
      adminPassword: 'correct horse battery staple',
      isPasswordGenerated: false,
    });
    expect(await identity.get(OrgService).getById(created!.orgId)).toMatchObject({ isDemo: true });
  });

  it('has no effect a second time', async () => {
    const identity = await start();
    await identity.get(FirstStartService).run();
    expect(await identity.get(FirstStartService).run()).toBeNull();
    expect(await (await start()).get(FirstStartService).run()).toBeNull();
    expect(await identity.get(OrgService).listAll()).toHaveLength(1);
  });

  it('has an effect in only one of several processes that start together', async () => {
    const starting = await Promise.all([start(), start(), start()]);
    const created = await Promise.all(starting.map((identity) => identity.get(FirstStartService).run()));
    expect(created.filter((outcome) => outcome !== null)).toHaveLength(1);
    expect(await starting[0].get(OrgService).listAll()).toHaveLength(1);
  });

  it.each([
    [{ PLUMBLINE_ADMIN_PASSWORD: 'short' }, 'PLUMBLINE_ADMIN_PASSWORD: the password must have 12 to 200 characters'],
    [{ PLUMBLINE_ADMIN_PASSWORD: 'password1234' }, 'PLUMBLINE_ADMIN_PASSWORD: the password is on the list'],
    [{ PLUMBLINE_ADMIN_EMAIL: 'root' }, 'PLUMBLINE_ADMIN_EMAIL: "root" is not an e-mail address'],
    [{ PLUMBLINE_ADMIN_EMAIL: 'x', PLUMBLINE_ADMIN_PASSWORD: 'y' }, '2 settings are wrong'],
  ])('fails with %j and creates nothing', async (env, message) => {
    const identity = await start(env);
    const attempt = identity.get(FirstStartService).run();
    await expect(attempt).rejects.toThrow(ConfigError);
    await expect(attempt).rejects.toThrow(message);
    expect(await identity.get(OrgService).listAll()).toEqual([]);
  });

  it('ignores weak settings later, when they have no effect', async () => {
    await (await start()).get(FirstStartService).run();
    const later = await start({ PLUMBLINE_ADMIN_PASSWORD: 'short' });
    expect(await later.get(FirstStartService).run()).toBeNull();
  });
});
