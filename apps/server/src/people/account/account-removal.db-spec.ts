import { Permission } from '#libs/contracts';
import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { People, type Person } from '../../../../../test/support/people.js';
import { OrgService } from '../org/org.service.js';

let identity: IdentityApp;
let people: People;
let orgId: number;
let ann: Person;

beforeAll(async () => {
  identity = await IdentityApp.create();
  people = new People(identity);
});
afterAll(() => identity.close());
beforeEach(async () => {
  orgId = (await identity.anOrg()).id;
  ann = await people.admin(orgId);
});

const remove = (by: Person, body: object): ReturnType<People['call']> =>
  people.call('post', '/user/delete', by.session, body);

describe('POST /user/delete', () => {
  it('removes the caller given the password, with session, login and list entries', async () => {
    const ben = await people.member(orgId);
    await identity.get(OrgService).addRecipient(orgId, ben.user.id, ['email']);
    expect((await remove(ben, {})).fields).toEqual([['password', 'required']]);
    expect((await remove(ben, { nonsense: 1 })).fields).toEqual([
      ['nonsense', 'unknown_parameter'],
      ['password', 'required'],
    ]);
    expect((await remove(ben, { password: 'something else' })).code).toBe('login_failed');
    const answer = await remove(ben, { password: PASSWORD });
    expect(answer.data).toEqual({ user_id: ben.user.id, org_deleted: false, message: 'OK' });
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^session_id=;/);
    expect(answer.sessionId).not.toBe(ben.session);
    expect((await people.call('get', '/user/info', ben.session)).status).toBe(401);
    expect((await identity.get(OrgService).listRecipients(orgId)).email).toEqual([]);
    expect(await people.events(orgId)).toContainEqual(['user_removed', 'Ben was removed.']);
    expect(await people.audit(orgId)).toEqual([['user.remove', 'Ben', 'Ben', []]]);
    // The address can be used again.
    expect((await identity.aUser(orgId, { email: ben.user.email! })).id).not.toBe(ben.user.id);
  });

  it('counts wrong passwords as failed logins', async () => {
    const ben = await people.member(orgId);
    for (let i = 0; i < 10; i++) await remove(ben, { password: 'something else' });
    expect((await remove(ben, { password: PASSWORD })).code).toBe('rate_limited');
  });

  it('lets an administrator remove another user', async () => {
    const ben = await people.member(orgId);
    const cid = await people.member(orgId);
    expect((await remove(ben, { user_id: cid.user.id })).fields).toEqual([['permission', 'missing']]);
    expect((await remove(ann, { user_id: cid.user.id })).status).toBe(200);
    expect((await remove(ann, { user_id: cid.user.id })).data).toMatchObject({ user_id: cid.user.id, message: 'OK' });
    const stranger = await remove(ann, { user_id: 999_999 });
    expect([stranger.code, stranger.fields]).toEqual(['not_found', [['user_id', 'not_one_of']]]);
    expect((await remove(ann, { user_id: ben.user.id, delete_org: true })).code).toBe('state_conflict');
  });

  it('rejects the removal of the last administrator', async () => {
    await people.member(orgId);
    expect((await remove(ann, { password: PASSWORD })).code).toBe('last_admin');
    expect((await people.call('get', '/user/info', ann.session)).status).toBe(200);
  });

  it('deletes the organisation only with its last administrator, and ends all access immediately', async () => {
    const bea = await people.admin(orgId);
    const ben = await people.member(orgId);
    const token = await identity.aToken(orgId, Permission.Read);
    expect((await remove(ben, { password: PASSWORD, delete_org: true })).code).toBe('permission_denied');
    expect((await remove(ann, { password: PASSWORD, delete_org: true })).code).toBe('state_conflict');
    await remove(ann, { user_id: bea.user.id });
    expect((await people.call('get', '/org/info', token)).status).toBe(200);

    // The clock does not move from here, so cached tokens would not expire by time.
    expect((await remove(ann, { password: 'something else', delete_org: true })).code).toBe('login_failed');
    expect((await remove(ann, { password: PASSWORD, delete_org: true })).data).toMatchObject({ org_deleted: true });
    for (const { session } of [ann, ben]) {
      expect((await people.call('get', '/user/info', session)).code).toBe('session_expired');
    }
    expect((await people.call('get', '/org/info', token)).code).toBe('not_authenticated');
    const login = await people.call('post', '/login', undefined, { email: ben.user.email, password: PASSWORD });
    expect(login.code).toBe('login_failed');
    expect(await identity.get(OrgService).find(orgId)).toBeNull();
    expect((await identity.get(OrgService).listAll()).map(({ id }) => id)).not.toContain(orgId);
    const elsewhere = (await identity.anOrg()).id;
    expect(await identity.aUser(elsewhere, { email: ben.user.email! })).toMatchObject({ orgId: elsewhere });
  });

  it('rejects demo users', async () => {
    const visitor = await people.visitor(orgId);
    expect((await remove(visitor, { password: PASSWORD })).code).toBe('demo_account');
  });
});

describe('DELETE /org/users/{user_id}', () => {
  const removeById = (userId: number, credential: string): ReturnType<People['call']> =>
    people.call('delete', `/org/users/${String(userId)}`, credential);

  it('removes another user and ends their sessions', async () => {
    const ben = await people.member(orgId);
    expect((await removeById(ben.user.id, ben.session)).code).toBe('permission_denied');
    expect((await removeById(ben.user.id, ann.session)).data).toMatchObject({ user_id: ben.user.id });
    expect((await people.call('get', '/user/info', ben.session)).status).toBe(401);
    expect((await removeById(ben.user.id, ann.session)).data).toMatchObject({ user_id: ben.user.id });
  });

  it('rejects the removal of the caller, and of the last administrator even with a token', async () => {
    const token = await identity.aToken(orgId, Permission.Admin);
    expect((await removeById(ann.user.id, ann.session)).code).toBe('last_admin');
    expect((await removeById(ann.user.id, token)).code).toBe('last_admin');
    await people.admin(orgId);
    expect((await removeById(ann.user.id, ann.session)).code).toBe('state_conflict');
  });

  it('answers not_found for a user of another organisation', async () => {
    const stranger = await people.member((await identity.anOrg()).id);
    expect((await removeById(stranger.user.id, ann.session)).code).toBe('not_found');
    expect((await people.call('get', '/user/info', stranger.session)).status).toBe(200);
  });
});
