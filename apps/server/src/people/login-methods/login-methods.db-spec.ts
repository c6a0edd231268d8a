import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { type LoginMethodsDto } from './dto/login-methods.dto.js';

describe('the ways to log in', () => {
  let database: TestDatabase;
  let app: IdentityApp | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  async function methods(env: Record<string, string> = {}): Promise<LoginMethodsDto> {
    app = await IdentityApp.create({ env, database });
    const answer = await app.http().get('/api/login/methods').expect(200);
    return answer.body.data as LoginMethodsDto;
  }

  it('are a password alone where nothing is set up', async () => {
    expect(await methods()).toEqual({
      password: true,
      sso: { enabled: false, label: 'Single sign-on', url: expect.stringMatching(/\/api\/login\/sso$/) as string },
      signup: 'first',
      demo: false,
      mail: false,
    });
  });

  it.each(['open', 'closed'])('say that sign-up is %s', async (mode) => {
    expect(await methods({ SIGNUP_MODE: mode })).toMatchObject({ signup: mode });
  });

  it('have the demo where strangers may sign up', async () => {
    expect(await methods({ SIGNUP_MODE: 'open', PLUMBLINE_DEMO: 'on' })).toMatchObject({ demo: true });
  });

  it('have the demo where the operator lets visitors in', async () => {
    expect(await methods({ PLUMBLINE_DEMO: 'on', PLUMBLINE_DEMO_VISITS: 'on' })).toMatchObject({ demo: true });
  });

  it('have no demo where it is switched off', async () => {
    expect(await methods({ PLUMBLINE_DEMO: 'off', PLUMBLINE_DEMO_VISITS: 'on' })).toMatchObject({ demo: false });
  });

  it('have mail where the installation has a mail server', async () => {
    const env = { SMTP_HOST: 'mail.example.org', MAIL_FROM: 'plumbline@example.org' };
    expect(await methods(env)).toMatchObject({ mail: true });
  });
});
