import PostalMime from 'postal-mime';
import { createTransport } from 'nodemailer';
import { oneLine, plainSubject, renderMail } from './mail-rendering.js';
import { type MailContent } from './mail.types.js';

const SENDER = { url: 'https://plumbline.example.org' };
const NASTY = `<img src=x onerror="alert('1')"> & "quotes"`;

const everything = (text: string): MailContent => ({
  heading: text,
  paragraphs: [text, `${text}\nsecond line`],
  button: { label: text, url: 'https://plumbline.example.org/verify?email=a%40b&token="x"' },
  code: text,
  facts: [[text, text]],
  notes: [text],
});

describe('renderMail', () => {
  it('renders the same content as text and as HTML', () => {
    const content: MailContent = {
      heading: 'Your code',
      paragraphs: ['Somebody logs in.', 'If it is you:'],
      code: '123456',
      facts: [['Valid until', '12:00 (UTC)']],
      button: { label: 'Log in', url: 'https://plumbline.example.org/login/validate?code=123456' },
      notes: ['If it is not you, change your password.'],
    };
    const { text, html } = renderMail(content, SENDER);
    const renderedText = [
      'Your code',
      'Somebody logs in.',
      '123456',
      'Valid until',
      '12:00 (UTC)',
      'Log in',
      'https://plumbline.example.org/login/validate?code=123456',
      'If it is not you, change your password.',
      SENDER.url,
    ];
    for (const line of renderedText) {
      expect(text).toContain(line);
      expect(html).toContain(line);
    }
    expect(text).toMatchInlineSnapshot(`
      "Your code
      =========

      Somebody logs in.

      If it is you:

          123456

      Valid until: 12:00 (UTC)

      Log in:
      https://plumbline.example.org/login/validate?code=123456

      If it is not you, change your password.

      -- 
      Sent by Plumbline, https://plumbline.example.org
      "
    `);
  });

  it('escapes HTML', () => {
    const plain = renderMail(everything('word'), SENDER).html;
    const { html, text } = renderMail(everything(NASTY), SENDER);
    const tags = (page: string) => page.match(/<[^>]*>/g);
    expect(tags(html)).toEqual(tags(plain));
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; &quot;quotes&quot;');
    expect(text).toContain(NASTY);
  });

  it('keeps line breaks only in paragraphs', () => {
    const { text, html } = renderMail(everything('one\r\ntwo\u2028three\u0000'), SENDER);
    expect(text.startsWith('one two three\n=============\n\none\ntwo three\n\n')).toBe(true);
    expect(html).toContain('one<br>two three</p>');
    expect(html).toContain(
      '<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3;overflow-wrap:anywhere">one two three</h1>',
    );
  });

  it('rejects a button with a URL that is not http or https', () => {
    const content = { heading: 'x', paragraphs: [], button: { label: 'x', url: 'javascript:alert(1)' } };
    expect(() => renderMail(content, SENDER)).toThrow(TypeError);
  });
});

describe('a mail subject', () => {
  it('cannot inject a header', async () => {
    const transport = createTransport({ streamTransport: true, buffer: true });
    const { message } = await transport.sendMail({
      from: 'a@example.org',
      to: 'b@example.org',
      subject: oneLine('Hello\r\nBcc: c@example.org\r\n\r\nA body'),
      text: '.',
    });
    const mail = await PostalMime.parse(message as Buffer);
    expect(mail.subject).toBe('Hello Bcc: c@example.org A body');
    expect(mail.bcc).toBeUndefined();
  });
  it.each([
    'Invitation to =?utf-8?B?WW91ciBiYW5r?=',
    '=?utf-8?q?=0d=0aBcc:_c@example.org?= and more, so that one encoded word is not enough for all of the text ääää',
    'Invitation to Łódź =?x?q?y?=',
    'Invitation to Łódź',
    'Plain',
  ])('decodes to the original text: %s', async (subject) => {
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
      from: 'a@example.org',
      to: 'b@example.org',
      subject: plainSubject(subject),
      text: '.',
    });
    const mail = await PostalMime.parse(message as Buffer);
    expect(mail.subject).toBe(subject);
    expect(mail.bcc).toBeUndefined();
  });
});
