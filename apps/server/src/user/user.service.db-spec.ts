import { IdentityApp, PASSWORD } from '../../../../test/support/identity-app.js';
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
    expect(await users.byId(orgId, user.id)).toMatchObject({
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
    await expect(users.byId(orgId, stranger.id)).rejects.toThrow(UserNotFoundError);
    expect(await users.byIds(orgId, [stranger.id])).toEqual([]);
    expect(await users.administrators(other.id)).toMatchObject([{ id: stranger.id }]);
    expect(await users.count(other.id)).toBe(1);
  });

  it('never lists the system user', async () => {
    expect(await users.byIds(orgId, [SYSTEM_USER_ID])).toEqual([]);
    await expect(users.byId(orgId, SYSTEM_USER_ID)).rejects.toThrow(UserNotFoundError);
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
});
