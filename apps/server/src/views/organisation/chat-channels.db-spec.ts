import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { Slack } from '../../../../../test/support/slack.js';
import { OrgService } from '../../people/org/org.service.js';

const TOKEN = 'xoxb-17653672481-19874698323-pdFZKVeTuE8s';

let slack: Slack;
let identity: IdentityApp;

beforeAll(async () => {
  slack = await Slack.start({ token: TOKEN, pageSize: 2 });
  identity = await IdentityApp.create({ env: slack.env });
});
afterAll(async () => {
  await identity.close();
  await slack.close();
});
beforeEach(() => {
  identity.clock.seconds = START;
  slack.calls = 0;
  slack.answer = undefined;
  slack.channels = [
    { id: 'C3', name: 'ops', is_member: true },
    { id: 'C2', name: 'secret', is_private: true, is_member: true },
    { id: 'C1', name: 'general' },
    { id: 'C0', name: 'old', is_archived: true },
  ];
});

async function aConnectedOrg(token = TOKEN): Promise<number> {
  const { id } = await identity.anOrg();
  await identity.get(OrgService).update(id, { chatApiToken: token });
  return id;
}

async function channels(orgId: number) {
  const token = await identity.aToken(orgId, Permission.Read);
  return identity.http().get('/api/org/channels').set('X-Auth-Token', token);
}

describe('GET /org/channels', () => {
  it('lists channels of all pages by name, without archived ones', async () => {
    const { status, body } = await channels(await aConnectedOrg());
    expect(status).toBe(200);
    expect(body.data).toEqual({
      channels: [
        { id: 'C1', name: 'general', private: false, member: false },
        { id: 'C3', name: 'ops', private: false, member: true },
        { id: 'C2', name: 'secret', private: true, member: true },
      ],
    });
    expect(slack.calls).toBe(2);
  });

  it('caches channels for ten minutes, and reports their age', async () => {
    const id = await aConnectedOrg();
    expect((await channels(id)).body.status.oldest_cached_component_age).toBe(0);
    identity.clock.seconds += 599;
    expect((await channels(id)).body.status.oldest_cached_component_age).toBe(599);
    expect(slack.calls).toBe(2);
    identity.clock.seconds += 2;
    expect((await channels(id)).body.status.oldest_cached_component_age).toBe(0);
    expect(slack.calls).toBe(4);
  });

  it('calls the provider again after a token change, once for concurrent requests', async () => {
    const id = await aConnectedOrg();
    await channels(id);
    await identity.get(OrgService).update(id, { chatApiToken: TOKEN });
    await Promise.all([channels(id), channels(id), channels(id)]);
    expect(slack.calls).toBe(4);
    expect((await channels(await aConnectedOrg())).body.data.channels).toHaveLength(3);
  });

  it('returns 503 while the chat is not connected', async () => {
    const { status, body } = await channels((await identity.anOrg()).id);
    expect([status, body.data.error.code]).toEqual([503, 'not_configured']);
    expect(slack.calls).toBe(0);
  });

  it.each([
    ['that the token is invalid', undefined, 'invalid_auth', 'xoxb-other'],
    ['with too many requests', { status: 429, body: '', headers: { 'Retry-After': '30' } }, 'try again in 30 s', TOKEN],
    ['with a server error', { status: 500, body: 'oops' }, 'HTTP status 500', TOKEN],
    ['with a body that is not JSON', { status: 200, body: '<html>' }, '', TOKEN],
    ['with a redirect', { status: 302, body: '', headers: { Location: 'http://127.0.0.1:1/' } }, '', TOKEN],
  ])('returns 502 when the provider answers %s, without the token', async (_, answer, reason, token) => {
    slack.answer = answer;
    const { status, body } = await channels(await aConnectedOrg(token));
    expect([status, body.data.error.code]).toEqual([502, 'upstream_failed']);
    expect(body.data.message).toContain(reason);
    expect(JSON.stringify(body)).not.toContain(token);
    expect(slack.calls).toBe(1);
  });
});
