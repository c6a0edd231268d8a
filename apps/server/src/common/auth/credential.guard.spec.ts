import { jest } from '@jest/globals';
import { Controller, Get, type INestApplication, Req } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import { type Request } from 'express';
import request from 'supertest';
import { createEdgeApp, SESSIONS, TOKENS } from '../../../../../test/support/edge-app.js';
import { Links } from '../http/links.js';
import { CurrentCaller, Public, RequirePermissions, RequirePermissionsOrSignature } from './access.decorators.js';
import { CredentialDirectory, type KnownCaller, type TokenCaller } from './caller.js';

@Controller('room')
class RoomController {
  @Get('read')
  @RequirePermissions(Permission.Read)
  read(@CurrentCaller() caller: KnownCaller) {
    return { org: caller.org.id, kind: caller.kind };
  }

  @Get('picture')
  @RequirePermissionsOrSignature(Permission.Read)
  picture(@CurrentCaller() caller: KnownCaller) {
    return { org: caller.org.id, kind: caller.kind };
  }

  @Get('open')
  @Public()
  open(@Req() request: Request) {
    return { user: request.user ?? null, authenticated: request.isAuthenticated(), session: 'session' in request };
  }
}

describe('the credential guard', () => {
  let app: INestApplication;
  let other: INestApplication;
  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [RoomController] });
    other = await createEdgeApp({ controllers: [RoomController] });
  });
  afterAll(async () => {
    await app.close();
    await other.close();
  });
  afterEach(() => jest.restoreAllMocks());

  const directoryOf = (one: INestApplication) => one.get(CredentialDirectory, { strict: false });
  const read = (one: INestApplication, headers: Record<string, string>) =>
    request(one.getHttpServer()).get('/api/room/read').set(headers);
  const signed = () =>
    app
      .get(Links)
      .signed(7, '/room/picture', {})
      .replace(/^https:..[^/]+/, '');

  it('queries the directory of its own application, not of the one that started last', async () => {
    const elsewhere = {
      kind: 'token',
      org: { id: 8, timezone: 'UTC', onboardingStatusId: 300 },
      permissions: Permission.Read,
      tokenRef: 1,
    } satisfies TokenCaller;
    jest.spyOn(directoryOf(other), 'findToken').mockResolvedValue(elsewhere);
    const headers = { 'X-Auth-Token': TOKENS.read };
    const orgs = [await read(app, headers), await read(other, headers)].map(({ body }) => body.data.org);
    expect(orgs).toEqual([7, 8]);
  });

  it('recognises the caller of each of many concurrent requests', async () => {
    const known: { headers: Record<string, string>; want: string | undefined }[] = [
      { headers: { 'X-Session-Id': SESSIONS.user }, want: 'user' },
      { headers: { 'X-Auth-Token': TOKENS.read }, want: 'token' },
      { headers: {}, want: undefined },
    ];
    const asked = Array.from({ length: 30 }, (_, at) => known[at % known.length]!);
    const answers = await Promise.all(asked.map(({ headers }) => read(app, headers)));
    expect(answers.map(({ body }) => body.data.kind as unknown)).toEqual(asked.map(({ want }) => want));
  });

  it('looks up each credential once, and the token only without a valid session', async () => {
    const directory = directoryOf(app);
    const spies = [
      jest.spyOn(directory, 'findSession'),
      jest.spyOn(directory, 'findToken'),
      jest.spyOn(directory, 'findOrg'),
    ];
    const calls = () => spies.map((spy) => spy.mock.calls.length);
    await read(app, { 'X-Session-Id': SESSIONS.user, 'X-Auth-Token': TOKENS.read }).expect(200);
    expect(calls()).toEqual([1, 0, 0]);
    await read(app, { 'X-Session-Id': SESSIONS.ended, 'X-Auth-Token': TOKENS.read }).expect(200);
    expect(calls()).toEqual([2, 1, 0]);
    await request(app.getHttpServer()).get(signed()).set('X-Session-Id', SESSIONS.user).expect(200);
    expect(calls()).toEqual([2, 1, 1]);
  });

  it('rejects a bad signature even with a valid session', async () => {
    const answer = await request(app.getHttpServer()).get(`${signed()}x`).set('X-Session-Id', SESSIONS.user);
    expect([answer.status, answer.body.data.error.code]).toEqual([401, 'signature_invalid']);
  });

  it.each([
    ['findSession', { 'X-Session-Id': SESSIONS.admin, 'X-Auth-Token': TOKENS.read }],
    ['findToken', { 'X-Auth-Token': TOKENS.read }],
  ] as const)('answers 500 when %s fails', async (name, headers) => {
    jest.spyOn(directoryOf(app), name).mockRejectedValue(new Error('the database is away'));
    const answer = await read(app, headers);
    expect([answer.status, answer.body.data.error.code]).toEqual([500, 'internal_error']);
  });

  it('sets neither user nor session of passport on the request', async () => {
    const answer = await request(app.getHttpServer()).get('/api/room/open').set('X-Session-Id', SESSIONS.user);
    expect(answer.body.data).toEqual({ user: null, authenticated: false, session: false });
  });
});
