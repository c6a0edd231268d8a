import { CONTENTS, hostileContent } from '../../../../../../test/support/alert-contents.js';
import { expectGolden } from '../../../../../../test/support/golden.js';
import { renderAlertMail } from './alert-mail.js';
import { readThread, subjectOf, writeThread } from './email.channel.js';

const HOME = 'https://plumbline.example.org';
const WITHOUT = { pictureCid: null, home: HOME, settings: `${HOME}/watchers/5` };
const WITH_PICTURE = { ...WITHOUT, pictureCid: 'graph@plumbline' };

describe('renderAlertMail', () => {
  it.each(Object.keys(CONTENTS))('renders %s as in the reviewed golden file', (name) => {
    const content = CONTENTS[name]!();
    const settings = content.kind === 'admin' ? `${HOME}/alerts/admin` : WITHOUT.settings;
    const context = content.items.length > 0 ? WITH_PICTURE : WITHOUT;
    const { text, html } = renderAlertMail(content, { ...context, settings });
    expectGolden(`alerts/mail-${name}.html`, html);
    expectGolden(`alerts/mail-${name}.txt`, text);
  });

  it('escapes hostile names in HTML and text', () => {
    const { html, text } = renderAlertMail(hostileContent(), WITH_PICTURE);
    const tags = new Set(Array.from(html.matchAll(/<([a-z][a-z0-9]*)/g), ([, tag]) => tag));
    expect([...tags].sort()).toEqual(
      [
        'a',
        'body',
        'br',
        'div',
        'h1',
        'head',
        'html',
        'img',
        'meta',
        'p',
        'style',
        'table',
        'td',
        'title',
        'tr',
        'wbr',
      ].sort(),
    );
    expect(html.match(/<img /g)).toHaveLength(1);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/);
    expect(text).not.toMatch(/\r|\u2028/);
    expect(text).not.toMatch(/^Bcc:/m);
  });

  it('includes a picture only when one was drawn, and always the link to the graph', () => {
    const content = CONTENTS.single!();
    const { html } = renderAlertMail(content, WITHOUT);
    expect(html).not.toContain('<img');
    expect(html).toContain('>Graph</a>');
    expect(renderAlertMail(content, WITH_PICTURE).html).toContain('src="cid:graph@plumbline"');
  });

  it('marks a test in both parts', () => {
    const { html, text } = renderAlertMail(CONTENTS.test!(), WITHOUT);
    expect(html).toContain('This is a test. Nothing is wrong.');
    expect(text.startsWith('*** This is a test. Nothing is wrong. ***\n')).toBe(true);
  });

  it('links to the acknowledgement while the incident is open, then to the incident', () => {
    expect(renderAlertMail(CONTENTS.storm!(), WITHOUT).text).toContain(`Acknowledge or train:\n${HOME}/incident/41`);
    const over = renderAlertMail(CONTENTS.recovered!(), WITHOUT).text;
    expect(over).toContain(`Open the incident:\n${HOME}/incident/41`);
    expect(over).not.toContain('Acknowledge');
  });

  it('links in both parts to the settings of these mails, if there are any', () => {
    const { html, text } = renderAlertMail(CONTENTS.single!(), WITHOUT);
    expect(text).toContain(`\nChange or stop these mails: ${HOME}/watchers/5\n`);
    expect(html).toContain(`href="${HOME}/watchers/5"`);
    expect(renderAlertMail(CONTENTS.test!(), { ...WITHOUT, settings: null }).text).not.toContain('Change or stop');
  });

  it('stays below 100 kB of HTML, so that mail programs show it whole', () => {
    const { html } = renderAlertMail(CONTENTS.storm!(), WITH_PICTURE);
    expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  });
});

describe('the subjects of a mail thread', () => {
  const first = { messageId: '<a@example.org>', subject: 'Major: a.b spiked' };

  it('repeat the subject of the first mail after a label', () => {
    expect(subjectOf(CONTENTS.single!(), null)).toMatch(/^Major: disk_read/);
    expect(subjectOf(CONTENTS.recovered!(), first)).toBe('[Recovered] Major: a.b spiked');
    expect(subjectOf(CONTENTS.grown!(), first)).toBe('[Update] Major: a.b spiked');
  });

  it('are restored from the stored thread', () => {
    expect(readThread(writeThread(first))).toEqual(first);
    expect([readThread(null), readThread('1760000000.000001')]).toEqual([null, null]);
  });

  it('are a single line', () => {
    expect(subjectOf(hostileContent(), null)).not.toMatch(/[\r\n\u2028]/);
  });
});
