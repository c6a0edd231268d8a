import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type INestApplication } from '@nestjs/common';
import fc from 'fast-check';
import request from 'supertest';
import { createEdgeApp, FIXED_NOW, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { BodyBudgetService } from './body-budget.service.js';
import { IngestConfig } from './ingest.config.js';
import { IngestController } from './ingest.controller.js';

const LIMIT = 100_000;
const fakes = new FakeIngest({ maxHeldBytes: LIMIT });

describe('hostile bodies', () => {
  let app: INestApplication;
  let port: number;
  let sockets: Socket[];

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [IngestController], imports: [fakes.module] });
    await app.listen(0, '127.0.0.1');
    port = (app.getHttpServer().address() as AddressInfo).port;
  });
  afterAll(() => app.close());

  beforeEach(() => {
    sockets = [];
    fakes.reset();
    setBodyTimeouts({ bodyIdleSeconds: 60, bodySeconds: 60 });
  });
  afterEach(() => sockets.forEach((socket) => socket.destroy()));

  /** Only tests of timeouts set short ones: on a busy machine, any other sender may stall as well. */
  const setBodyTimeouts = (timeout: Pick<IngestConfig, 'bodyIdleSeconds' | 'bodySeconds'>) =>
    Object.assign(app.get(IngestConfig), timeout);
  const held = () => app.get(BodyBudgetService).heldBytes;
  const http = () => request(app.getHttpServer() as Parameters<typeof request>[0]);
  const line = `cpu value=1 ${String(FIXED_NOW)}000000000\n`;

  async function rejections(reason: string): Promise<number> {
    const { values } = await app
      .get(MetricsRegistry)
      .prometheus.getSingleMetric('plumbline_ingest_rejected_bodies_total')!
      .get();
    return values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
  }

  /** Opens a connection that has sent `text`. */
  async function sender(text: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }

  const head = (
    length: number | 'chunked',
    { path = '/write', token = TOKENS.ingest }: { path?: string; token?: string | null } = {},
  ): string =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      `Content-Type: ${path === '/write' ? 'text/plain' : 'application/json'}`,
      ...(token === null ? [] : [`X-Auth-Token: ${token}`]),
      length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${String(length)}`,
      '\r\n',
    ].join('\r\n');

  /** Returns everything that the server sends until it closes the connection. */
  async function untilClosed(socket: Socket): Promise<string> {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Data that has not reached the server turns the end into a reset, which also counts as an end.
    await new Promise((resolve) => socket.once('close', resolve));
    return Buffer.concat(chunks).toString();
  }

  /** Returns the first chunk of the response. */
  async function answer(socket: Socket): Promise<string> {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString();
  }

  async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resume) => setTimeout(resume, 5));
  }

  it('that stall lose their connection, and their memory is freed', async () => {
    setBodyTimeouts({ bodyIdleSeconds: 0.1, bodySeconds: 60 });
    const before = await rejections('stalled');
    const socket = await sender(head(1000) + 'x'.repeat(100));
    expect(await untilClosed(socket)).toBe('');
    expect(await rejections('stalled')).toBe(before + 1);
    await eventually(() => held() === 0);
  });

  it('that arrive byte by byte are aborted after the time limit', async () => {
    setBodyTimeouts({ bodyIdleSeconds: 60, bodySeconds: 0.4 });
    const before = await rejections('stalled');
    const socket = await sender(head(1000));
    const drip = setInterval(() => socket.write('x'), 20);
    expect(await untilClosed(socket)).toBe('');
    clearInterval(drip);
    expect(await rejections('stalled')).toBe(before + 1);
  });

  it('are discarded with their memory when the connection breaks', async () => {
    const before = await rejections('cut');
    const socket = await sender(head(1000) + 'x'.repeat(100));
    await eventually(() => held() === 100);
    socket.destroy();
    await eventually(async () => (await rejections('cut')) === before + 1);
    await eventually(() => held() === 0);
    expect(fakes.log.appended).toEqual([]);
  });

  it('with an unknown token are rejected before they arrive', async () => {
    const socket = await sender(head('chunked', { token: 'pl_unknown' }));
    expect(await answer(socket)).toMatch(/^HTTP\/1.1 401 /);
    expect(held()).toBe(0);
  });

  it('without a token in the headers share only a part of the memory', async () => {
    await sender(head(50_000, { path: '/ingest/metrics', token: null }) + 'x'.repeat(20_000));
    await eventually(() => held() === 20_000);
    const second = await sender(head(50_000, { path: '/ingest/metrics', token: null }) + 'x'.repeat(20_000));
    expect(await answer(second)).toMatch(/^HTTP\/1.1 429 [^]*Retry-After: 1\r\n/);
    await http().post('/write').set('X-Auth-Token', TOKENS.ingest).type('text').send(line).expect(204);
  });

  it('are answered 429 when the memory is full, latest first', async () => {
    const first = await sender(head(70_000) + 'x'.repeat(60_000));
    await eventually(() => held() === 60_000);
    const second = await sender(head(70_000) + 'x'.repeat(60_000));
    expect(await answer(second)).toMatch(/^HTTP\/1.1 429 [^]*"error":"rate_limited"/);
    expect(await rejections('memory_full')).toBeGreaterThan(0);
    // The first one is not affected.
    first.write('\n'.repeat(10_000));
    expect(await answer(first)).toMatch(/^HTTP\/1.1 400 [^]*partial write/);
  });

  it('larger than the memory limit are accepted while no other body is held', async () => {
    const large = line.repeat(5000);
    expect(large.length).toBeGreaterThan(LIMIT);
    await http().post('/write').set('X-Auth-Token', TOKENS.ingest).type('text').send(large).expect(204);
    await eventually(() => held() === 0);
  });

  it('hold no memory while their points wait for the disk', async () => {
    let release = (): void => undefined;
    fakes.log.hold = new Promise((resume) => (release = resume));
    const waiting = http().post('/write').set('X-Auth-Token', TOKENS.ingest).type('text').send(line.repeat(1000));
    const done = waiting.then(({ status }) => status);
    await eventually(() => fakes.log.waiting === 1);
    expect(held()).toBe(0);
    release();
    expect(await done).toBe(204);
  });

  it('without end are answered 413 or 429', async () => {
    const socket = await sender(head('chunked'));
    const size = 1024 * 1024;
    const state = { isAnswered: false };
    const text = answer(socket).finally(() => (state.isAnswered = true));
    for (let sent = 0; sent < 10 && !state.isAnswered; sent++) {
      socket.write(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`);
      await new Promise((resume) => setImmediate(resume));
    }
    expect(await text).toMatch(/^HTTP\/1.1 (413|429) /);
  });

  it.each([
    ['gzip that is cut off', gzipSync(line.repeat(100)).subarray(0, 60), 'gzip', 400],
    ['gzip of 40 MB of nothing', gzipSync(Buffer.alloc(40 << 20)), 'gzip', 413],
    ['gzip in gzip', gzipSync(gzipSync(line)), 'gzip', 400],
    ['no gzip', Buffer.from('hello'), 'gzip', 400],
  ])('that cannot be decompressed are rejected: %s', async (_, body, encoding, status) => {
    await http()
      .post('/write')
      .set('X-Auth-Token', TOKENS.ingest)
      .set('Content-Type', 'text/plain')
      .set('Content-Encoding', encoding)
      .serialize((bytes: unknown) => bytes as string)
      .send(body)
      .expect(status);
    await eventually(() => held() === 0);
  });

  it.each([
    ['a length that no such block can have', Buffer.from([0x80, 0x80, 0x80, 0x08, 0x00, 0x61]), 400],
    ['a length over the limit', Buffer.from([0x80, 0x80, 0x80, 0x80, 0x0f]), 413],
    ['no length', Buffer.alloc(0), 400],
  ])('with invalid Snappy are rejected: %s', async (_, body, status) => {
    await http()
      .post('/api/v1/write')
      .set('X-Auth-Token', TOKENS.ingest)
      .set('Content-Type', 'application/x-protobuf')
      .set('Content-Encoding', 'snappy')
      .serialize((bytes: unknown) => bytes as string)
      .send(body)
      .expect(status);
  });

  it('with random bytes are answered with documented status codes, and free their memory', async () => {
    const paths: [string, string, string][] = [
      ['/ingest/metrics', 'application/json', 'identity'],
      ['/ingest/metrics', 'application/json', 'gzip'],
      ['/write', 'text/plain', 'identity'],
      ['/write', 'text/plain', 'gzip'],
      ['/api/v1/write', 'application/x-protobuf', 'snappy'],
    ];
    const good = gzipSync(line);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.tuple(fc.nat(good.length - 1), fc.nat(255)).map(([at, value]) => {
        const copy = Uint8Array.from(good);
        copy[at] = value;
        return copy;
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), bytes, async ([path, type, encoding], body) => {
        const { status } = await http()
          .post(path)
          .set('X-Auth-Token', TOKENS.ingest)
          .set('Content-Type', type)
          .set('Content-Encoding', encoding)
          .serialize((sent: unknown) => sent as string)
          .send(Buffer.from(body));
        expect([204, 207, 400, 413]).toContain(status);
      }),
      { numRuns: 150, seed: 20_261_121 },
    );
    await eventually(() => held() === 0);
  });
});
