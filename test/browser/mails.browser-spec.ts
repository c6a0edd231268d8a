import { type Browser } from 'playwright-core';
import { MAIL_PICTURE, renderAlertMail } from '../../apps/server/src/alerting/integration/email/alert-mail.js';
import { invitationMail } from '../../apps/server/src/people/account/account-mails.js';
import { renderMail } from '../../apps/server/src/platform/mail/mail-rendering.js';
import { aDay } from '../../apps/server/src/views/image/chart-renderer.js';
import { renderChart } from '../../apps/server/src/views/image/render-chart.js';
import { CONTENTS, hostileContent } from '../support/alert-contents.js';
import { launchBrowser, savePicture, seriousViolations } from '../support/console.js';

const HOME = 'https://plumbline.example.org';
const CID = 'graph@plumbline';

const { width, height, scale } = MAIL_PICTURE;
const graph = Buffer.from(renderChart({ chart: { ...aDay(), title: '', width, height }, format: 'png', scale }));

/** HTML of the mails by kind. */
const MAILS: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    Object.entries({ ...CONTENTS, hostile: hostileContent }).map(([name, content]) => [name, () => ofAlert(content())]),
  ),
  'without-picture': () => ofAlert(CONTENTS.single!(), null),
  invitation: () => {
    const { content } = invitationMail({
      orgName: 'Example Ltd',
      inviter: 'Ann',
      email: 'somebody.with.a.long.name@department.subsidiary.example.org',
      token: 'a'.repeat(64),
      url: `${HOME}/verify?email=somebody%40example.org&token=${'a'.repeat(64)}`,
    });
    return renderMail(content, { url: HOME }).html;
  },
  code: () =>
    renderMail(
      { heading: 'Your code', paragraphs: ['Somebody logs in. If it is you:'], code: '123456', notes: ['Ignore it.'] },
      { url: HOME },
    ).html,
};

function ofAlert(content: ReturnType<typeof hostileContent>, pictureCid: string | null = CID): string {
  const cid = content.items.length > 0 ? pictureCid : null;
  const settings = content.kind === 'admin' ? null : `${HOME}/watchers/5`;
  const { html } = renderAlertMail(content, { pictureCid: cid, home: HOME, settings });
  return html.replace(`cid:${CID}`, `data:image/png;base64,${graph.toString('base64')}`);
}

/** Elements that extend beyond the window on either side; runs in the page. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < 0 || right > document.documentElement.clientWidth + 0.5);
  })
  .map(({ outerHTML }) => outerHTML.slice(0, 200))`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each(Object.keys(MAILS))('the mail "%s"', (name) => {
  it.each([
    [380, 'light'],
    [380, 'dark'],
    [800, 'light'],
    [800, 'dark'],
  ] as const)('fits and is accessible at %d pixels, %s', async (pixels, colorScheme) => {
    const context = await browser.newContext({ viewport: { width: pixels, height: 800 }, colorScheme });
    const page = await context.newPage();
    await page.setContent(MAILS[name]!(), { waitUntil: 'load' });
    await savePicture(page, `mail-${name}-${String(pixels)}-${colorScheme}`);
    expect(await page.evaluate<string[]>(TOO_WIDE)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(pixels);
    expect(await seriousViolations(page)).toEqual([]);
    await context.close();
  });
});
