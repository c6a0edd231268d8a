import { type INestApplication } from '@nestjs/common';
import request, { type Test } from 'supertest';
import { createEdgeApp, FIXED_NOW, SESSIONS } from '../../../../../test/support/edge-app.js';
import { MiscModule } from './misc.module.js';

describe('MiscController', () => {
  let app: INestApplication;
  const get = (path: string): Test => request(app.getHttpServer() as never).get(`/api${path}`);
  const post = (path: string): Test => request(app.getHttpServer() as never).post(`/api${path}`);

  const membersOf = (answer: { body: unknown }): string[] => Object.keys((answer.body as { data: object }).data);

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [], imports: [MiscModule] });
  });
  afterAll(() => app.close());

  it.each(['/misc/phonecodes', '/misc/timezones', '/misc/timesince?timestamp=0', '/ping', '/status'])(
    'serves %s without authentication, by GET and POST',
    async (path) => {
      const byGet = await get(path).expect(200);
      const byPost = await post(path).expect(200);
      expect(byGet.body).toMatchObject({ status: { code: 200 } });
      expect(membersOf(byPost)).toEqual(membersOf(byGet));
    },
  );

  it('answers a ping', async () => {
    expect((await get('/ping')).body).toMatchObject({ data: { ping: 'pong' } });
  });

  it.each(['/misc/phonecodes', '/misc/timezones'])('serves %s cacheable for an hour and with an ETag', async (path) => {
    const first = await get(path).expect('Cache-Control', 'public, max-age=3600').expect(200);
    const tag = first.get('ETag')!;
    expect(tag).toMatch(/^W\/".+"$/);
    const second = await get(path).set('If-None-Match', tag).expect(304);
    expect(second.text).toBe('');
    await get(path).set('If-None-Match', 'W/"other"').expect(200);
  });

  it('returns the time since a timestamp', async () => {
    const answer = await get(`/misc/timesince?timestamp=${String(FIXED_NOW - 7200)}`);
    expect(answer.body).toMatchObject({ data: { seconds: 7200, string: '2 hours ago', timestamp: FIXED_NOW - 7200 } });
    const byForm = await post('/misc/timesince')
      .type('form')
      .send({ timestamp: FIXED_NOW + 120 });
    expect(byForm.body).toMatchObject({ data: { seconds: -120, string: 'in 2 minutes' } });
  });

  it.each([
    ['', 'required'],
    ['?timestamp=', 'required'],
    ['?timestamp=-1', 'out_of_range'],
    ['?timestamp=4102444801', 'out_of_range'],
    ['?timestamp=noon', 'not_integer'],
    ['?timestamp=1&timestamp=2', 'duplicate_parameter'],
  ])('rejects /misc/timesince%s: %s', async (query, code) => {
    const answer = await get(`/misc/timesince${query}`).expect(400);
    expect(answer.body).toMatchObject({ data: { error: { details: [{ field: 'timestamp', code }] } } });
  });

  it('returns 200 for a button click that Slack reports to /status', async () => {
    // Slack shows a warning beside a button if the answer is not 200.
    const answer = await post('/status')
      .type('form')
      .send({ payload: JSON.stringify({ type: 'block_actions' }) });
    expect(answer.status).toBe(200);
  });

  it('lists the components of the service only for administrators', async () => {
    const open = await get('/status').expect(200);
    expect(open.body).toMatchObject({
      data: { state: 'ok', version: expect.any(String) as string, server_timestamp: FIXED_NOW, components: [] },
    });
    const user = await get('/status').set('X-Session-Id', SESSIONS.user);
    expect((user.body as { data: { components: object[] } }).data.components).toEqual([]);
    const admin = await post('/status').set('X-Session-Id', SESSIONS.admin);
    const names = (admin.body as { data: { components: { name: string }[] } }).data.components.map(({ name }) => name);
    expect(names).toEqual(['database', 'queue', 'ingest', 'analysis', 'notifications', 'mail']);
  });
});
