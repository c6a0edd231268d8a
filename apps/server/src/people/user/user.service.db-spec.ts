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
  it('creates an active user with a password', async () => {
    const user = await users.create({ orgId, email: 'Ann@Example.org', name: 'Ann', admin: true, password: PASSWORD });
    expect(user).toMatchObject({ orgId, email: 'Ann@Example.org', name: 'Ann', admin: true, state: 'active' });
    expect(await users.getById(orgId, user.id)).toMatchObject({
      email: 'Ann@Example.org',
      demo: false,
      lastLoginAt: null,
    });
  });

  it('creates an invited user without a password', async () => {
    const user = await users.create({ orgId, email: 'invited@example.org' });
    expect(user).toMatchObject({ state: 'invited', admin: false, name: '' });
    expect(await users.findLogin('invited@example.org')).toMatchObject({ passwordHash: null, state: 'invited' });
  });

  it('rejects an address that is taken, in any case and organisation', async () => {
    const other = await identity.anOrg();
    await users.create({ orgId, email: 'taken@example.org' });
    await expect(users.create({ orgId: other.id, email: 'TAKEN@example.ORG' })).rejects.toThrow(EmailTakenError);
  });

  it('gives an address to one of several concurrent calls', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => users.create({ orgId, email: 'race@example.org' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.each(['', 'nobody', 'a@b', `${'x'.repeat(250)}@example.org`])('rejects the address %j', async (email) => {
    await expect(users.create({ orgId, email })).rejects.toThrow(BadEmailError);
  });

  it('rejects a weak password', async () => {
    await expect(users.create({ orgId, email: 'weak@example.org', password: 'short' })).rejects.toThrow(
      WeakPasswordError,
    );
    expect(await users.findLogin('weak@example.org')).toBeNull();
  });
});

describe('reading', () => {
  it('finds users only in their organisation', async () => {
    const other = await identity.anOrg();
    const stranger = await identity.aUser(other.id, { admin: true });
    await expect(users.getById(orgId, stranger.id)).rejects.toThrow(UserNotFoundError);
    expect(await users.findByIds(orgId, [stranger.id])).toEqual([]);
    expect(await users.listAdministrators(other.id)).toMatchObject([{ id: stranger.id }]);
    expect(await users.count(other.id)).toBe(1);
  });

  it('does not find the system user', async () => {
    expect(await users.findByIds(orgId, [SYSTEM_USER_ID])).toEqual([]);
    await expect(users.getById(orgId, SYSTEM_USER_ID)).rejects.toThrow(UserNotFoundError);
  });

  it('finds the system user created by the migration', async () => {
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

  it('does not treat an address as a pattern', async () => {
    await identity.aUser(orgId, { email: 'per_cent@example.org' });
    expect(await users.findLogin('per%@example.org')).toBeNull();
    expect(await users.findLogin("' OR 1=1 --")).toBeNull();
  });

  it('does not match another letter that some databases consider equal in case', async () => {
    await users.create({ orgId, email: 'kirill@example.org' });
    // Some databases lower-case the dotted capital I to i. Attempts are counted by address, so it would bypass the
    // limit.
    expect(await users.findLogin('k\u0130rill@example.org')).toBeNull();
  });
});

describe('changing', () => {
  it('sets a password, and rejects a weak one with the name of the parameter', async () => {
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

  it('activates only an invited user', async () => {
    const user = await users.create({ orgId, email: 'activate@example.org' });
    expect(await users.activate(orgId, user.id)).toBe(true);
    expect(await users.activate(orgId, user.id)).toBe(false);
    await users.update(orgId, user.id, { state: 'disabled' });
    expect(await users.activate(orgId, user.id)).toBe(false);
    expect(await users.getById(orgId, user.id)).toMatchObject({ state: 'disabled' });
  });

  it('changes only the given fields', async () => {
    const user = await users.create({ orgId, email: 'fields@example.org', name: 'Ann' });
    expect(await users.update(orgId, user.id, { phoneNumber: '+4799999999' })).toMatchObject({
      name: 'Ann',
      phoneNumber: '+4799999999',
    });
    expect(await users.update(orgId, user.id, {})).toMatchObject({ name: 'Ann', phoneNumber: '+4799999999' });
    await expect(users.update(orgId, user.id, { email: 'taken@example.org' })).rejects.toThrow(EmailTakenError);
    await expect(users.update(orgId, user.id, { email: 'nobody' })).rejects.toThrow(BadEmailError);
  });

  it('merges flags that are set concurrently', async () => {
    const user = await users.create({ orgId, email: 'flags@example.org' });
    await Promise.all([
      users.setFlags(orgId, user.id, { main_intro: true }),
      users.setFlags(orgId, user.id, { pattern_trained: true }),
    ]);
    expect((await users.getById(orgId, user.id)).onboardingFlags).toEqual({ main_intro: true, pattern_trained: true });
  });

  it('removes a user and ends the sessions', async () => {
    const user = await identity.aUser(orgId);
    const session = await identity.aSession(user.id);
    await users.remove(orgId, user.id);
    await expect(users.getById(orgId, user.id)).rejects.toThrow(UserNotFoundError);
    await identity.http().get('/api/user/info').set('X-Session-Id', session).expect(401);
  });

  it('throws for a user of another organisation', async () => {
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
  it('returns the organisation until it is deleted', async () => {
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
