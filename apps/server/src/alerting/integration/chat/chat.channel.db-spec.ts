import { type AlertContent } from '#libs/alerting';
import { CONTENTS } from '../../../../../../test/support/alert-contents.js';
import { aMessage, ChannelApp, PNG } from '../../../../../../test/support/channel-app.js';
import { Slack } from '../../../../../../test/support/slack.js';

const TOKEN = 'xoxb-17653672481-19874698323-pdFZKVeTuE8s';

let slack: Slack;
let app: ChannelApp;
let orgId: number;

beforeAll(async () => {
  slack = await Slack.start({ token: TOKEN });
  app = await ChannelApp.create(slack.env);
});
afterAll(async () => {
  await app.close();
  await slack.close();
});
beforeEach(async () => {
  slack.reset();
  slack.channels = [
    { id: 'C1', name: 'ops', is_member: true },
    { id: 'C2', name: 'general' },
    { id: 'C3', name: 'old', is_archived: true },
    { id: 'C4', name: 'secret', is_private: true },
  ];
  app.drawWith(() => Promise.resolve(PNG));
  orgId = (await app.anOrg()).id;
  await app.connect(orgId, 'chat', { chat_api_token: TOKEN, default_chat_channel: '#general' });
});

const messageOf = (content: AlertContent, thread: string | null = null, recipient = '#ops') =>
  aMessage(orgId, content, { channel: 'chat', recipient, mentions: ['U012AB3CD'] }, thread);

describe('the chat channel', () => {
  it('posts blocks with a mention, and the picture in the thread', async () => {
    const thread = await app.send(messageOf(CONTENTS.storm!()));
    expect(slack.messages).toHaveLength(1);
    const [{ channel, ts, text, blocks }] = slack.messages as [(typeof slack.messages)[0]];
    expect([channel, thread]).toEqual(['C1', `C1:${ts}`]);
    expect(text).toMatch(/^🔴 Critical: 2000 metrics of instance=db-1/);
    expect(JSON.stringify(blocks)).toContain('<@U012AB3CD>');
    expect(slack.files).toMatchObject([{ channel: 'C1', threadTs: ts, bytes: PNG }]);
  });

  it('edits the first message as the incident grows, without posting another', async () => {
    const thread = await app.send(messageOf(CONTENTS.single!()));
    const again = await app.send(messageOf(CONTENTS.grown!(), thread));
    expect(again).toBe(thread);
    expect(slack.messages).toHaveLength(1);
    expect(slack.messages[0]).toMatchObject({ edits: 1, text: expect.stringContaining('2000 metrics') as string });
    expect(slack.files).toHaveLength(1);
  });

  it('posts the acknowledgement and the recovery in the thread, and edits the first message', async () => {
    const thread = await app.send(messageOf(CONTENTS.storm!()));
    await app.send(messageOf(CONTENTS.acknowledged!(), thread));
    await app.send(messageOf(CONTENTS.recovered!(), thread));
    const [first, acknowledged, recovered] = slack.messages;
    expect([acknowledged!.threadTs, recovered!.threadTs]).toEqual([first!.ts, first!.ts]);
    expect(acknowledged!.text).toMatch(/^👀 Acknowledged: /);
    expect(recovered!.text).toMatch(/^✅ Recovered: /);
    expect(first).toMatchObject({ edits: 2, text: expect.stringMatching(/^✅ Recovered: /) as string });
    expect(JSON.stringify(first!.blocks)).not.toContain('Acknowledge or train');
  });

  it('posts the recovery to the channel when threads are disabled', async () => {
    await app.connect(orgId, 'chat', { chat_api_token: TOKEN, threads: false });
    const thread = await app.send(messageOf(CONTENTS.storm!()));
    await app.send(messageOf(CONTENTS.recovered!(), thread));
    expect(slack.messages.map(({ threadTs }) => threadTs)).toEqual([null, null]);
    expect(slack.files[0]!.threadTs).toBeNull();
  });

  it('posts an update to the thread when the first message was deleted', async () => {
    const thread = await app.send(messageOf(CONTENTS.single!()));
    slack.refusals.set('chat.update', 'message_not_found');
    await app.send(messageOf(CONTENTS.grown!(), thread));
    expect(slack.messages[1]).toMatchObject({ threadTs: slack.messages[0]!.ts });
  });

  it('posts to the default channel when the destination names none', async () => {
    await app.send(messageOf(CONTENTS.single!(), null, ''));
    expect(slack.messages[0]!.channel).toBe('C2');
  });

  it('posts without a picture when a scope is missing, the upload is refused or drawing fails', async () => {
    slack.scopes.delete('files:write');
    await app.send(messageOf(CONTENTS.single!()));
    slack.scopes.add('files:write');
    slack.refusals.set('files.completeUploadExternal', 'internal_error');
    await app.send(messageOf(CONTENTS.single!()));
    slack.refusals.clear();
    app.drawWith(() => Promise.reject(new Error('no chart')));
    await app.send(messageOf(CONTENTS.storm!()));
    expect([slack.messages.length, slack.files.length]).toEqual([3, 0]);
  });

  it('reports how long to wait when the service limits requests', async () => {
    slack.answer = { status: 429, body: '', headers: { 'Retry-After': '42' } };
    expect(await app.refusalOf(messageOf(CONTENTS.single!()))).toEqual({
      kind: 'later',
      message: 'too many requests, try again in 42 s',
      retryAfterSeconds: 42,
    });
  });

  it.each([
    ['a token that was revoked', () => (slack.isRevoked = true), 'gone', 'token_revoked'],
    ['a failing service', () => (slack.answer = { status: 503, body: '' }), 'later', 'HTTP status 503'],
    [
      'a fault of the service',
      () => slack.refusals.set('chat.postMessage', 'internal_error'),
      'later',
      'internal_error',
    ],
    [
      'a redirect, which is not followed',
      () => (slack.answer = { status: 302, body: '', headers: { Location: 'https://example.org/' } }),
      'later',
      'no answer',
    ],
    [
      'blocks that are refused',
      () => slack.refusals.set('chat.postMessage', 'invalid_blocks'),
      'never',
      'invalid_blocks',
    ],
  ])('reports %s', async (_, arrange, kind, message) => {
    arrange();
    expect(await app.refusalOf(messageOf(CONTENTS.single!()))).toMatchObject({ kind, message });
  });

  it.each([
    ['#nowhere', 'channel_not_found'],
    ['#old', 'is_archived'],
    ['#secret', 'channel_not_found'],
  ])('gives up a message to the channel %s', async (channel, message) => {
    expect(await app.refusalOf(messageOf(CONTENTS.single!(), null, channel))).toMatchObject({ kind: 'never', message });
  });

  it('aborts with the signal while the service does not respond', async () => {
    let release: () => void = () => undefined;
    slack.hold = new Promise((resolve) => (release = resolve));
    const ending = new AbortController();
    const sending = app.channel('chat').send(messageOf(CONTENTS.single!()), ending.signal);
    ending.abort();
    await expect(sending).rejects.toMatchObject({ kind: 'later' });
    release();
  });

  it('reports that the bot token is missing', async () => {
    expect(await app.channel('chat').missing(orgId)).toBeNull();
    expect(await app.channel('chat').missing((await app.anOrg()).id)).toBe('its bot token is missing');
  });

  const unknown = (places: readonly string[], id = orgId) => app.channel('chat').unknownPlaces!(id, places);

  it('finds channels by name or id, and never reports a member as unknown', async () => {
    const places = ['#ops', 'general', '#General', 'C1', '#old', '#nowhere', 'U012AB3CD'];
    expect(await unknown(places)).toEqual(['#old', '#nowhere']);
    // A channel that was created since is found.
    slack.channels.push({ id: 'C5', name: 'nowhere', is_member: true });
    app.clock.seconds += 1;
    expect(await unknown(places)).toEqual(['#old']);
    // Known channels are not looked up again.
    slack.calls = 0;
    expect(await unknown(['#ops', '#nowhere'])).toEqual([]);
    expect(slack.calls).toBe(0);
  });

  it.each([
    ['is down', () => (slack.answer = { status: 503, body: '' })],
    ['does not let the bot list them', () => slack.scopes.delete('channels:read')],
    ['has revoked the token', () => (slack.isRevoked = true)],
  ])('reports no channel as unknown when the provider %s', async (_, arrange) => {
    arrange();
    expect(await unknown(['#nowhere'])).toEqual([]);
  });

  it('looks up channels with a token that is not stored yet', async () => {
    const { id } = await app.anOrg();
    const channel = app.channel('chat');
    expect(await channel.unknownPlaces!(id, ['#ops', '#nowhere'], TOKEN)).toEqual(['#nowhere']);
    // An invalid token, or none, proves nothing about channels.
    expect(await channel.unknownPlaces!(id, ['#nowhere'], 'xoxb-wrong')).toEqual([]);
    expect(await channel.unknownPlaces!(orgId, ['#nowhere'], '')).toEqual([]);
  });

  it('reports no channel as unknown while the chat is not connected', async () => {
    expect(await unknown(['#nowhere'], (await app.anOrg()).id)).toEqual([]);
    expect(slack.calls).toBe(0);
  });
});
