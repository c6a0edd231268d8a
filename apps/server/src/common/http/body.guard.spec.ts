import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { Body, Controller, type INestApplication, Post } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import request from 'supertest';
import { createEdgeApp, SESSIONS, TOKENS } from '../../../../../test/support/edge-app.js';
import { InlineExecutor } from '../workers/executor.js';
import { AcceptUpload } from './answer.decorators.js';
import { CurrentCaller, Public, RequirePermissions } from '../auth/access.decorators.js';
import { type KnownCaller } from '../auth/caller.js';
import { MetricsRegistry } from '../telemetry/metrics.js';
import { LARGE_BODY_BYTES, type SentBody } from './body-parsing.js';
import { type LargeBodyAnswer } from './large-body.js';

@Controller('door')
class DoorController {
  @Post('open')
  @Public()
  open(@Body() body: object) {
    return body;
  }

  @Post('upload')
  @Public()
  @AcceptUpload()
  upload() {
    return {};
  }

  @Post('closed')
  @RequirePermissions(Permission.Write)
  closed(@CurrentCaller() caller: KnownCaller) {
    return { kind: caller.kind, session: caller.kind === 'user' ? caller.sessionId : null };
  }
}

const MEMORY = 1_048_576;
const asIs = (sent: unknown): string => sent as string;

describe('the body of an API request', () => {
  let app: INestApplication | undefined;
  let port: number;
  let sockets: Socket[];
  beforeEach(() => (sockets = []));
  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy());
    await app?.close();
  });

  async function start(env: Record<string, string> = {}) {
    app = await createEdgeApp({ controllers: [DoorController], env });
    await app.listen(0, '127.0.0.1');
    port = (app.getHttpServer().address() as AddressInfo).port;
    return () => request(app!.getHttpServer() as Parameters<typeof request>[0]);
  }

  /** A connection that has sent the head of a request and the beginning of its body. */
  async function sender(path: string, headers: string[], beginning = ''): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(
      [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers, '\r\n'].join('\r\n'),
    );
    socket.write(beginning);
    return socket;
  }

  async function answer(socket: Socket): Promise<string> {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString();
  }

  async function held(): Promise<number> {
    const metric = app!.get(MetricsRegistry).prometheus.getSingleMetric('plumbline_api_body_held_bytes')!;
    return (await metric.get()).values[0]!.value;
  }

  async function eventually(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resume) => setTimeout(resume, 5));
  }

  it('is parsed only in the thread when it is large', async () => {
    const http = await start({ PLUMBLINE_MAX_PUBLIC_BODY_BYTES: '1048576' });
    const asked: number[] = [];
    const call = jest
      .spyOn(InlineExecutor.prototype as InlineExecutor<SentBody, LargeBodyAnswer>, 'call')
      .mockImplementation(async ({ bytes }) => {
        asked.push(bytes.length);
        return bytes.at(-1) === 0xff ? { members: { read: 'there' } } : { refused: 'It is no JSON.' };
      });
    // The bytes are not parseable, so only the thread can have answered.
    const post = (bytes: number, of: number) =>
      http()
        .post('/api/door/open')
        .set('Content-Type', 'application/json')
        .serialize(asIs)
        .send(Buffer.alloc(bytes, of));
    const taken = await post(LARGE_BODY_BYTES + 1, 0xff);
    expect([taken.status, taken.body.data]).toEqual([200, { read: 'there' }]);
    const refused = await post(LARGE_BODY_BYTES + 1, 0xfe);
    expect([refused.status, refused.body.data.error.code]).toEqual([400, 'malformed_body']);
    expect((await post(LARGE_BODY_BYTES, 0xff)).status).toBe(400);
    expect(asked).toEqual([LARGE_BODY_BYTES + 1, LARGE_BODY_BYTES + 1]);
    call.mockRestore();
  });

  it('is not read from an address that has exhausted its request limit', async () => {
    const http = await start({ PLUMBLINE_LIMIT_ANONYMOUS: '1' });
    await http().post('/api/door/open').send({ a: 1 }).expect(200);
    const socket = await sender('/api/door/open', ['Content-Length: 1000'], '{"a":');
    expect(await answer(socket)).toMatch(/^HTTP\/1.1 429 /);
    expect(await held()).toBe(0);
  });

  it('is counted for the address before it is read', async () => {
    const http = await start({ PLUMBLINE_LIMIT_ANONYMOUS: '2' });
    await sender('/api/door/open', ['Content-Length: 1000'], '{"a":');
    await eventually(async () => (await held()) === 5);
    const { headers } = await http().post('/api/door/open').send({}).expect(200);
    expect(headers['x-ratelimit-remaining']).toBe('0');
  });

  it.each([
    ['declared', ['Content-Length: 16385'], ''],
    ['not declared', ['Transfer-Encoding: chunked'], `4001\r\n${'x'.repeat(0x4001)}\r\n`],
  ])('is at most 16 KiB on routes without permission, with its length %s', async (_name, headers, beginning) => {
    await start();
    expect(await answer(await sender('/api/door/open', headers, beginning))).toMatch(/^HTTP\/1.1 413 /);
  });

  it('may be larger on other routes', async () => {
    const http = await start();
    const body = { pad: 'x'.repeat(20_000) };
    await http().post('/api/door/closed').set('X-Auth-Token', TOKENS.write).send(body).expect(200);
  });

  it('is rejected when compressed', async () => {
    const http = await start();
    const packed = gzipSync(JSON.stringify({ a: 1 }));
    await http()
      .post('/api/door/open')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((bytes: unknown) => bytes as string)
      .send(packed)
      .expect(415);
    await http().post('/api/door/open').set('Content-Encoding', 'identity').send({ a: 1 }).expect(200);
  });

  it('that stalls loses its connection, and its memory is released', async () => {
    await start({ PLUMBLINE_BODY_IDLE_SECONDS: '1' });
    const socket = await sender('/api/door/open', ['Content-Length: 1000'], '{"a":');
    const got: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => got.push(chunk));
    await once(socket, 'close');
    expect(Buffer.concat(got).toString()).toBe('');
    await eventually(async () => (await held()) === 0);
  });

  it('of unidentified senders uses at most a quarter of the memory, and gets 503 beyond it', async () => {
    const http = await start({ PLUMBLINE_BODY_MEMORY_BYTES: String(MEMORY), PLUMBLINE_BODY_IDLE_SECONDS: '600' });
    const beginning = '{'.padEnd(16_000);
    const unfinished = Array.from({ length: 40 }, () => sender('/api/door/open', ['Content-Length: 16384'], beginning));
    const refused = await Promise.race((await Promise.all(unfinished)).map(answer));
    expect(refused).toMatch(/^HTTP\/1.1 503 [^]*"code":"overloaded"/);
    expect(refused).toMatch(/Connection: close\r\n[^]*Retry-After: 1\r\n/);
    expect(await held()).toBeLessThanOrEqual(MEMORY / 4);
    await http().post('/api/door/closed').set('X-Auth-Token', TOKENS.write).send({ a: 1 }).expect(200);
  });

  it('of an upload leaves memory for other requests', async () => {
    const http = await start({ PLUMBLINE_BODY_MEMORY_BYTES: String(MEMORY), PLUMBLINE_BODY_IDLE_SECONDS: '600' });
    const beginning = '{'.padEnd(100_000);
    const unfinished = Array.from({ length: 8 }, () =>
      sender('/api/door/upload', ['Content-Length: 900000'], beginning),
    );
    expect(await Promise.race((await Promise.all(unfinished)).map(answer))).toMatch(/^HTTP\/1.1 503 /);
    await http().post('/api/door/open').send({ a: 1 }).expect(200);
  });

  describe('with a credential in it', () => {
    it('is counted for the caller of the credential, not for the address', async () => {
      const http = await start({ PLUMBLINE_LIMIT_ANONYMOUS: '1', PLUMBLINE_LIMIT_API: '10' });
      for (const body of [{ session_id: SESSIONS.user }, { data: { token: TOKENS.write } }]) {
        for (const remaining of ['9', '8']) {
          const { headers } = await http().post('/api/door/closed').send(body).expect(200);
          expect(headers['x-ratelimit-remaining']).toBe(remaining);
        }
      }
    });

    it('identifies the caller before the cookie, which is not renewed', async () => {
      const http = await start();
      const cookie = `session_id=${SESSIONS.old}`;
      const named = await http().post('/api/door/closed').set('Cookie', cookie).send({ session_id: SESSIONS.user });
      expect([named.body.data.session, named.get('Set-Cookie')]).toEqual([SESSIONS.user, undefined]);
    });
  });
});
