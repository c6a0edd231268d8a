import { Controller, Get, type INestApplication } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import request from 'supertest';
import { createEdgeApp, SESSIONS, TOKENS } from '../../../../../test/support/edge-app.js';
import { Public, RequirePermissions } from '../auth/access.decorators.js';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { SystemClock } from '../clock.js';
import { loadConfig } from '../config/load-config.js';
import { PAYMENT_CALLBACK } from '../../people/billing/billing.controller.js';
import { SIGNUP_ADDRESS } from '../../people/signup/signup-limits.types.js';
import { PICTURES } from '../../views/image/image-limits.types.js';
import {
  MemoryRateLimitStore,
  RateLimit,
  RateLimitedError,
  rateLimit,
  RateLimits,
  RateLimitStore,
} from './rate-limits.js';

@Controller()
class LimitedController {
  @Get('read')
  @RequirePermissions(Permission.Read)
  read() {
    return {};
  }

  @Get('open')
  @Public()
  open() {
    return {};
  }

  @Get('picture')
  @RequirePermissions(Permission.Read)
  @RateLimit(PICTURES)
  picture() {
    return {};
  }

  @Get('messages')
  @Public()
  @RateLimit(PAYMENT_CALLBACK)
  messages() {
    return {};
  }

  @Get('sign-up')
  @Public()
  @RateLimit(SIGNUP_ADDRESS)
  signUp() {
    return {};
  }
}

describe('request limits', () => {
  let app: INestApplication;
  beforeEach(async () => {
    app = await createEdgeApp({
      controllers: [LimitedController],
      env: {
        PLUMBLINE_LIMIT_API: '3',
        PLUMBLINE_LIMIT_ANONYMOUS: '2',
        PLUMBLINE_LIMIT_PICTURES: '1',
        PLUMBLINE_LIMIT_SIGNUP_ADDRESS: '2',
        PLUMBLINE_LIMIT_PAYMENT_CALLBACK: '4',
      },
    });
  });
  afterEach(() => app.close());
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(app.getHttpServer()).get(`/api/${path}`).set(headers);
  const statuses = async (count: number, path: string, headers: Record<string, string> = {}) => {
    const found: number[] = [];
    for (let i = 0; i < count; i++) found.push((await get(path, headers)).status);
    return found;
  };
  const asUser = { 'X-Session-Id': SESSIONS.user };
  const asToken = { 'X-Auth-Token': TOKENS.read };

  it('count each session, token and anonymous address separately', async () => {
    expect(await statuses(4, 'read', asUser)).toEqual([200, 200, 200, 429]);
    expect(await statuses(4, 'read', asToken)).toEqual([200, 200, 200, 429]);
    expect(await statuses(3, 'open')).toEqual([200, 200, 429]);
    expect((await get('read', { 'X-Session-Id': SESSIONS.admin })).status).toBe(200);
  });

  it('also count all credentials of an organisation together', async () => {
    await app.close();
    app = await createEdgeApp({
      controllers: [LimitedController],
      env: { PLUMBLINE_LIMIT_ORG_API: '4', PLUMBLINE_LIMIT_API: '3' },
    });
    expect(await statuses(3, 'read', asUser)).toEqual([200, 200, 200]);
    // Requests refused by the limit of the session do not count for the organisation.
    expect(await statuses(2, 'read', asUser)).toEqual([429, 429]);
    const last = await get('read', asToken);
    expect([last.status, last.get('X-RateLimit-Limit'), last.get('X-RateLimit-Remaining')]).toEqual([200, '4', '0']);
    const refused = await get('read', asToken);
    expect([refused.status, refused.get('X-RateLimit-Limit')]).toEqual([429, '4']);
  });

  it('are in the headers of every limited answer', async () => {
    const answer = await get('read', asUser);
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '2',
      'x-ratelimit-reset': '60',
    });
  });

  it('answer 429 with Retry-After', async () => {
    await statuses(2, 'open');
    const answer = await get('open');
    expect(answer.body.data.error.code).toBe('rate_limited');
    expect(answer.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^(59|60)$/),
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
    });
  });

  it('count invalid credentials by address', async () => {
    const headers = [TOKENS.expired, 'pl_x', 'pl_y'].map((token) => ({ 'X-Auth-Token': token }));
    const found: number[] = [];
    for (const header of headers) found.push((await get('read', header)).status);
    expect(found).toEqual([401, 401, 429]);
  });

  it('are checked before the credential', async () => {
    await statuses(2, 'read');
    expect((await get('read')).status).toBe(429);
  });

  it('of a route apply in addition to the general limit, and the tighter one is in the headers', async () => {
    const first = await get('picture', asUser);
    expect(first.get('X-RateLimit-Limit')).toBe('1');
    expect(await statuses(1, 'picture', asUser)).toEqual([429]);
    expect(await statuses(2, 'read', asUser)).toEqual([200, 429]);
  });

  it('on addresses count every caller by its address', async () => {
    expect(await statuses(1, 'sign-up', asUser)).toEqual([200]);
    expect(await statuses(1, 'sign-up', asToken)).toEqual([200]);
    expect(await statuses(1, 'sign-up')).toEqual([429]);
  });

  it('of a route can replace the general limit', async () => {
    const first = await get('messages');
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '4', 'x-ratelimit-remaining': '3' });
    expect(await statuses(4, 'messages')).toEqual([200, 200, 200, 429]);
    expect(await statuses(3, 'open')).toEqual([200, 200, 429]);
  });

  it('do not count unknown paths or OPTIONS', async () => {
    await get('unknown');
    await request(app.getHttpServer()).options('/api/open');
    expect(await statuses(2, 'open')).toEqual([200, 200]);
  });
});

describe('limits on failed attempts', () => {
  class TwoConfig {
    tries = 2;
  }
  const twoTries = (name: string) =>
    rateLimit({ name, config: TwoConfig, points: (config) => config.tries, windowSeconds: 900 });
  const TRIES = twoTries('tries');
  const limits = () => new RateLimits(loadConfig([TwoConfig], {}), new MemoryRateLimitStore(), new SystemClock());

  it('count an attempt before it is made, and reject attempts beyond the limit', async () => {
    const rate = limits();
    expect(await rate.begin(TRIES, 'a')).toMatchObject({ remaining: 1 });
    expect(await rate.begin(TRIES, 'a')).toMatchObject({ remaining: 0 });
    await expect(rate.begin(TRIES, 'a')).rejects.toThrow(RateLimitedError);
    expect(await rate.begin(TRIES, 'b')).toMatchObject({ remaining: 1 });
  });

  it('do not count attempts that are taken back', async () => {
    const rate = limits();
    for (let i = 0; i < 5; i++) await rate.takeBack(await rate.begin(TRIES, 'a'));
    expect(await rate.begin(TRIES, 'a')).toMatchObject({ remaining: 1 });
  });

  it('do not count rejected attempts', async () => {
    const rate = limits();
    const tries = [await rate.begin(TRIES, 'a'), await rate.begin(TRIES, 'a')];
    for (let i = 0; i < 5; i++) await expect(rate.begin(TRIES, 'a')).rejects.toThrow(RateLimitedError);
    await rate.takeBack(tries[0]!);
    expect(await rate.begin(TRIES, 'a')).toMatchObject({ remaining: 0 });
  });

  it('query the store at most once a second for a key over its limit', async () => {
    const clock = new HandClock(1000);
    const store = new MemoryRateLimitStore();
    let asked = 0;
    const counting: RateLimitStore = {
      limiter: (options) => {
        const limiter = store.limiter(options);
        return Object.assign(Object.create(limiter) as typeof limiter, {
          consume: (key: string, points?: number) => {
            asked++;
            return limiter.consume(key, points);
          },
        });
      },
    };
    const rate = new RateLimits(loadConfig([TwoConfig], {}), counting, clock);
    await rate.begin(TRIES, 'a');
    await rate.begin(TRIES, 'a');
    for (let i = 0; i < 10; i++) await expect(rate.begin(TRIES, 'a')).rejects.toThrow(RateLimitedError);
    expect(asked).toBe(3);
    clock.seconds += 1;
    await expect(rate.begin(TRIES, 'a')).rejects.toThrow(RateLimitedError);
    expect(asked).toBe(4);
    await rate.forget(TRIES, 'a');
    expect(await rate.begin(TRIES, 'a')).toMatchObject({ remaining: 1 });
  });

  it('ignore an attempt taken back after the end of its window', async () => {
    const rate = limits();
    const counted = await rate.begin(TRIES, 'a');
    await rate.takeBack({ ...counted, windowEnd: performance.now() });
    expect(await rate.begin(TRIES, 'a')).toMatchObject({ remaining: 0 });
  });

  it('throw for a second limit of the same name', async () => {
    const rate = limits();
    await rate.begin(TRIES, 'a');
    await expect(rate.begin(twoTries('tries'), 'a')).rejects.toThrow('Two limits have the name tries');
  });
});
