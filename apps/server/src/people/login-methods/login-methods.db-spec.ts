import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { type LoginMethodsDto } from './dto/login-methods.dto.js';

describe('GET /login/methods', () => {
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

  it('returns only the password without further settings', async () => {
    expect(await methods()).toEqual({
      password: true,
      sso: { enabled: false, label: 'Single sign-on', url: expect.stringMatching(/\/api\/login\/sso$/) as string },
      signup: 'first',
      demo: false,
      mail: false,
    });
  });

  it.each(['open', 'closed'])('returns that sign-up is %s', async (mode) => {
    expect(await methods({ SIGNUP_MODE: mode })).toMatchObject({ signup: mode });
  });

  it('returns the demo when sign-up is open', async () => {
    expect(await methods({ SIGNUP_MODE: 'open', PLUMBLINE_DEMO: 'on' })).toMatchObject({ demo: true });
  });

  it('returns the demo when the operator allows visits', async () => {
    expect(await methods({ PLUMBLINE_DEMO: 'on', PLUMBLINE_DEMO_VISITS: 'on' })).toMatchObject({ demo: true });
  });

  it('returns no demo when it is switched off', async () => {
    expect(await methods({ PLUMBLINE_DEMO: 'off', PLUMBLINE_DEMO_VISITS: 'on' })).toMatchObject({ demo: false });
  });

  it('returns mail when the installation has a mail server', async () => {
    const env = { SMTP_HOST: 'mail.example.org', MAIL_FROM: 'plumbline@example.org' };
    expect(await methods(env)).toMatchObject({ mail: true });
  });
});
