import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ConsoleUnderTest, seriousViolations, settled, startConsole } from '../support/console.js';
import { ADMIN } from '../support/product.js';

const BUILD = resolve(import.meta.dirname, '../../dist/console');
const FIRST_PAGE_LIMIT_BYTES = 250_000;
const FIRST_PAGE_LIMIT_FILES = 20;
const GUIDE_LINK = 'a[href^="/docs/"]';
/** Sources of pictures that did not load, or have no alternative text. */
const BROKEN_PICTURES =
  '[...document.querySelectorAll("main img")].filter((one) => !one.complete || one.naturalWidth === 0 || one.alt === "").map((one) => one.src)';

describe('the console as served', () => {
  let console: ConsoleUnderTest;
  beforeAll(async () => {
    console = await startConsole({ demo: false });
  }, 300_000);
  afterAll(() => console.dispose(), 120_000);

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(console.product.url + path, { headers: { Accept: 'text/html', ...headers } });

  it('allows only scripts of its own server, and only style sheets with the nonce of the answer', async () => {
    const [first, second] = [await get('/'), await get('/anomaly/1')];
    const policy = first.headers.get('Content-Security-Policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    const nonce = /'nonce-([\w-]+)'/.exec(policy)![1]!;
    expect(await first.text()).toContain(`content="${nonce}"`);
    expect(second.headers.get('Content-Security-Policy')).not.toContain(nonce);
  });

  it('allows permanent caching only of files with a hash in their name', async () => {
    const html = await get('/');
    expect(html.headers.get('Cache-Control')).toBe('no-store');
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await html.text())![1]!;
    expect((await get(script)).headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect((await get('/favicon.svg')).headers.get('Cache-Control')).toBe('public, max-age=3600');
  });

  it('serves the licences of its bundled packages', async () => {
    const licences = await (await get('/licences.md')).text();
    for (const name of ['react', '@mantine/core', '@tanstack/react-router', 'echarts']) {
      expect(licences).toMatch(new RegExp(`^## ${name} - [\\d.]+ \\((MIT|Apache-2.0)\\)$`, 'm'));
    }
    expect(licences).toContain('## Notice of echarts');
  });

  it('sends compressed files to browsers that accept them', async () => {
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text())![1]!;
    expect((await get(script, { 'Accept-Encoding': 'br' })).headers.get('Content-Encoding')).toBe('br');
    expect((await get(script, { 'Accept-Encoding': 'gzip' })).headers.get('Content-Encoding')).toBe('gzip');
  });

  it('serves no file outside of the build, and returns the address of the API to programs', async () => {
    expect((await get('/assets/../index.html')).headers.get('Content-Type')).toContain('text/html');
    expect((await get('/assets/none.js')).status).toBe(404);
    expect((await get('/assets/..%2f..%2fpackage.json')).status).toBe(404);
    const program = await fetch(`${console.product.url}/`, { headers: { Accept: 'application/json' } });
    expect(program.headers.get('Content-Type')).toContain('text/plain');
    expect(await program.text()).toMatch(/ API http:\/\/\S+\/api, /);
  });

  it('stores no credential where scripts can read it', async () => {
    const page = await console.open('/login', { isSignedIn: false });
    await page.context().request.post('/api/login', {
      data: { email: ADMIN.PLUMBLINE_ADMIN_EMAIL, password: ADMIN.PLUMBLINE_ADMIN_PASSWORD },
    });
    await page.goto('/');
    await settled(page);
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'session_id');
    expect(cookie?.httpOnly).toBe(true);
    const readable = await page.evaluate<string>(
      'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie',
    );
    expect(readable).not.toContain(cookie!.value);
    expect(readable).not.toContain('pl_');
  });

  it('loads less than 250 kB of script in a few files for the first page, and no charts', async () => {
    const page = await console.open('/login', { isSignedIn: false });
    await settled(page);
    await page
      .context()
      .addCookies([{ name: 'session_id', value: await console.sessionId(), url: console.product.url }]);
    const scripts = new Set<string>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith('.js')) scripts.add(pathname);
    });
    await page.goto('/');
    await settled(page);
    const sizes = await Promise.all([...scripts].map(async (path) => (await stat(join(BUILD, `${path}.gz`))).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(FIRST_PAGE_LIMIT_BYTES);
    expect(scripts.size).toBeLessThan(FIRST_PAGE_LIMIT_FILES);
    expect([...scripts].filter((path) => path.includes('chart'))).toEqual([]);
    const html = await (await get('/')).text();
    // The HTML references every script, so that none is requested only after another one has run.
    expect([...scripts].filter((path) => !html.includes(path))).toEqual([]);
  });

  describe('guide', () => {
    let paths: string[];
    beforeAll(async () => {
      const page = await console.open('/');
      await settled(page);
      await page.keyboard.press('?');
      await page.locator(GUIDE_LINK).first().waitFor();
      paths = await page.evaluate<string[]>(
        `[...document.querySelectorAll('${GUIDE_LINK}')].map((link) => link.pathname)`,
      );
      await page.context().close();
    });

    it.each(['light', 'dark'] as const)('is accessible with all of its pictures (%s)', async (theme) => {
      expect(paths.length).toBeGreaterThanOrEqual(8);
      const page = await console.open(paths[0]!, { theme, width: 380, isSignedIn: false });
      for (const path of paths) {
        console.takeLog();
        expect((await page.goto(path))?.status()).toBe(200);
        expect(await page.locator('h1').count()).toBe(1);
        expect(await page.evaluate(BROKEN_PICTURES)).toEqual([]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
        expect(await seriousViolations(page)).toEqual([]);
        expect(console.takeLog()).toEqual([]);
      }
      await page.context().close();
    });

    it('has no broken link', async () => {
      const texts = new Map<string, string>();
      const textOf = async (url: URL): Promise<string> => {
        const known = texts.get(url.pathname);
        if (known !== undefined) return known;
        const answer = await get(url.pathname);
        expect([url.pathname, answer.status]).toEqual([url.pathname, 200]);
        const text = await answer.text();
        texts.set(url.pathname, text);
        return text;
      };
      const waiting = [...paths];
      const seen = new Set<string>();
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        if (seen.has(path)) continue;
        seen.add(path);
        const page = new URL(path, console.product.url);
        for (const [, href] of (await textOf(page)).matchAll(/(?:href|src)="([^"]+)"/g)) {
          const target = new URL(href!, page);
          if (target.origin !== page.origin) continue;
          const text = await textOf(target);
          if (target.hash !== '') {
            const id = `id="${decodeURIComponent(target.hash.slice(1))}"`;
            expect([path, href, text.includes(id)]).toEqual([path, href, true]);
          }
          if (target.pathname.endsWith('.html')) waiting.push(target.pathname);
        }
      }
    });
  });

  it('contains no code that evaluates text or inserts HTML', async () => {
    const sources = resolve(import.meta.dirname, '../../apps/console/src');
    const files = (await readdir(sources, { recursive: true })).filter(
      (name) => /\.tsx?$/.test(name) && !name.includes('spec'),
    );
    const texts = await Promise.all(files.map((name) => readFile(join(sources, name), 'utf8')));
    expect(texts.filter((text) => /dangerouslySetInnerHTML|\.innerHTML|\beval\(|new Function\(/.test(text))).toEqual(
      [],
    );
  });
});
