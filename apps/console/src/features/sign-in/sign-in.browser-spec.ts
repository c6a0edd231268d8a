import { type ConsoleUnderTest, startConsole } from '../../../../../test/support/console.js';
import { ADMIN } from '../../../../../test/support/product.js';

describe('signing in', () => {
  let console: ConsoleUnderTest;

  beforeAll(async () => {
    console = await startConsole({ demo: false, env: { SIGNUP_MODE: 'open' } });
  }, 300_000);

  afterAll(() => console.dispose(), 120_000);

  it('succeeds after a wrong password, and returns to the requested page', async () => {
    const page = await console.open('/start?step=learn', { isSignedIn: false });
    await page.getByLabel('E-mail address').fill(ADMIN.PLUMBLINE_ADMIN_EMAIL);
    await page.getByLabel('Password', { exact: true }).fill('not the right one');
    await page.keyboard.press('Enter');
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('password');

    await page.getByLabel('Password', { exact: true }).fill(ADMIN.PLUMBLINE_ADMIN_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    expect(new URL(page.url()).search).toBe('?step=learn');
  });

  it('offers only what this installation supports', async () => {
    const page = await console.open('/login', { isSignedIn: false });
    await page.getByRole('link', { name: 'Create an organisation' }).waitFor();
    await page.getByText('This installation sends no mail').waitFor();
    expect(await page.getByRole('link', { name: 'Forgot your password?' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Try the demo' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Create an organisation' }).click();
    await page.getByRole('heading', { name: 'Create an organisation' }).waitFor();
  });

  it('redirects only to pages of the console', async () => {
    const page = await console.open('/login?return_to=//example.org/stolen');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('navigation').first().waitFor();
    expect(page.url()).toBe(`${console.product.url}/`);
  });

  it('continues at the same page after the session has ended', async () => {
    const page = await console.open('/start?step=alert');
    await page.getByRole('link', { name: 'Watchers' }).waitFor();
    await page.context().clearCookies();
    await page.getByRole('button', { name: /Let it learn/ }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(ADMIN.PLUMBLINE_ADMIN_EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.PLUMBLINE_ADMIN_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    expect(new URL(page.url()).search).toBe('?step=learn');
  });

  it('creates an account from an invitation link, and removes the secret from the address bar', async () => {
    const answer = await fetch(`${console.product.url}/api/org/users`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Session-Id': await console.sessionId() },
      body: JSON.stringify({ name: 'Ann', email: 'ann@example.org' }),
    });
    const { data } = (await answer.json()) as { data: { invite_url: string } };
    const link = new URL(data.invite_url);
    const page = await console.open(`${link.pathname}${link.search}`, { isSignedIn: false });
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    expect(page.url()).toBe(`${console.product.url}/verify`);
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('ann@example.org');

    await page.getByLabel('New password').fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('This is too short').waitFor();
    await page.getByLabel('New password').fill('purple lantern 42 stone');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(link.searchParams.get('token'));
  });

  it('reports that a link for a new password has been used or has expired', async () => {
    const page = await console.open(`/reset-password?token=${'1'.repeat(43)}`, { isSignedIn: false });
    await page.getByLabel('New password').fill('purple lantern 42 stone');
    expect(page.url()).toBe(`${console.product.url}/reset-password`);
    await page.keyboard.press('Enter');
    await page.getByText('This link has been used or has expired.').waitFor();
  });
});
