import { Body, Controller, Get, type INestApplication, Post } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import request from 'supertest';
import { createEdgeApp, FIXED_NOW, SESSIONS, TOKENS } from '../../../../../test/support/edge-app.js';
import { Fetch } from '../http/fetch.decorator.js';
import { Links } from '../http/links.js';
import {
  AnyCaller,
  BeginsSession,
  CurrentCaller,
  FromAnySite,
  Public,
  RequireAnyPermission,
  RequirePermissions,
  RequirePermissionsOrSignature,
  SessionOnly,
  SideEffect,
} from './access.decorators.js';
import { type Caller, type KnownCaller } from './caller.js';

const nameOf = (caller: Caller) => (caller.kind === 'user' ? `user ${caller.sessionId.slice(0, 1)}` : caller.kind);

@Controller('thing')
class ThingController {
  @Fetch('read')
  @RequirePermissions(Permission.Read)
  read(@CurrentCaller() caller: KnownCaller) {
    return { who: nameOf(caller), org: caller.org.id };
  }

  @Post('write')
  @RequirePermissions(Permission.Write)
  write(@Body() body: object) {
    return { body };
  }

  @Fetch('change')
  @SideEffect()
  @RequirePermissions(Permission.Write)
  change() {
    return { changed: true };
  }

  @Get('both')
  @RequirePermissions(Permission.Read, Permission.Write)
  both() {
    return {};
  }

  @Get('either')
  @RequireAnyPermission(Permission.Alert, Permission.Admin)
  either() {
    return {};
  }

  @Get('own')
  @SessionOnly()
  own() {
    return {};
  }

  @Get('own-demo')
  @SessionOnly({ demo: true })
  ownDemo() {
    return {};
  }

  @Fetch('open')
  @Public()
  open(@AnyCaller() caller: Caller) {
    return { who: nameOf(caller) };
  }

  @Post('open-write')
  @Public()
  openWrite() {
    return {};
  }

  @Fetch('return')
  @Public()
  @SideEffect()
  @FromAnySite()
  return() {
    return {};
  }

  @Fetch('enter')
  @Public()
  @SideEffect()
  @BeginsSession()
  enter() {
    return {};
  }

  @Get('forgotten')
  forgotten() {
    return {};
  }

  @Fetch('picture')
  @RequirePermissionsOrSignature(Permission.Read)
  picture(@CurrentCaller() caller: KnownCaller) {
    return { org: caller.org.id, permissions: caller.permissions };
  }
}

describe('access', () => {
  let app: INestApplication;
  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [ThingController], env: { CORS_ORIGINS: 'https://friend.example.org' } });
  });
  afterAll(() => app.close());
  const http = () => request(app.getHttpServer());

  type Headers = Record<string, string>;
  const session = (id: string): Headers => ({ 'X-Session-Id': id });
  const cookie = (id: string): Headers => ({ Cookie: `other=1; session_id=${id}` });
  const token = (id: string): Headers => ({ 'X-Auth-Token': id });
  const sameOrigin: Headers = { 'Sec-Fetch-Site': 'same-origin' };

  describe('credentials', () => {
    const cases: [name: string, headers: Headers, path: string, want: string][] = [
      ['a session in the header', session(SESSIONS.user), '', 'user b'],
      ['a session in the query', {}, `?session_id=${SESSIONS.user}`, 'user b'],
      ['a session in the cookie', cookie(SESSIONS.user), '', 'user b'],
      ['a token header', token(TOKENS.read), '', 'token'],
      ['a bearer token', { Authorization: `Bearer ${TOKENS.read}` }, '', 'token'],
      ['the header before the query', session(SESSIONS.user), `?session_id=${SESSIONS.admin}`, 'user b'],
      ['the query before the cookie', cookie(SESSIONS.user), `?session_id=${SESSIONS.admin}`, 'user a'],
      ['a session before a token', { ...session(SESSIONS.user), ...token(TOKENS.read) }, '', 'user b'],
      ['the token next to an ended session', { ...session(SESSIONS.ended), ...token(TOKENS.read) }, '', 'token'],
      ['the token next to a malformed session', { ...session('x'), ...token(TOKENS.read) }, '', 'token'],
    ];
    it.each(cases)('accepts %s', async (_name, headers, query, want) => {
      const answer = await http().get(`/api/thing/read${query}`).set(headers);
      expect([answer.status, answer.body.data]).toEqual([200, { who: want, org: 7 }]);
    });

    it('accepts a session in a JSON body', async () => {
      const answer = await http().post('/api/thing/read').send({ session_id: SESSIONS.user });
      expect(answer.body.data.who).toBe('user b');
    });

    it('accepts a session in a form body', async () => {
      const answer = await http().post('/api/thing/read').type('form').send({ session_id: SESSIONS.user });
      expect(answer.body.data.who).toBe('user b');
    });

    it('accepts a token in data.token of a JSON body', async () => {
      const answer = await http()
        .post('/api/thing/read')
        .send({ status: {}, data: { token: TOKENS.read } });
      expect(answer.body.data.who).toBe('token');
    });

    const refusals: [name: string, headers: Headers, code: string][] = [
      ['no credential', {}, 'not_authenticated'],
      ['an unknown session', session('f'.repeat(32)), 'not_authenticated'],
      ['an ended session', session(SESSIONS.ended), 'session_expired'],
      ['an expired token', token(TOKENS.expired), 'token_expired'],
      [
        'an ended session and an expired token',
        { ...session(SESSIONS.ended), ...token(TOKENS.expired) },
        'session_expired',
      ],
      ['an unknown token', token('pl_nobody'), 'not_authenticated'],
      ['an overlong token', token('x'.repeat(5000)), 'not_authenticated'],
      [
        'a wrong header beside a good cookie',
        { ...session('f'.repeat(32)), ...cookie(SESSIONS.user) },
        'not_authenticated',
      ],
    ];
    it.each(refusals)('answers 401 to %s', async (_name, headers, code) => {
      const answer = await http().get('/api/thing/read').set(headers);
      expect([answer.status, answer.body.data.error.code]).toEqual([401, code]);
    });

    it.each([
      ['an ended session', session(SESSIONS.ended)],
      ['an expired token', token(TOKENS.expired)],
      ['no credential', {}],
    ])('ignores %s on a public route', async (_name, headers) => {
      const answer = await http().get('/api/thing/open').set(headers);
      expect([answer.status, answer.body.data.who]).toEqual([200, 'anonymous']);
    });

    it('recognises the caller of a public route by a credential', async () => {
      const answer = await http().get('/api/thing/open').set(session(SESSIONS.user));
      expect(answer.body.data.who).toBe('user b');
    });

    it('renews an old cookie', async () => {
      const answer = await http().get('/api/thing/read').set(cookie(SESSIONS.old));
      expect(answer.get('Set-Cookie')).toEqual([
        expect.stringMatching(
          /^session_id=0{32}; Max-Age=604800; Path=\/; Expires=.*; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ]);
    });

    it('sets no cookie when the session came in the header', async () => {
      const answer = await http().get('/api/thing/read').set(session(SESSIONS.old));
      expect(answer.get('Set-Cookie')).toBeUndefined();
    });
  });

  describe('permissions', () => {
    const cases: [who: string, headers: Headers, path: string, status: number, code: string | undefined][] = [
      ['an administrator', session(SESSIONS.admin), 'both', 200, undefined],
      ['a user', session(SESSIONS.user), 'both', 200, undefined],
      ['a read token', token(TOKENS.read), 'read', 200, undefined],
      ['a read token', token(TOKENS.read), 'both', 403, 'permission_denied'],
      ['a write token', token(TOKENS.write), 'read', 403, 'permission_denied'],
      ['a demo user', session(SESSIONS.demo), 'read', 200, undefined],
      ['a demo user', session(SESSIONS.demo), 'both', 403, 'demo_account'],
      ['a user with one of two', session(SESSIONS.user), 'either', 200, undefined],
      ['a token with none of two', token(TOKENS.read), 'either', 403, 'permission_denied'],
      ['a user', session(SESSIONS.user), 'own', 200, undefined],
      ['a token', token(TOKENS.read), 'own', 403, 'session_required'],
      ['an anonymous caller', {}, 'own', 401, 'not_authenticated'],
      ['a demo user', session(SESSIONS.demo), 'own', 403, 'demo_account'],
      ['a demo user', session(SESSIONS.demo), 'own-demo', 200, undefined],
    ];
    it.each(cases)('answers %s (%j) on %s with %d %s', async (_who, headers, path, status, code) => {
      const answer = await http().get(`/api/thing/${path}`).set(headers);
      expect([answer.status, answer.body.data.error?.code]).toEqual([status, code]);
    });

    it('names the missing permission in one detail', async () => {
      const answer = await http().get('/api/thing/both').set(token(TOKENS.ingest));
      expect(answer.body.data.error.details).toEqual([{ field: 'permission', code: 'missing', message: 'read' }]);
    });

    it('answers 500 on a route without an access rule, also to an administrator', async () => {
      const answer = await http().get('/api/thing/forgotten').set(session(SESSIONS.admin));
      expect([answer.status, answer.body.data.error.code]).toEqual([500, 'internal_error']);
    });
  });

  describe('the cross-site rule', () => {
    const change = (headers: Headers) => http().post('/api/thing/write').set(headers);
    const cases: [name: string, headers: Headers, status: number][] = [
      ['a cookie without any origin', cookie(SESSIONS.user), 403],
      ['a cookie from the same origin', { ...cookie(SESSIONS.user), ...sameOrigin }, 200],
      ['a cookie from the address bar', { ...cookie(SESSIONS.user), 'Sec-Fetch-Site': 'none' }, 200],
      ['a cookie from the same site only', { ...cookie(SESSIONS.user), 'Sec-Fetch-Site': 'same-site' }, 403],
      [
        'a cookie with the origin of the console',
        { ...cookie(SESSIONS.user), Origin: 'https://plumbline.example.org' },
        200,
      ],
      ['a cookie with a configured origin', { ...cookie(SESSIONS.user), Origin: 'https://friend.example.org' }, 200],
      ['a cookie with a foreign origin', { ...cookie(SESSIONS.user), Origin: 'https://evil.example.org' }, 403],
      ['a cookie beside a token', { ...cookie(SESSIONS.user), ...token(TOKENS.write) }, 403],
      ['a token alone', token(TOKENS.write), 200],
      ['a session header', session(SESSIONS.user), 200],
      ['the cookie of an ended session beside a token', { ...cookie(SESSIONS.ended), ...token(TOKENS.write) }, 200],
    ];
    it.each(cases)('is applied to a write with %s', async (_name, headers, status) => {
      const answer = await change(headers);
      expect([answer.status, answer.body.data.error?.code]).toEqual([
        status,
        status === 403 ? 'cross_site_refused' : undefined,
      ]);
    });

    it.each([
      ['GET with a side effect', 'get', 'change', 403],
      ['POST form of a GET with a side effect', 'post', 'change', 403],
      ['fetching GET', 'get', 'read', 200],
      ['fetching POST', 'post', 'read', 200],
      ['write on a public route', 'post', 'open-write', 403],
      ['return from another site', 'get', 'return', 200],
      ['POST form of a return from another site', 'post', 'return', 200],
    ] as const)('with only a cookie: %s (%s %s) answers %d', async (_name, method, path, status) => {
      const answer = await http()[method](`/api/thing/${path}`).set(cookie(SESSIONS.user));
      expect(answer.status).toBe(status);
    });

    it.each<[name: string, headers: Headers, status: number]>([
      ['a link in a mail', { ...cookie(SESSIONS.user), 'Sec-Fetch-Site': 'none' }, 403],
      ['a page of this service', { ...cookie(SESSIONS.user), ...sameOrigin }, 200],
      ['a program', { ...session(SESSIONS.user), 'Sec-Fetch-Site': 'none' }, 200],
    ])('is applied to a GET with a side effect from %s', async (_name, headers, status) => {
      expect((await http().get('/api/thing/change').set(headers)).status).toBe(status);
    });

    it.each<Headers>([{ 'Sec-Purpose': 'prefetch' }, { 'Sec-Purpose': 'prefetch;prerender' }, { Purpose: 'prefetch' }])(
      'rejects the prefetch %j of a GET with a side effect, even with a token',
      async (purpose) => {
        const answer = await http()
          .get('/api/thing/change')
          .set({ ...token(TOKENS.write), ...purpose });
        expect(answer.body.data.error.code).toBe('cross_site_refused');
      },
    );

    it.each<[name: string, headers: Headers, status: number]>([
      ['a program', {}, 200],
      ['a page of this service', sameOrigin, 200],
      ['the address bar', { 'Sec-Fetch-Site': 'none' }, 200],
      ['a configured origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://friend.example.org' }, 200],
      ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
      ['a sandbox of another site', { Origin: 'null' }, 403],
      ['an old browser on another site', { Origin: 'https://evil.example.org' }, 403],
      ['another site, whatever the credential', { ...token(TOKENS.write), 'Sec-Fetch-Site': 'cross-site' }, 403],
    ])('is applied to the start of a session from %s', async (_name, headers, status) => {
      for (const method of ['get', 'post'] as const) {
        const answer = await http()[method]('/api/thing/enter').set(headers);
        expect([answer.status, answer.body.data.error?.code]).toEqual([
          status,
          status === 403 ? 'cross_site_refused' : undefined,
        ]);
      }
    });

    it('is checked after the credential and before the permission', async () => {
      const anonymous = await http().get('/api/thing/change').set({ Purpose: 'prefetch' });
      const lacking = await http()
        .get('/api/thing/change')
        .set({ ...token(TOKENS.read), Purpose: 'prefetch' });
      expect([anonymous.body.data.error.code, lacking.body.data.error.code]).toEqual([
        'not_authenticated',
        'cross_site_refused',
      ]);
    });
  });

  describe('signed addresses', () => {
    const signed = (orgId = 7) =>
      app
        .get(Links)
        .signed(orgId, '/thing/picture', { metric: 'a b{c="ü"}', width: 400 })
        .replace(/^https:..[^/]+/, '');

    it('grant read access to the organisation in the address', async () => {
      const answer = await http().get(signed());
      expect([answer.status, answer.body.data]).toEqual([200, { org: 7, permissions: Permission.Read }]);
    });

    it('expire after 30 days', () => {
      const url = new URL(signed(), 'http://localhost');
      expect(Number(url.searchParams.get('exp'))).toBe(FIXED_NOW + 30 * 86_400);
    });

    it('are valid with the parameters in any order', async () => {
      const url = new URL(signed(), 'http://localhost');
      const reversed = new URLSearchParams([...url.searchParams].reverse());
      expect((await http().get(`${url.pathname}?${reversed.toString()}`)).status).toBe(200);
    });

    const spoiled: [name: string, spoil: (url: URL) => void, status: number, code: string][] = [
      ['another width', (url) => url.searchParams.set('width', '500'), 401, 'signature_invalid'],
      ['an additional parameter', (url) => url.searchParams.set('height', '500'), 401, 'signature_invalid'],
      ['another organisation', (url) => url.searchParams.set('org_id', '8'), 401, 'signature_invalid'],
      ['a later expiry', (url) => url.searchParams.set('exp', '9999999999'), 401, 'signature_invalid'],
      ['an empty signature', (url) => url.searchParams.set('sig', ''), 401, 'signature_invalid'],
    ];
    it.each(spoiled)('are rejected with %s', async (_name, spoil, status, code) => {
      const url = new URL(signed(), 'http://localhost');
      spoil(url);
      const answer = await http().get(url.pathname + url.search);
      expect([answer.status, answer.body.data.error.code]).toEqual([status, code]);
    });

    it('are rejected when the organisation no longer exists', async () => {
      expect((await http().get(signed(8))).body.data.error.code).toBe('signature_invalid');
    });

    it('are rejected when the body adds unsigned parameters', async () => {
      expect((await http().post(signed()).send({ metric: 'other' })).body.data.error.code).toBe('signature_invalid');
    });

    it('grant no access to other routes', async () => {
      const url = new URL(signed(), 'http://localhost');
      expect((await http().get(`/api/thing/read${url.search}`)).status).toBe(401);
    });

    it('are readable from other origins', async () => {
      const answer = await http().get(signed());
      expect(answer.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    });
  });
});
