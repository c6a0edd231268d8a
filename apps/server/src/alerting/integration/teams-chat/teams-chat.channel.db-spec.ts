import { type AlertContent } from '#libs/alerting';
import { CONTENTS } from '../../../../../../test/support/alert-contents.js';
import { aMessage, ChannelApp, PNG } from '../../../../../../test/support/channel-app.js';
import { Teams } from '../../../../../../test/support/teams.js';
import { ServerAddressesService } from '../../channel/server-addresses.service.js';
import { serverReference } from '../../channel/server-reference.functions.js';

let teams: Teams;
let app: ChannelApp;
let orgId: number;

beforeAll(async () => {
  app = await ChannelApp.create();
});
afterAll(() => app.close());
beforeEach(async () => {
  teams = await Teams.start();
  app.drawWith(() => Promise.resolve(PNG));
  orgId = (await app.anOrg()).id;
  await app.connect(orgId, 'teams_chat', { teams_chat_webhook: teams.url });
});
afterEach(() => teams.close());

const card = (content: AlertContent, recipient = '') => aMessage(orgId, content, { channel: 'teams_chat', recipient });

describe('the Teams channel', () => {
  it.each(Object.keys(CONTENTS))('posts a card that the service accepts: %s', async (name) => {
    await app.send(card(CONTENTS[name]!()));
    expect(teams.problems).toEqual([]);
    expect(teams.posts).toHaveLength(1);
  });

  it('posts to the workflow of a watcher, even if the organisation has none', async () => {
    const other = await Teams.start();
    const { id } = await app.anOrg();
    const message = { ...card(CONTENTS.single!(), serverReference(other.url)), orgId: id };
    const channel = app.channel('teams_chat');
    expect(await channel.missing(id)).toBe('the address of its workflow is missing');
    expect(await channel.missing(id, message.destination)).toBe('the address of its workflow is no longer set');
    expect(await app.refusalOf(message)).toMatchObject({ kind: 'never' });
    app.get(ServerAddressesService).register((orgId) => Promise.resolve(orgId === id ? [other.url] : []));
    expect(await channel.missing(orgId, message.destination)).not.toBeNull();
    expect(await channel.missing(id, message.destination)).toBeNull();
    await app.send(message);
    expect([other.posts.length, teams.posts.length]).toEqual([1, 0]);
    await other.close();
  });

  it('reports how long to wait when the service limits requests', async () => {
    teams.answer = { status: 429, headers: { 'Retry-After': '30' } };
    expect(await app.refusalOf(card(CONTENTS.single!()))).toMatchObject({ kind: 'later', retryAfterSeconds: 30 });
  });

  it.each([
    [404, 'gone'],
    [401, 'gone'],
    [410, 'gone'],
    [413, 'never'],
    [502, 'later'],
  ])('maps status %d to %s', async (status, kind) => {
    teams.answer = { status };
    expect(await app.refusalOf(card(CONTENTS.single!()))).toMatchObject({ kind });
  });

  it('does not follow a redirect', async () => {
    const other = await Teams.start();
    teams.answer = { status: 307, headers: { Location: other.url } };
    expect((await app.refusalOf(card(CONTENTS.single!()))).kind).toBe('later');
    expect(other.calls).toBe(0);
    await other.close();
  });

  it('aborts with the signal while the workflow does not respond', async () => {
    let release: () => void = () => undefined;
    teams.hold = new Promise((resolve) => (release = resolve));
    const ending = new AbortController();
    const sending = app.channel('teams_chat').send(card(CONTENTS.single!()), ending.signal);
    ending.abort();
    await expect(sending).rejects.toMatchObject({ kind: 'later' });
    release();
  });
});
