import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type INestApplication } from '@nestjs/common';
import request, { type Test } from 'supertest';
import { createEdgeApp } from '../../../../../test/support/edge-app.js';
import { PageAnswers } from '../../common/http/page-answers.js';
import { docsSite } from './docs-site.js';

const FILES: Readonly<Record<string, string>> = {
  'index.html': 'all documents',
  'guide/alerts.html': 'alerts',
  'guide/alerts.html.br': 'packed by brotli',
  'decisions/index.html': 'all decisions',
  'assets/site-1a2b.js': 'a script',
  'images/one.png': 'a picture',
};

describe('GET /docs', () => {
  let folder: string;
  let app: INestApplication;
  let bare: INestApplication;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-docs-'));
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    [app, bare] = await Promise.all([appWith(folder), appWith(join(folder, 'nothing'))]);
  });
  afterAll(async () => {
    await Promise.all([app.close(), bare.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  async function appWith(built: string): Promise<INestApplication> {
    const created = await createEdgeApp({ controllers: [] });
    const answers = created.get(PageAnswers);
    answers.register(() => ({ html: 'the console', contentPolicy: "default-src 'none'" }));
    answers.registerFiles(docsSite((why, response) => response.type('html').send(why), built));
    return created;
  }

  const get = (path: string, from = app): Test => request(from.getHttpServer()).get(path).set('Accept', 'text/html');

  it.each([
    ['/docs/', 'all documents'],
    ['/docs/index.html', 'all documents'],
    ['/docs/decisions/', 'all decisions'],
    ['/docs/guide/alerts.html', 'alerts'],
    ['/docs/guide/alerts.html?theme=1', 'alerts'],
  ])('serves %s', async (path, text) => {
    const answer = await get(path).set('Accept-Encoding', 'identity').expect(200);
    expect([answer.type, answer.text]).toEqual(['text/html', text]);
  });

  it('sends compressed pages with a content policy for this server only, and revalidates them', async () => {
    const answer = await get('/docs/guide/alerts.html')
      .set('Accept-Encoding', 'br')
      .buffer()
      .parse((_, done) => done(null, null))
      .expect(200);
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    const policy = answer.headers['content-security-policy']!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'");
    expect(policy).not.toMatch(/unsafe|nonce|data:/);
    await get('/docs/guide/alerts.html')
      .set({ 'Accept-Encoding': 'br', 'If-None-Match': answer.headers.etag! })
      .expect(304);
  });

  it('allows permanent caching only of files with a hash in their name', async () => {
    const script = await get('/docs/assets/site-1a2b.js').expect(200);
    expect(script.headers['cache-control']).toContain('immutable');
    const picture = await get('/docs/images/one.png').expect(200);
    expect([picture.type, picture.headers['cache-control']]).toEqual(['image/png', 'no-cache']);
  });

  it.each([
    ['/docs', 'docs/'],
    ['/docs/decisions', 'decisions/'],
    ['/docs/guide/alerts', 'alerts.html'],
    ['/docs/guide/alerts.md', 'alerts.html'],
    ['/guide/alerts.html', '../docs/guide/alerts.html'],
  ])('redirects from %s', async (path, location) => {
    const answer = await get(path).expect(308);
    expect(answer.headers.location).toBe(location);
  });

  it.each([
    '/docs/none.html',
    '/docs/guide/',
    '/docs/guide',
    '/docs//index.html',
    '/docs/..%2findex.html',
    '/docs/%',
    '/docs/__proto__',
    '/docs/guide/alerts.html.br',
    '/docs/.md',
  ])('returns 404 at %s, as HTML for browsers and as JSON for programs', async (path) => {
    const page = await get(path).expect(404);
    expect([page.type, page.text]).toEqual(['text/html', 'unknown']);
    const answer = await get(path).set('Accept', 'application/json').expect(404);
    expect(answer.type).toBe('application/json');
  });

  it('returns 404 with a page that explains why if the documents were not built', async () => {
    for (const path of ['/docs', '/docs/', '/docs/guide/alerts.html']) {
      expect((await get(path, bare).expect(404)).text).toBe('not built');
    }
    await get('/docs/', bare).set('Accept', '*/*').expect(404);
    expect((await get('/', bare).expect(200)).text).toBe('the console');
  });
});
