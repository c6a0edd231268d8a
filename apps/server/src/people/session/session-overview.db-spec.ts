import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { type User } from '../user/user.types.js';
import { SessionService } from './session.service.js';

let identity: IdentityApp;
let orgId: number;
let ann: User;

beforeAll(async () => {
  identity = await IdentityApp.create();
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.clock.seconds = START;
  orgId = (await identity.anOrg()).id;
  ann = await identity.aUser(orgId);
});

interface Listed {
  ref: string;
  current: boolean;
  address: string | null;
  client: string | null;
}

async function logIn(agent: string): Promise<string> {
  const { body } = await identity
    .http()
    .post('/api/login')
    .set('User-Agent', agent)
    .send({ email: ann.email, password: PASSWORD });
  return (body as { data: { session: { id: string } } }).data.session.id;
}

async function list(session: string): Promise<Listed[]> {
  const { body } = await identity.http().get('/api/user/sessions').set('X-Session-Id', session);
  return (body as { data: { sessions: Listed[] } }).data.sessions;
}

const end = (session: string, ref: string) =>
  identity.http().delete(`/api/user/sessions/${ref}`).set('X-Session-Id', session);

async function actions(): Promise<string[]> {
  const rows = await identity.database.dataSource.query<{ action: string }[]>(
    `SELECT action FROM audit_entry WHERE org_id = $1 AND action LIKE 'session.%' ORDER BY id`,
    [orgId],
  );
  return rows.map(({ action }) => action);
}

it('GET /user/sessions lists sessions with address, client and times, the last used first', async () => {
  const first = await logIn('Firefox');
  identity.clock.seconds += 100;
  const second = await logIn(`Chrome${'x'.repeat(300)}`);
  identity.clock.seconds += 100;
  expect(await list(first)).toEqual([
    {
      ref: expect.stringMatching(/^[0-9a-f]{16}$/),
      current: true,
      created_timestamp: START,
      last_used_timestamp: START + 200,
      address: expect.stringMatching(/127\.0\.0\.1$/),
      client: 'Firefox',
    },
    expect.objectContaining({ current: false, last_used_timestamp: START + 100, client: `Chrome${'x'.repeat(194)}` }),
  ]);
  identity.clock.seconds += 1;
  expect((await list(second)).map(({ current }) => current)).toEqual([true, false]);
  expect(JSON.stringify(await list(first))).not.toContain(second.slice(0, 16));
});

it('DELETE /user/sessions/{ref} ends another session, idempotently', async () => {
  const [mine, lost] = [await logIn('laptop'), await logIn('phone')];
  const { ref } = (await list(mine)).find(({ client }) => client === 'phone')!;
  for (let time = 0; time < 2; time++) {
    const { status, body } = await end(mine, ref);
    expect([status, body.data]).toEqual([200, { message: 'OK' }]);
  }
  expect(await identity.get(SessionService).find(lost)).toBe('ended');
  expect((await list(mine)).map(({ client }) => client)).toEqual(['laptop']);
  expect(await actions()).toEqual(['session.end']);
});

it('DELETE /user/sessions/others ends all other sessions', async () => {
  const [mine, ...others] = [await logIn('one'), await logIn('two'), await logIn('three')];
  expect((await end(mine, 'others')).status).toBe(200);
  for (const other of others) expect(await identity.get(SessionService).find(other)).toBe('ended');
  expect(await list(mine)).toHaveLength(1);
  expect(await actions()).toEqual(['session.end_others']);
});

it('DELETE /user/sessions/{ref} of the current session logs out', async () => {
  const mine = await logIn('one');
  const answer = await end(mine, (await list(mine))[0]!.ref);
  expect(answer.status).toBe(200);
  expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('session_id=;')]);
  expect((await end(mine, 'others')).status).toBe(401);
});

it('GET /user/sessions omits expired sessions, and DELETE answers 404 for those of other users', async () => {
  await logIn('old');
  identity.clock.seconds += 8 * 86_400;
  const mine = await logIn('new');
  expect((await list(mine)).map(({ client }) => client)).toEqual(['new']);
  const other = await identity.aUser(orgId);
  const theirs = await identity.aSession(other.id);
  const [{ ref }] = (await list(theirs)) as [Listed];
  for (const unknown of [ref, 'ffffffffffffffff', 'x']) {
    const { status, body } = await end(mine, unknown);
    expect([status, body.data.error.code]).toEqual([404, 'not_found']);
  }
  expect(await list(theirs)).toHaveLength(1);
});
