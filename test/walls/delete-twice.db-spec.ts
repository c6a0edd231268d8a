import { Permission } from '#libs/contracts';
import { type Org } from '../../apps/server/src/people/org/org.types.js';
import { type Headers, WholeApp } from '../support/whole-app.js';

interface Answer {
  status: number;
  body: { data: Record<string, Record<string, unknown> & { id?: number | string }> };
}

/** Section 1.6 of the contract: repeating a deletion returns 200 with the unchanged record. */
describe('repeating a deletion', () => {
  let app: WholeApp;
  let org: Org;
  let admin: Headers;

  beforeAll(async () => {
    app = await WholeApp.create();
    org = await app.anOrg('Example Ltd');
    admin = await app.sessionOf((await app.aUser(org.id, { admin: true })).id);
  });
  afterAll(() => app.close());

  async function call(method: 'get' | 'post' | 'delete', path: string, body?: object): Promise<Answer> {
    const sent = app.http()[method](`/api${path}`).set(admin);
    const { status, body: answer } = await (body === undefined ? sent : sent.send(body));
    return { status, body: answer as Answer['body'] };
  }

  const created: Record<string, () => Promise<string | number>> = {
    watcher: async () =>
      (await call('post', '/watcher', { chips: ['cpu'], name: `w${Math.random()}` })).body.data.watcher!.id!,
    exclusion: async () =>
      (await call('post', '/exclusion', { chips: [`cpu${Math.random()}`], type_id: 4 })).body.data.exclusion!.id!,
    tuning: async () => (await call('post', '/tuning', { chips: [`cpu${Math.random()}`] })).body.data.tuning!.id!,
    source: async () => {
      const fields = { type: 'promql', url: 'http://127.0.0.1:1', query: 'up', enabled: false };
      return (await call('post', '/source', { ...fields, name: `s${Math.random()}` })).body.data.source!.id!;
    },
    token: async () => (await call('post', '/org/tokens', { name: 'x', permissions: ['read'] })).body.data.token!.id!,
    user: async () => (await app.aUser(org.id)).id,
    session: async () => {
      await app.sessionOf(1);
      return 'others';
    },
  };

  it.each([
    ['DELETE /watcher/{id}', 'watcher', 'watcher'],
    ['GET /watcher/{id}/delete', 'watcher', 'watcher'],
    ['POST /watcher/{id}/delete', 'watcher', 'watcher'],
    ['DELETE /exclusion/{id}', 'exclusion', 'exclusion'],
    ['GET /exclusion/delete?exclusion_id={id}', 'exclusion', 'exclusion'],
    ['POST /exclusion/delete?exclusion_id={id}', 'exclusion', 'exclusion'],
    ['DELETE /tuning/{id}', 'tuning', 'tuning'],
    ['DELETE /source/{id}', 'source', 'source'],
    ['DELETE /org/tokens/{id}', 'token', 'token'],
    ['DELETE /org/users/{id}', 'user', 'user'],
    ['POST /user/delete?user_id={id}', 'user', 'user'],
    ['DELETE /user/sessions/{id}', 'session', 'message'],
  ])('returns 200 with the record: %s', async (route, kind, member) => {
    const [method, pattern] = route.split(' ') as [string, string];
    const path = pattern.replace('{id}', encodeURIComponent(String(await created[kind]!())));
    const [first, second] = [
      await call(method.toLowerCase() as 'get', path),
      await call(method.toLowerCase() as 'get', path),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.data[member]).toEqual(first.body.data[member]);
  });

  it('returns 200 with the erased data of a metric, by name and by id', async () => {
    const ingest = await app.tokenOf(org.id, Permission.Ingest);
    await app.http().post('/ingest/metrics').set(ingest).send({ metric: 'a.b', value: 1 }).expect(204);
    const id = (await call('get', '/metric/a.b')).body.data.metric!.id!;
    const [first, ...repeats] = [
      await call('delete', '/metric/a.b'),
      await call('delete', '/metric/a.b'),
      await call('delete', `/metric/id:${id}`),
    ];
    expect(first).toMatchObject({ status: 200, body: { data: { metric: 'a.b', deleted: { points: 1 } } } });
    for (const repeat of repeats) {
      expect([repeat.status, repeat.body.data]).toEqual([200, first.body.data]);
    }
    expect((await call('delete', '/metric/never.was')).status).toBe(404);
  });

  it('returns 404 for other calls on a deleted tuning, and for unknown ids', async () => {
    const id = String(await created.tuning!());
    await call('delete', `/tuning/${id}`);
    expect((await call('get', `/tuning/${id}`)).status).toBe(404);
    const { tunings } = (await call('get', '/tunings')).body.data as unknown as { tunings: { id: number }[] };
    expect(tunings.map((tuning) => String(tuning.id))).not.toContain(id);
    expect((await call('delete', '/tuning/999999')).status).toBe(404);
    expect((await call('delete', '/org/users/999999')).status).toBe(404);
  });

  it('is refused for oneself as the last administrator with the code last_admin', async () => {
    const own = (await call('get', '/user/info')).body.data.user!.id!;
    const { status, body } = await call('delete', `/org/users/${own}`);
    expect([status, body.data.error]).toMatchObject([409, { code: 'last_admin' }]);
  });
});
