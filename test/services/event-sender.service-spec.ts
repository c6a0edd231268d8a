import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Product, startProduct, until } from '../support/product.js';
import { endProgram, startProgram } from '../support/programs.js';

/** A page of another origin in a real browser. */
describe('the event sender in Chromium', () => {
  let product: Product;
  let site: Server;
  let browser: ChildProcess | undefined;
  let profile: string;
  let page = '';
  let problems: string[] = [];

  beforeAll(async () => {
    product = await startProduct({});
    profile = await mkdtemp(join(tmpdir(), 'plumbline-chromium-'));
    site = createServer(
      (request, response) =>
        void answer(request).then((body) => response.setHeader('Content-Type', 'text/html').end(body)),
    );
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
  }, 120_000);

  afterAll(async () => {
    await endProgram(browser, { signal: 'SIGKILL' });
    site.closeAllConnections();
    site.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    await product.dispose();
  }, 120_000);

  async function answer(request: IncomingMessage): Promise<string> {
    if (request.url === '/problem') problems.push(await text(request));
    return request.url === '/' ? page : '';
  }

  it('sends events recorded before the script loads, after it loads and when the page is left', async () => {
    const ingest = await product.createToken(['ingest']);
    const read = await product.createToken(['read']);
    const { port } = site.address() as AddressInfo;
    problems = [];
    // The page is on localhost and the product on 127.0.0.1, so they are different sites.
    page = `<!doctype html><title>Shop</title>
      <script>
        const tell = (what) => navigator.sendBeacon('/problem', what);
        addEventListener('error', (event) => tell(event.message));
        addEventListener('unhandledrejection', (event) => tell(String(event.reason)));
        addEventListener('securitypolicyviolation', (event) => tell(event.violatedDirective));
        window.plumbline = window.plumbline || function () { (plumbline.q = plumbline.q || []).push(arguments); };
        plumbline('early', { count: 2 });
        addEventListener('load', () => {
          plumbline('checkout', { value: 42.5, properties: { page: 'cart' } });
          location.href = '/left';
        });
      </script>
      <script src="${product.url}/api/js/eventsender.js" data-token="${ingest}" data-page-views></script>`;
    browser = startProgram(
      'chromium',
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--no-first-run',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        `http://localhost:${String(port)}/`,
      ],
      { stdio: 'ignore' },
    );
    const values: Record<string, number> = {};
    for (const metric of [
      'events.early',
      'events.page_view',
      'events.checkout{page="cart"}',
      'events.checkout.value{page="cart"}',
    ]) {
      values[metric] = await until(
        `a point of ${metric}; the page says: ${problems.join()}`,
        async () => {
          const path = `/metric/${encodeURIComponent(metric)}/timeseries?resolution=60&fill=none&derivative=false`;
          const { points } = (await product.api(path, read)) as { points: [number, number][] };
          return points.at(-1)?.[1];
        },
        { timeoutMs: 120_000 },
      );
    }
    expect(values).toEqual({
      'events.early': 2,
      'events.page_view': 1,
      'events.checkout{page="cart"}': 1,
      'events.checkout.value{page="cart"}': 42.5,
    });
    expect(problems).toEqual([]);
  }, 300_000);
});
