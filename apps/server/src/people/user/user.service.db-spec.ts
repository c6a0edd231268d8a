import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { BadEmailError, EmailTakenError, UserNotFoundError, WeakPasswordError } from './user.errors.js';
import { UserService } from './user.service.js';
import { SYSTEM_USER_ID } from './user.types.js';

let identity: IdentityApp;
let users: UserService;
let orgId: number;

beforeAll(async () => {
  identity = await IdentityApp.create();
  users = identity.get(UserService);
  orgId = (await identity.anOrg()).id;
});
afterAll(() => identity.close());

describe('create', () => {
  it('makes an active user with a password', async () => {
    const user = await users.create({ orgId, email: 'Ann@Example.org', name: 'Ann', admin: true, password: PASSWORD });
    expect(user).toMatchObject({ orgId, email: 'Ann@Example.org', name: 'Ann', admin: true, state: 'active' });
    expect(await users.getById(orgId, user.id)).toMatchObject({
      email: 'Ann@Example.org',
      demo: false,
      lastLoginAt: null,
    });
  });

  it('makes an invited one without', async () => {
    const user = await users.create({ orgId, email: 'invited@example.org' });
    expect(user).toMatchObject({ state: 'invited', admin: false, name: '' });
    expect(await users.findLogin('invited@example.org')).toMatchObject({ passwordHash: null, state: 'invited' });
  });

  it('refuses an address that is taken, in any spelling and organisation', async () => {
    const other = await identity.anOrg();
    await users.create({ orgId, email: 'taken@example.org' });
    await expect(users.create({ orgId: other.id, email: 'TAKEN@example.ORG' })).rejects.toThrow(EmailTakenError);
  });

  it('lets one of many at once have an address', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => users.create({ orgId, email: 'race@example.org' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.each(['', 'nobody', 'a@b', `${'x'.repeat(250)}@example.org`])('refuses the address %j', async (email) => {
    await expect(users.create({ orgId, email })).rejects.toThrow(BadEmailError);
  });

  it('refuses a weak password', async () => {
    await expect(users.create({ orgId, email: 'weak@example.org', password: 'short' })).rejects.toThrow(
      WeakPasswordError,
    );
    expect(await users.findLogin('weak@example.org')).toBeNull();
  });
});

describe('reading', () => {
  it('finds users within their organisation only', async () => {
    const other = await identity.anOrg();
    const stranger = await identity.aUser(other.id, { admin: true });
    await expect(users.getById(orgId, stranger.id)).rejects.toThrow(UserNotFoundError);
    expect(await users.findByIds(orgId, [stranger.id])).toEqual([]);
    expect(await users.listAdministrators(other.id)).toMatchObject([{ id: stranger.id }]);
    expect(await users.count(other.id)).toBe(1);
  });

  it('never lists the system user', async () => {
    expect(await users.findByIds(orgId, [SYSTEM_USER_ID])).toEqual([]);
    await expect(users.getById(orgId, SYSTEM_USER_ID)).rejects.toThrow(UserNotFoundError);
  });

  it('has a system user that the migration made', async () => {
    const rows: unknown = await identity.database.dataSource.query(
      'SELECT name, org_id, email FROM user_account WHERE id = $1',
      [SYSTEM_USER_ID],
    );
    expect(rows).toEqual([{ name: 'Plumbline', org_id: null, email: null }]);
  });
});

describe('findLogin', () => {
  it('finds the account of an address, ignoring case', async () => {
    const user = await identity.aUser(orgId, { email: 'Login@Example.org' });
    expect(await users.findLogin('lOGIN@example.ORG')).toMatchObject({ userId: user.id, orgId, state: 'active' });
    expect(await users.findLogin('nobody@example.org')).toBeNull();
  });

  it('takes no part of an address for a pattern', async () => {
    await identity.aUser(orgId, { email: 'per_cent@example.org' });
    expect(await users.findLogin('per%@example.org')).toBeNull();
    expect(await users.findLogin("' OR 1=1 --")).toBeNull();
  });

  it('takes no letter for another one, whatever the database thinks of its case', async () => {
    await users.create({ orgId, email: 'kirill@example.org' });
    // The dotted capital I is an i to some databases. Tries are counted by address, so it would be a way around the count.
    expect(await users.findLogin('k\u0130rill@example.org')).toBeNull();
  });
});

describe('changing', () => {
  it('sets a password, refuses a weak one, and names the parameter', async () => {
    const user = await users.create({ orgId, email: 'changing@example.org' });
    expect(await users.passwordHash(orgId, user.id)).toBeNull();
    await users.setPassword(orgId, user.id, PASSWORD);
    const hash = await users.passwordHash(orgId, user.id);
    expect(hash).toMatch(/^\$argon2id/);
    await expect(users.setPassword(orgId, user.id, 'short', undefined, 'password_1')).rejects.toMatchObject({
      details: [{ field: 'password_1', code: 'weak_password' }],
    });
    expect(await users.passwordHash(orgId, user.id)).toBe(hash);
  });

  it('activates who was invited, and no other user', async () => {
    const user = await users.create({ orgId, email: 'activate@example.org' });
    expect(await users.activate(orgId, user.id)).toBe(true);
    expect(await users.activate(orgId, user.id)).toBe(false);
    await users.update(orgId, user.id, { state: 'disabled' });
    expect(await users.activate(orgId, user.id)).toBe(false);
    expect(await users.getById(orgId, user.id)).toMatchObject({ state: 'disabled' });
  });

  it('changes what is given and leaves the rest', async () => {
    const user = await users.create({ orgId, email: 'fields@example.org', name: 'Ann' });
    expect(await users.update(orgId, user.id, { phoneNumber: '+4799999999' })).toMatchObject({
      name: 'Ann',
      phoneNumber: '+4799999999',
    });
    expect(await users.update(orgId, user.id, {})).toMatchObject({ name: 'Ann', phoneNumber: '+4799999999' });
    await expect(users.update(orgId, user.id, { email: 'taken@example.org' })).rejects.toThrow(EmailTakenError);
    await expect(users.update(orgId, user.id, { email: 'nobody' })).rejects.toThrow(BadEmailError);
  });

  it('adds flags, also when several are set at once', async () => {
    const user = await users.create({ orgId, email: 'flags@example.org' });
    await Promise.all([
      users.setFlags(orgId, user.id, { main_intro: true }),
      users.setFlags(orgId, user.id, { pattern_trained: true }),
    ]);
    expect((await users.getById(orgId, user.id)).onboardingFlags).toEqual({ main_intro: true, pattern_trained: true });
  });

  it('removes a user with the sessions', async () => {
    const user = await identity.aUser(orgId);
    const session = await identity.aSession(user.id);
    await users.remove(orgId, user.id);
    await expect(users.getById(orgId, user.id)).rejects.toThrow(UserNotFoundError);
    await identity.http().get('/api/user/info').set('X-Session-Id', session).expect(401);
  });

  it('touches no user of another organisation', async () => {
    const stranger = await identity.aUser((await identity.anOrg()).id);
    await expect(users.update(orgId, stranger.id, { name: 'x' })).rejects.toThrow(UserNotFoundError);
    await expect(users.setPassword(orgId, stranger.id, PASSWORD)).rejects.toThrow(UserNotFoundError);
    await expect(users.passwordHash(orgId, stranger.id)).rejects.toThrow(UserNotFoundError);
    await expect(users.setFlags(orgId, stranger.id, { main_intro: true })).rejects.toThrow(UserNotFoundError);
    await expect(users.activate(orgId, stranger.id)).rejects.toThrow(UserNotFoundError);
    await expect(users.remove(orgId, stranger.id)).rejects.toThrow(UserNotFoundError);
    expect(await users.getById(stranger.orgId!, stranger.id)).toMatchObject({ name: '', onboardingFlags: {} });
  });
});

describe('orgOf', () => {
  it('answers the organisation while it lives', async () => {
    const org = await identity.anOrg();
    const user = await identity.aUser(org.id);
    const session = await identity.aSession(user.id);
    expect(await users.orgOf(user.id)).toBe(org.id);
    expect(await users.orgOf(SYSTEM_USER_ID)).toBeNull();
    await identity.database.dataSource.query('UPDATE org SET deleted_at = now() WHERE id = $1', [org.id]);
    expect(await users.orgOf(user.id)).toBeNull();
    const answer = await identity.http().get('/api/user/info').set('X-Session-Id', session);
    expect(answer.body.data.error.code).toBe('session_expired');
  });
});
