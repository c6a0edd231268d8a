import { type AlertContent } from '#libs/alerting';
import { CONTENTS, hostileContent } from '../../../../../../test/support/alert-contents.js';
import { aMessage, ChannelApp, PNG } from '../../../../../../test/support/channel-app.js';
import { Mailbox } from '../../../../../../test/support/mailbox.js';

const ANN = 'ann@example.org';

let mailbox: Mailbox;
let app: ChannelApp;
let orgId: number;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  app = await ChannelApp.create(mailbox.env);
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});
beforeEach(async () => {
  mailbox.refuse = undefined;
  app.drawWith(() => Promise.resolve(PNG));
  orgId = (await app.anOrg()).id;
});

const mail = (content: AlertContent, thread: string | null = null) =>
  aMessage(orgId, content, { channel: 'email', recipient: ANN }, thread);

describe('the e-mail channel', () => {
  it('sends both parts, the inline picture, and headers for filters and list management', async () => {
    const message = mail(CONTENTS.single!());
    await app.send(message);
    const { subject, html, text, attachments, headers, messageId, from } = await mailbox.next(ANN);
    expect(subject).toBe(message.content.title);
    expect(text).toContain('Value: 84.2 ms, 79.3 ms above the usual range\nUsual: 3.4 to 4.9 ms');
    expect(html).toContain('cid:graph@plumbline');
    expect(attachments.map(({ contentId, mimeType, disposition }) => [contentId, mimeType, disposition])).toEqual([
      ['<graph@plumbline>', 'image/png', 'inline'],
    ]);
    expect(messageId).toBe(`<${message.id}@example.org>`);
    expect(from).toMatchObject({ name: 'Plumbline', address: 'plumbline@example.org' });
    const header = (key: string) => headers.find((one) => one.key === key)?.value;
    expect(header('auto-submitted')).toBe('auto-generated');
    expect(header('list-id')).toMatch(/^<watcher-5\.org-12\./);
    expect(header('list-unsubscribe')).toMatch(/^<https?:\/\/[^>]*\/watchers\/5>$/);
  });

  it('links from an admin alert to the page that disables it', async () => {
    await app.send(mail(CONTENTS.admin!()));
    const { text, html, headers } = await mailbox.next(ANN);
    const page = /\nChange or stop these mails: (https?:\/\/\S+\/alerts\/admin)\n/.exec(text ?? '')?.[1];
    expect(page).toBeDefined();
    expect(html).toContain(`href="${page!}"`);
    expect(headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(`<${page!}>`);
  });

  it('keeps the Message-ID for all tries', async () => {
    const message = mail(CONTENTS.single!());
    await app.send(message);
    await app.send(message);
    const ids = [(await mailbox.next(ANN)).messageId, (await mailbox.next(ANN)).messageId];
    expect(ids[0]).toBe(ids[1]);
  });

  it('sends later mails of an alert as replies to the first, with its subject', async () => {
    const first = mail(CONTENTS.storm!());
    const thread = await app.send(first);
    const second = await app.send(mail(CONTENTS.acknowledged!(), thread));
    expect(second).toBe(thread);
    await app.send(mail(CONTENTS.recovered!(), thread));
    await mailbox.next(ANN);
    for (const label of ['Acknowledged', 'Recovered']) {
      const { subject, inReplyTo, references } = await mailbox.next(ANN);
      expect(subject).toBe(`[${label}] ${first.content.title}`);
      expect([inReplyTo, references]).toEqual(Array(2).fill(`<${first.id}@example.org>`));
    }
  });

  it('sends the mail without a picture when drawing fails', async () => {
    app.drawWith(() => Promise.reject(new Error('no chart')));
    await app.send(mail(CONTENTS.single!()));
    const { html, attachments } = await mailbox.next(ANN);
    expect(attachments).toHaveLength(0);
    expect(html).not.toContain('<img');
    expect(html).toContain('>Graph</a>');
  });

  it('never turns text of a metric into a header or a recipient', async () => {
    await app.send(mail(hostileContent()));
    const { raw, recipient, subject } = await mailbox.next(ANN);
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
    expect(head).not.toMatch(/^bcc:/im);
    expect(recipient).toBe(ANN);
    expect(subject).toContain('Bcc: v@x.test');
    expect(subject).toContain('=?UTF-8?Q?x?=');
  });

  it('uses the server, login and sender address of the organisation if it has a server', async () => {
    const own = await Mailbox.start({ auth: { user: 'alerts', pass: 'secret' } });
    await app.connect(orgId, 'email', {
      ...{ smtp_host: '127.0.0.1', smtp_port: own.port, smtp_security: 'none' },
      ...{ smtp_username: 'alerts', smtp_password: 'secret', from_address: 'alerts@tenant.example', from_name: 'Ops' },
    });
    const message = mail(CONTENTS.single!());
    await app.send(message);
    const { from, envelopeFrom, user, messageId } = await own.next(ANN);
    expect(from).toMatchObject({ name: 'Ops', address: 'alerts@tenant.example' });
    expect([envelopeFrom, user]).toEqual(['alerts@tenant.example', 'alerts']);
    expect(messageId).toBe(`<${message.id}@tenant.example>`);
    await own.close();
  });

  it('gives up an address that is refused permanently, and retries after a temporary error', async () => {
    mailbox.refuse = 550;
    expect(await app.refusalOf(mail(CONTENTS.single!()))).toMatchObject({ kind: 'never' });
    mailbox.refuse = 451;
    expect(await app.refusalOf(mail(CONTENTS.single!()))).toMatchObject({ kind: 'later' });
  });

  it('reports that the sender address is missing', async () => {
    expect(await app.channel('email').missing(orgId)).toBeNull();
    await app.connect(orgId, 'email', { smtp_host: 'mail.example.org' });
    expect(await app.channel('email').missing(orgId)).toBe('the sender address of mails is not set');
  });
});

describe('the mail server of an organisation', () => {
  it('is not contacted when the operator does not allow its address', async () => {
    const closed = await ChannelApp.create({ PLUMBLINE_OUTGOING: 'public' });
    const { id } = await closed.anOrg();
    const own = await Mailbox.start();
    await closed.connect(id, 'email', {
      ...{ smtp_host: '127.0.0.1', smtp_port: own.port, smtp_security: 'starttls', from_address: 'a@tenant.example' },
    });
    const message = aMessage(id, CONTENTS.single!(), { channel: 'email', recipient: ANN });
    const refusal = await closed.refusalOf(message);
    expect(refusal.kind).toBe('later');
    expect(refusal.message).toContain('does not allow this address');
    expect(own.tries).toBe(0);
    await own.close();
    await closed.close();
  });
});
