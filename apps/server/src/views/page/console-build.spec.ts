import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import { type IncomingHttpHeaders, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type INestApplication } from '@nestjs/common';
import { createEdgeApp } from '../../../../../test/support/edge-app.js';
import { PageAnswers } from '../../common/http/page-answers.js';
import { openConsoleBuild } from './page.service.js';

const SCRIPT = 'console.log("a script");\n'.repeat(40_000);
const FILES: Readonly<Record<string, string>> = {
  'index.html':
    '<meta name="csp-nonce" content="__CSP_NONCE__"><script src="/assets/app-1a2b.js" data-session="__HAS_SESSION__"></script>',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/app-1a2b.js': SCRIPT,
  'assets/app-1a2b.js.br': 'packed by brotli',
  'assets/app-1a2b.js.gz': 'packed by gzip',
  'assets/plain-3c4d.js': SCRIPT,
};

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

describe('the files of the console', () => {
  let folder: string;
  let app: INestApplication;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-console-'));
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    await writeFile(join(dirname(folder), 'beside.txt'), 'beside the build');
    const build = openConsoleBuild(folder)!;
    app = await createEdgeApp({ controllers: [] });
    const answers = app.get(PageAnswers);
    answers.register((_path, _parameters, hasSession) => build.page(hasSession));
    answers.registerFiles(build.files);
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
    await rm(join(dirname(folder), 'beside.txt'), { force: true });
  });

  /** The answer as sent over the connection, without decompression. */
  function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        const { statusCode: status, headers: got } = answer;
        text(answer).then((body) => resolve({ status, headers: got, body }), reject);
      });
      sent.once('error', reject).end();
    });
  }

  const get = (path: string, headers?: Record<string, string>): Promise<Answer> => ask('GET', path, headers);

  it.each([
    ['gzip, deflate, br, zstd', 'br', 'packed by brotli'],
    ['gzip', 'gzip', 'packed by gzip'],
    ['br;q=0, gzip', 'gzip', 'packed by gzip'],
    ['brown', undefined, SCRIPT],
    ['deflate', undefined, SCRIPT],
  ])('are compressed as the client accepts: "%s"', async (accepted, encoding, body) => {
    const answer = await get('/assets/app-1a2b.js', { 'Accept-Encoding': accepted });
    expect([answer.status, answer.headers['content-encoding'], answer.body]).toEqual([200, encoding, body]);
    expect(answer.headers.vary).toMatch(/Origin.*Accept-Encoding/);
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it('are never compressed at request time', async () => {
    const answer = await get('/assets/plain-3c4d.js', { 'Accept-Encoding': 'gzip, deflate, br' });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-length']).toBe(String(SCRIPT.length));
  });

  it('are answered with 304 for a matching ETag, with the same cache headers', async () => {
    const first = await get('/assets/app-1a2b.js', { 'Accept-Encoding': 'br' });
    const again = { 'Accept-Encoding': 'br', 'If-None-Match': first.headers.etag! };
    const second = await get('/assets/app-1a2b.js', again);
    expect([second.status, second.body]).toEqual([304, '']);
    for (const name of ['cache-control', 'vary', 'etag']) expect(second.headers[name]).toBe(first.headers[name]);
    expect(second.headers['cache-control']).toContain('immutable');
    const other = await get('/assets/app-1a2b.js', { ...again, 'Accept-Encoding': 'gzip' });
    expect(other.status).toBe(200);
  });

  it.each(['bytes=10-5', 'bytes=-5', 'bytes=0-0', 'bytes=99999999-', 'bytes=0-1,2-3,4-5', 'bytes=a-b', 'lines=1-2'])(
    'are sent whole despite the range "%s"',
    async (range) => {
      const answer = await get('/assets/plain-3c4d.js', { Range: range });
      expect([answer.status, answer.body]).toEqual([200, SCRIPT]);
    },
  );

  it('are answered without a body for HEAD', async () => {
    const head = await ask('HEAD', '/assets/plain-3c4d.js');
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, String(SCRIPT.length), '']);
  });

  it.each([
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2f..%2fbeside.txt',
    '/assets/..\\index.html',
    '/assets//app-1a2b.js',
    '/assets/./app-1a2b.js',
    '/assets/',
    '/assets/app-1a2b.js.br',
    '/assets/app-1a2b.js/',
    '/assets/app-1a2b.js%00',
    '/assets/%ff',
    '/assets/%',
    '/assets/__proto__',
    '/assets/constructor',
    '/ASSETS/app-1a2b.js',
    '/favicon.svg.gz',
    '/favicon.svg/x',
  ])('are served only at their exact paths, not at %s', async (path) => {
    const answer = await raw(path);
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).not.toMatch(/packed by|beside the build|a script|CSP_NONCE/);
  });

  it('are closed when clients disconnect', async () => {
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const before = await openFilesOf(folder);
    for (let i = 0; i < 30; i++) {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET /assets/plain-3c4d.js HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'readable');
      socket.destroy();
      await once(socket, 'close');
    }
    expect(await openFilesOf(folder)).toEqual(before);
  });

  it('are loaded by a page with its own nonce, which is never cached', async () => {
    const [first, second] = [await get('/', { Accept: 'text/html' }), await get('/x', { Accept: 'text/html' })];
    const nonces = [first, second].map((answer) => /content="([\w-]{22})"/.exec(answer.body)?.[1]);
    expect(new Set(nonces).size).toBe(2);
    for (const [index, answer] of [first, second].entries()) {
      expect(answer.headers['content-security-policy']).toContain(`'nonce-${nonces[index]!}'`);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers.etag).toBeUndefined();
      expect(answer.body).not.toContain('CSP_NONCE');
    }
  });

  it('are loaded by a page that states whether the browser has a session cookie', async () => {
    const Accept = 'text/html';
    const bodies = [await get('/', { Accept }), await get('/', { Accept, Cookie: 'a=b; session_id=ended' })];
    expect(bodies.map(({ body }) => /data-session="(\w+)"/.exec(body)?.[1])).toEqual(['false', 'true']);
  });

  /** The answer to a raw path, which HTTP clients would normalise. */
  async function raw(path: string): Promise<string> {
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nAccept-Encoding: br, gzip\r\nConnection: close\r\n\r\n`,
    );
    let answer = '';
    for await (const piece of socket) answer += String(piece);
    return answer;
  }
});

/** Files in `folder` that this process has open. */
async function openFilesOf(folder: string): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd');
  const targets = await Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder));
}
