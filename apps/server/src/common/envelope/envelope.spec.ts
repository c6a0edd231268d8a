import { Controller, Get, type INestApplication, Post, StreamableFile } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import request from 'supertest';
import { createEdgeApp, FIXED_NOW, SESSIONS, TOKENS } from '../../../../../test/support/edge-app.js';
import { Public, RequirePermissions } from '../auth/access.decorators.js';
import { AppError, ValidationFailedError } from '../errors/app-error.js';
import { Answer, type AnswerHead } from '../http/answer.js';
import { languageOf } from './status-blocks.js';

@Controller()
@Public()
class AnswersController {
  @Get('thing')
  thing() {
    return { a: 1 };
  }

  @Get('nothing')
  nothing() {
    return undefined;
  }

  @Get('file')
  file() {
    return new StreamableFile(Buffer.from('abc'), { type: 'text/csv' });
  }

  @Get('cached')
  cached(@Answer() answer: AnswerHead) {
    answer.usedCache(12.4);
    answer.usedCache(3);
    return {};
  }

  @Get('login')
  login(@Answer() answer: AnswerHead) {
    answer.startSession('c'.repeat(32), 604_800);
    answer.setBrowserCookie('client_id', 'client', 60);
    return {};
  }

  @Get('logout')
  logout(@Answer() answer: AnswerHead) {
    answer.endSession();
    return {};
  }

  @Get('invalid')
  invalid() {
    throw new ValidationFailedError([
      { field: 'a', code: 'required', message: 'a is required' },
      { field: 'b', code: 'too_long', message: 'b is too long' },
    ]);
  }

  @Post('echo')
  echo() {
    return {};
  }

  @Get('busy')
  busy() {
    throw new AppError('overloaded', 'Too busy.', [], 2.5);
  }

  @Get('broken')
  broken() {
    throw new TypeError('secret detail of the inside');
  }

  @Get('no-database')
  noDatabase() {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  }

  @Get('protected')
  @RequirePermissions(Permission.Admin)
  protected() {
    return {};
  }
}

const NO_FLAGS = {
  main_intro: false,
  alerts_intro: false,
  alerts_from_search: false,
  training_intro: false,
  alert_created: false,
  test_alert_sent: false,
  two_alerts_sent: false,
  pattern_trained: false,
};

describe('the envelope', () => {
  let app: INestApplication;
  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [AnswersController] });
  });
  afterAll(() => app.close());
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(app.getHttpServer()).get(`/api/${path}`).set(headers);

  it('wraps the result of a handler into status and data', async () => {
    const answer = await get('thing');
    expect(answer.body).toEqual({
      status: {
        created_timestamp: FIXED_NOW,
        created_string: 'Tue 12 Jul 2022 @ 15:01 (UTC)',
        duration: expect.any(Number),
        language: 'en-gb',
        timezone: { timezone_type: 3, timezone: 'UTC' },
        code: 200,
        oldest_cached_component_age: 0,
        session_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        org_onboarding_status_id: 1,
        api_host: 'node-1',
        user_onboarding_flags: NO_FLAGS,
      },
      data: { a: 1 },
    });
  });

  it('contains the session, time zone, flags and onboarding state of a user', async () => {
    const { status } = (await get('thing', { 'X-Session-Id': SESSIONS.user })).body;
    expect(status).toMatchObject({
      created_string: 'Tue 12 Jul 2022 @ 17:01 (CEST)',
      timezone: { timezone_type: 3, timezone: 'Europe/Oslo' },
      session_id: SESSIONS.user,
      org_onboarding_status_id: 300,
      user_onboarding_flags: { ...NO_FLAGS, main_intro: true },
    });
  });

  it("contains the time zone of a token's organisation and a new session id, and sets no cookie", async () => {
    const first = await get('thing', { 'X-Auth-Token': TOKENS.read });
    const second = await get('thing', { 'X-Auth-Token': TOKENS.read });
    expect(first.body.status).toMatchObject({
      timezone: { timezone_type: 3, timezone: 'Europe/Oslo' },
      org_onboarding_status_id: 300,
      user_onboarding_flags: NO_FLAGS,
    });
    expect(first.body.status.session_id).not.toBe(second.body.status.session_id);
    expect(first.get('Set-Cookie')).toBeUndefined();
  });

  it('does not repeat the id of an ended session', async () => {
    const answer = await get('thing', { 'X-Session-Id': SESSIONS.ended });
    expect(answer.body.status.session_id).not.toBe(SESSIONS.ended);
  });

  it('measures the duration in seconds with three decimals', async () => {
    const { duration } = (await get('thing')).body.status;
    expect(duration).toBeGreaterThanOrEqual(0);
    expect(duration).toBe(Math.round(duration * 1000) / 1000);
  });

  it('contains null for undefined', async () => {
    expect((await get('nothing')).body.data).toBeNull();
  });

  it('does not wrap files', async () => {
    const answer = await get('file');
    expect([answer.get('Content-Type'), answer.text]).toEqual(['text/csv', 'abc']);
  });

  it('contains the age of the oldest cached component', async () => {
    expect((await get('cached')).body.status.oldest_cached_component_age).toBe(12);
  });

  it('contains the id of a session that starts, and sets its cookie', async () => {
    const answer = await get('login');
    expect(answer.body.status.session_id).toBe('c'.repeat(32));
    expect(answer.get('Set-Cookie')).toEqual([
      expect.stringMatching(/^session_id=c{32}; Max-Age=604800; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^client_id=client; Max-Age=60; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  it('clears the cookie of a session that ends', async () => {
    const answer = await get('logout', { 'X-Session-Id': SESSIONS.user });
    expect(answer.get('Set-Cookie')).toEqual([expect.stringMatching(/^session_id=; Max-Age=0; Path=\//)]);
    expect(answer.body.status.session_id).not.toBe(SESSIONS.user);
  });

  describe('of errors', () => {
    const statusOf = {
      code: expect.any(Number),
      session_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      api_host: 'node-1',
    };

    it('lists all problems of a request', async () => {
      const answer = await get('invalid');
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        status: expect.objectContaining({ ...statusOf, code: 400 }),
        data: {
          message: 'The request has 2 problems.',
          error: {
            code: 'validation_failed',
            details: [
              { field: 'a', code: 'required', message: 'a is required' },
              { field: 'b', code: 'too_long', message: 'b is too long' },
            ],
          },
        },
      });
    });

    it.each([
      ['an unknown path', 'unknown', {}, 404, 'not_found'],
      ['a missing credential', 'protected', {}, 401, 'not_authenticated'],
      ['a missing permission', 'protected', { 'X-Auth-Token': TOKENS.read }, 403, 'permission_denied'],
      ['a programming error', 'broken', {}, 500, 'internal_error'],
      ['an unreachable database', 'no-database', {}, 503, 'not_ready'],
    ])('is complete for %s', async (_name, path, headers, status, code) => {
      const answer = await get(path, headers);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ status: { ...statusOf, code: status }, data: { error: { code } } });
      expect(Object.keys(answer.body.status)).toHaveLength(11);
    });

    it('is complete for a malformed body', async () => {
      const answer = await request(app.getHttpServer())
        .post('/api/echo')
        .set('Content-Type', 'application/json')
        .send('{');
      expect(answer.body).toMatchObject({
        status: { ...statusOf, code: 400 },
        data: { error: { code: 'malformed_body' } },
      });
    });

    it('sets Retry-After', async () => {
      const answer = await get('busy');
      expect([answer.status, answer.get('Retry-After')]).toEqual([503, '3']);
    });

    it('contains only the request id of an internal error', async () => {
      const answer = await get('broken', { 'X-Request-Id': 'abc' });
      expect(answer.body.data.message).toBe('Internal error. Request id: abc');
      expect(answer.text).not.toMatch(/secret detail|TypeError|at /);
    });

    it('contains the time zone of a caller without permission', async () => {
      const answer = await get('protected', { 'X-Session-Id': SESSIONS.user });
      expect(answer.body.status.timezone.timezone).toBe('Europe/Oslo');
    });
  });
});

describe('the language', () => {
  const f = (header: string | undefined, want: string) => {
    it(`${String(header)} -> ${want}`, () => {
      expect(languageOf(header)).toBe(want);
    });
  };
  f(undefined, 'en-gb');
  f('', 'en-gb');
  f('en', 'en-gb');
  f('en-US,en;q=0.5', 'en-gb');
  f('nb-NO, en-GB;q=0.8', 'en-gb');
  f('xx;q=nonsense', 'en-gb');
});
