import { Mailbox } from '../../../../../test/support/mailbox.js';
import { PASSWORD, WholeApp } from '../../../../../test/support/whole-app.js';

/** The body that a browser would send for the form with an action; `typed` contains the fields that people fill in. */
function formOf(html: string, typed: Record<string, string>): { action: string; body: Record<string, string> } {
  const [, action = '', content = ''] = /<form method="post" action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(html) ?? [];
  const fields = [...content.matchAll(/<input name="(\w+)" type="\w+"(?: value="([^"]*)")?/g)];
  return { action, body: Object.fromEntries(fields.map(([, name, value]) => [name, value ?? typed[name!] ?? ''])) };
}

describe('links in mails', () => {
  let mailbox: Mailbox;
  let app: WholeApp;
  beforeAll(async () => {
    mailbox = await Mailbox.start();
    app = await WholeApp.create({ env: { ...mailbox.env, SIGNUP_MODE: 'open', LOGIN_CODE: 'on' } });
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  /** The page behind the first link of the next mail to an address. */
  async function openLink(to: string): Promise<string> {
    const { text = '' } = await mailbox.next(to);
    const { pathname, search } = new URL(/https:\/\/\S+/.exec(text)?.[0] ?? '');
    const answer = await app
      .http()
      .get(pathname + search)
      .set('Accept', 'text/html');
    expect([answer.status, answer.type]).toEqual([200, 'text/html']);
    return answer.text;
  }

  async function submit(html: string, typed: Record<string, string>): Promise<{ status: number; body: unknown }> {
    const { action, body } = formOf(html, typed);
    const headers = { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://plumbline.example.org' };
    return app.http().post(action).type('form').set(headers).send(body);
  }

  it('lead from a sign-up to a session, a login with a code, and a new password', async () => {
    const email = 'ann@example.org';
    const signUp = { email, user_name: 'Ann', org_name: 'Example Ltd', timezone: 'Europe/Oslo' };
    expect((await app.http().post('/api/signup/selfserve').send(signUp)).status).toBe(200);
    const verified = await submit(await openLink(email), { password_1: PASSWORD, password_2: PASSWORD });
    expect(verified).toMatchObject({ status: 200, body: { data: { session: { user: { email } } } } });

    const login = await app.http().get('/login').set('Accept', 'text/html');
    const asked = await submit(login.text, { email, password: PASSWORD });
    expect(asked).toMatchObject({ status: 200, body: { data: { validation_required: true } } });
    const entered = await submit(await openLink(email), {});
    expect(entered).toMatchObject({ status: 200, body: { data: { session: { user: { email } } } } });

    expect((await app.http().post('/api/login/forgotpassword').send({ email })).status).toBe(200);
    const password = 'staple battery horse';
    const reset = await submit(await openLink(email), { new_password_1: password, new_password_2: password });
    expect(reset.status).toBe(200);
  });

  it('lead from an invitation to a session, and to a new address of the account', async () => {
    const { id: orgId } = await app.anOrg('Example Ltd');
    const admin = await app.aUser(orgId, { admin: true });
    const email = 'bob@example.org';
    const invited = await app
      .http()
      .post('/api/org/users')
      .set(await app.sessionOf(admin.id))
      .send({ email, name: 'Bob' });
    expect(invited.status).toBe(200);
    const accepted = await submit(await openLink(email), { password_1: PASSWORD, password_2: PASSWORD });
    expect(accepted).toMatchObject({ status: 200, body: { data: { session: { user: { email } } } } });

    const changed = await app
      .http()
      .put('/api/user')
      .set(await app.sessionOf(admin.id))
      .send({ email: 'cleo@example.org', password: PASSWORD });
    expect(changed.status).toBe(200);
    expect((await submit(await openLink('cleo@example.org'), {})).status).toBe(200);
    const [stored] = await app.query<{ email: string }>('SELECT email FROM user_account WHERE id = $1', [admin.id]);
    expect(stored).toEqual({ email: 'cleo@example.org' });
  });
});
