import request from 'supertest';
import { Body, Controller, Delete, Get, type INestApplication, Param, Post, Put, Query } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import { type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createEdgeApp } from '../../../../../test/support/edge-app.js';
import { IngestAccess, Public, RequirePermissions, SideEffect } from '../auth/access.decorators.js';
import {
  RawResponse,
  AcceptPlainText,
  AcceptRawBody,
  AcceptUpload,
  CacheFor,
  SupersededBy,
} from './answer.decorators.js';
import { Answer, type AnswerHead, RawBody } from './answer.js';
import { Fetch } from './fetch.decorator.js';
import { SeeOther } from './see-other.js';

@Controller('box')
@Public()
class BoxController {
  @Fetch(':box_id')
  show(@Param('box_id') id: string, @Query('q') q?: string) {
    return { show: id, q: q ?? null };
  }

  @Put(':box_id')
  change(@Param('box_id') id: string, @Body() body: object) {
    return { change: id, body };
  }

  @Delete(':box_id')
  remove(@Param('box_id') id: string) {
    return { remove: id };
  }

  /** Declared after `:box_id` on purpose. */
  @Get('static')
  static() {
    return { static: true };
  }

  @Get(':box_id/open')
  @SideEffect()
  @SupersededBy('/box/:box_id')
  open() {
    return { opened: true };
  }

  @Post('echo')
  echo(@Body() body: object) {
    return body;
  }

  @Post('text')
  @AcceptPlainText()
  text(@Body() body: object) {
    return body;
  }

  @Post('upload')
  @AcceptUpload()
  upload(@Body() body: Record<string, unknown>) {
    return { size: JSON.stringify(body).length, body: Object.keys(body).length > 2 ? null : body };
  }

  @Post('signed')
  @AcceptRawBody()
  signed(@RawBody() bytes: Buffer, @Body() body: object) {
    return { bytes: bytes.toString('latin1'), body };
  }

  @Fetch(':box_id/elsewhere')
  elsewhere(@Param('box_id') id: string) {
    return new SeeOther(`https://plumbline.example.org/box/${id}`);
  }

  @Get(':box_id/picture')
  @RawResponse()
  @CacheFor(60, 'private')
  picture(@Answer() answer: AnswerHead) {
    answer.setHeader('Content-Type', 'image/svg+xml');
    return Buffer.from('<svg/>');
  }

  @Get(':box_id/zones')
  @CacheFor(3600, 'public', { etag: true })
  zones() {
    return { zones: ['UTC'] };
  }
}

@Controller('ingest')
class IngestController {
  @Post('raw')
  @IngestAccess()
  raw(@Body() body: unknown) {
    return { isUnread: body === undefined };
  }
}

@Controller('js')
class EventListController {
  @Post('eventsender')
  @RequirePermissions(Permission.Ingest)
  send() {
    return {};
  }
}

/** A JSON body that is nested `depth` levels deep. */
function nested(depth: number): string {
  return `{"a":${'['.repeat(depth - 1)}1${']'.repeat(depth - 1)}}`;
}

describe('HTTP manners', () => {
  let app: INestApplication;
  beforeAll(async () => {
    app = await createEdgeApp({
      controllers: [BoxController, IngestController, EventListController],
      env: { CORS_ORIGINS: 'https://friend.example.org', PLUMBLINE_MAX_BODY_BYTES: '2048' },
    });
  });
  afterAll(() => app.close());
  const http = () => request(app.getHttpServer());

  describe('paths', () => {
    const f = (path: string, want: number) => {
      it(`${path.slice(0, 40)} answers ${String(want)}`, async () => {
        expect((await http().get(path)).status).toBe(want);
      });
    };
    f('/api/box/static', 200);
    f('/api/box/static/', 200);
    f('/api/box/static//', 404);
    f('/api/Box/static', 404);
    f('/api//box/static', 404);
    f('/box/static', 404);
    f('/api', 404);
    f('/', 200);
    f('/api/box/%zz', 404);
    f(`/api/box/${'x'.repeat(4096)}`, 200);
    f(`/api/box/${'x'.repeat(4097)}`, 413);
    f(`/api/box/1?q=${'x'.repeat(8190)}`, 200);
    f(`/api/box/1?q=${'x'.repeat(8191)}`, 413);
    f(`/api/unknown?q=${'x'.repeat(8191)}`, 404);

    it('a static segment takes precedence over a parameter that is declared earlier', async () => {
      expect((await http().get('/api/box/static')).body.data).toEqual({ static: true });
    });

    it('a static segment is case-sensitive', async () => {
      expect((await http().get('/api/box/Static')).body.data.show).toBe('Static');
    });

    it('an encoded slash stays inside its segment', async () => {
      expect((await http().get('/api/box/a%2Fb')).body.data.show).toBe('a/b');
    });
  });

  describe('a route with a raw body', () => {
    it.each([
      ['application/json', '{"a": 1 '],
      ['text/weird; charset=utf-7', '\u00e4'],
    ])('receives the exact bytes of a body of type %s', async (type, text) => {
      const bytes = Buffer.from(text, 'latin1');
      const answer = await http()
        .post('/api/box/signed')
        .set('Content-Type', type)
        .serialize((body: unknown) => body as string)
        .send(bytes);
      expect(answer.body.data).toEqual({ bytes: text, body: {} });
    });

    it('receives no bytes without a body', async () => {
      expect((await http().post('/api/box/signed')).body.data).toEqual({ bytes: '', body: {} });
    });

    it('has the same size limit as other routes', async () => {
      const answer = await http()
        .post('/api/box/signed')
        .type('json')
        .send(`"${'x'.repeat(2048)}"`);
      expect(answer.status).toBe(413);
    });

    it('rejects a compressed body, whose bytes are not the signed ones', async () => {
      const answer = await http().post('/api/box/signed').type('json').set('Content-Encoding', 'gzip').send('"x"');
      expect(answer.status).toBe(415);
    });
  });

  it.each(['get', 'post'] as const)('a handler can redirect the browser to another page, by %s', async (method) => {
    const answer = await http()[method]('/api/box/1/elsewhere');
    expect([answer.status, answer.get('Location'), answer.text]).toEqual([
      303,
      'https://plumbline.example.org/box/1',
      '',
    ]);
  });

  describe('a route that accepts uploads', () => {
    it('accepts a form with a file, and JSON larger than on other routes', async () => {
      const form = await http().post('/api/box/upload').field('name', 'a').attach('file', Buffer.from('x,y'), 'a.csv');
      expect(form.body.data.body).toEqual({ name: 'a', file: { type: 'Buffer', data: [0x78, 0x2c, 0x79] } });
      const points = Array.from({ length: 50_000 }, (_, row) => [row, 1]);
      const json = await http().post('/api/box/upload').send({ points });
      expect(json.status).toBe(200);
      expect(json.body.data.size).toBeGreaterThan(400_000);
      expect((await http().post('/api/box/text').send({ points })).status).toBe(413);
    });

    it('rejects a body that is too large, malformed or of another type, and files on other routes', async () => {
      const large = await http()
        .post('/api/box/upload')
        .send({ text: 'x'.repeat(11_000_000) });
      expect(large.status).toBe(413);
      const broken = await http().post('/api/box/upload').set('Content-Type', 'multipart/form-data').send('x');
      expect(broken.body.data.error.code).toBe('malformed_body');
      expect((await http().post('/api/box/upload').set('Content-Type', 'text/csv').send('x')).status).toBe(415);
      expect((await http().post('/api/box/text').attach('file', Buffer.from('x'), 'a.csv')).status).toBe(415);
    });
  });

  describe('methods', () => {
    it('a fetch route answers POST like GET', async () => {
      const [byGet, byPost] = await Promise.all([http().get('/api/box/1?q=5'), http().post('/api/box/1?q=5')]);
      expect([byGet.status, byPost.status]).toEqual([200, 200]);
      expect(byPost.body.data).toEqual(byGet.body.data);
    });

    it('a POST answers 200', async () => {
      expect((await http().post('/api/box/echo').send({ a: 1 })).status).toBe(200);
    });

    it('a wrong method answers 405 with Allow', async () => {
      const answer = await http().delete('/api/box/static');
      expect([answer.status, answer.body.data.error.code, answer.get('Allow')]).toEqual([
        405,
        'method_not_allowed',
        'GET, HEAD, OPTIONS',
      ]);
    });

    it('PATCH answers 405', async () => {
      const answer = await http().patch('/api/box/1');
      expect([answer.status, answer.get('Allow')]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, POST, PUT']);
    });

    it('HEAD answers like GET, without a body', async () => {
      const answer = await http().head('/api/box/1');
      expect([answer.status, answer.text]).toEqual([200, undefined]);
    });

    it('HEAD on a GET with a side effect answers 405', async () => {
      const answer = await http().head('/api/box/1/open');
      expect([answer.status, answer.get('Allow')]).toEqual([405, 'GET, OPTIONS']);
    });

    it.each([
      ['/api/box/1', 'DELETE, GET, HEAD, OPTIONS, POST, PUT'],
      ['/api/unknown', 'OPTIONS'],
      ['/anything', 'OPTIONS'],
    ])('OPTIONS %s answers 204 with Allow', async (path, allow) => {
      const answer = await http().options(path);
      expect([answer.status, answer.text, answer.get('Allow')]).toEqual([204, '', allow]);
    });

    it('a superseded route links to its successor, with the id filled in', async () => {
      const answer = await http().get('/api/box/17/open');
      expect([answer.get('Deprecation'), answer.get('Link')]).toEqual([
        'true',
        '<https://plumbline.example.org/api/box/17>; rel="successor-version"',
      ]);
    });

    it.each(['%00', 'a%0Ab'])('a superseded route does not fill in the invalid id %s', async (id) => {
      const answer = await http().get(`/api/box/${id}/open`);
      expect(answer.get('Link')).toBe('<https://plumbline.example.org/api/box/{box_id}>; rel="successor-version"');
    });
  });

  describe('other origins', () => {
    it('answers of an allowed origin are readable with credentials', async () => {
      const answer = await http().get('/api/box/1').set('Origin', 'https://friend.example.org');
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': 'https://friend.example.org',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'X-Request-Id, Retry-After, Deprecation, Link',
        vary: expect.stringContaining('Origin'),
      });
    });

    it('the origin of the console is allowed without configuration', async () => {
      const answer = await http().get('/api/box/1').set('Origin', 'https://plumbline.example.org');
      expect(answer.get('Access-Control-Allow-Origin')).toBe('https://plumbline.example.org');
    });

    it.each(['https://evil.example.org', 'null', 'https://friend.example.org.evil.org'])(
      '%s is not allowed',
      async (origin) => {
        const answer = await http().options('/api/box/1').set('Origin', origin);
        expect(answer.get('Access-Control-Allow-Origin')).toBeUndefined();
        expect(answer.get('Access-Control-Allow-Methods')).toBeUndefined();
        expect(answer.get('Vary')).toContain('Origin');
      },
    );

    it('a preflight request is answered with methods, headers and a lifetime', async () => {
      const answer = await http().options('/api/box/1').set('Origin', 'https://friend.example.org');
      expect(answer.headers).toMatchObject({
        'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, POST, PUT',
        'access-control-allow-headers':
          'Content-Type, X-Session-Id, X-Client-Id, X-Auth-Token, Authorization, X-Test-Only, X-Backfill, Last-Event-ID',
        'access-control-max-age': '600',
      });
    });

    it('errors are readable by an allowed origin', async () => {
      const answer = await http().get('/api/unknown').set('Origin', 'https://friend.example.org');
      expect(answer.get('Access-Control-Allow-Origin')).toBe('https://friend.example.org');
    });

    it('the event sender is open to every origin, without credentials', async () => {
      const answer = await http().options('/api/js/eventsender').set('Origin', 'https://shop.example.org');
      expect(answer.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.get('Access-Control-Allow-Credentials')).toBeUndefined();
    });
  });

  describe('bodies', () => {
    const post = (type: string, body: string) => http().post('/api/box/echo').set('Content-Type', type).send(body);
    const f = (name: string, type: string, body: string, status: number, want: unknown) => {
      it(name, async () => {
        const answer = await post(type, body);
        expect([answer.status, answer.body.data.error?.code ?? answer.body.data]).toEqual([status, want]);
      });
    };
    f('JSON objects are read', 'application/json', '{"a":[1,"x"]}', 200, { a: [1, 'x'] });
    f('JSON with a character set is read', 'application/json; charset=utf-8', '{"a":"ü"}', 200, { a: 'ü' });
    f('forms are read as strings', 'application/x-www-form-urlencoded', 'a=1&b=x&b=y', 200, { a: '1', b: ['x', 'y'] });
    f('forms are not nested', 'application/x-www-form-urlencoded', 'a[b]=1', 200, { 'a[b]': '1' });
    f('incomplete JSON is a malformed body', 'application/json', '{"a":', 400, 'malformed_body');
    f('a JSON array is a malformed body', 'application/json', '[1]', 400, 'malformed_body');
    f('a JSON string is a malformed body', 'application/json', '"x"', 400, 'malformed_body');
    f('a JSON null is a malformed body', 'application/json', 'null', 400, 'malformed_body');
    f('JSON 64 levels deep is read', 'application/json', nested(64), 200, JSON.parse(nested(64)));
    f('JSON 65 levels deep is a malformed body', 'application/json', nested(65), 400, 'malformed_body');
    f('plain text is refused', 'text/plain', '{"a":1}', 415, 'unsupported_media_type');
    f('XML is refused', 'application/xml', '<a/>', 415, 'unsupported_media_type');
    f('multipart is refused', 'multipart/form-data; boundary=x', '--x--', 415, 'unsupported_media_type');
    f('an unknown character set is refused', 'application/json; charset=klingon', '{}', 415, 'unsupported_media_type');
    f('an empty JSON body has no parameters', 'application/json', '', 200, {});
    f('an empty body of any type has no parameters', 'application/xml', '', 200, {});
    f('a body of 2048 bytes is read', 'application/json', `{"a":"${'x'.repeat(2040)}"}`, 200, { a: 'x'.repeat(2040) });
    f('a body of 2049 bytes is too large', 'application/json', `{"a":"${'x'.repeat(2041)}"}`, 413, 'too_large');

    it('ten megabytes are refused, and the connection stays usable', async () => {
      const agent = request.agent(app.getHttpServer()).set('Connection', 'keep-alive');
      const noise = Buffer.alloc(10_000_000, 'x');
      const refused = await agent.post('/api/box/echo').set('Content-Type', 'application/json').send(noise);
      expect([refused.status, (await agent.get('/api/box/1')).status]).toEqual([413, 200]);
    });

    it('a compressed body is refused, whatever its content', async () => {
      const answer = await http()
        .post('/api/box/echo')
        .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .send('no gzip');
      expect([answer.status, answer.body.data.error.code]).toEqual([415, 'unsupported_media_type']);
    });

    it('an unknown content encoding is refused', async () => {
      const answer = await http()
        .post('/api/box/echo')
        .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'pied-piper' })
        .send('x');
      expect([answer.status, answer.body.data.error.code]).toEqual([415, 'unsupported_media_type']);
    });

    it('JSON sent as plain text is read on a route with @AcceptPlainText', async () => {
      const answer = await http().post('/api/box/text').set('Content-Type', 'text/plain').send('{"a":1}');
      expect(answer.body.data).toEqual({ a: 1 });
    });

    it('the body of a GET is ignored', async () => {
      const answer = await http().get('/api/box/1').set('Content-Type', 'application/xml').send('<a/>');
      expect(answer.status).toBe(200);
    });

    it('a body of any type stays unread on ingest paths', async () => {
      const answer = await http().post('/ingest/raw').set('Content-Type', 'application/x-protobuf').send('abc');
      expect(answer.body.data).toEqual({ isUnread: true });
    });

    it('ingest paths are also served below the base path of the API', async () => {
      const answer = await http().post('/api/ingest/raw').set('Content-Type', 'application/x-protobuf').send('abc');
      expect(answer.status).toBe(200);
    });

    it.each(['/ingest/raw', '/api/ingest/raw'])('%s answers errors without an envelope', async (path) => {
      const answer = await http().get(path);
      expect([answer.status, answer.body]).toEqual([
        405,
        { code: 405, error: 'method_not_allowed', message: expect.any(String), details: [] },
      ]);
    });
  });

  describe('an invalid HTTP request', () => {
    const exchange = async (sent: string): Promise<string> => {
      const server = app.getHttpServer() as Server;
      if (!server.listening) await new Promise<void>((resolve) => void server.listen(0, resolve));
      const socket = connect((server.address() as AddressInfo).port);
      socket.end(sent);
      return text(socket);
    };

    it.each([
      ['no request line', 'HELLO\r\n\r\n', 400, 'malformed_body'],
      ['an unknown method', 'FROB /api/box/1 HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_body'],
      ['no host', 'GET /api/box/1 HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_body'],
      ['an overlong address', `GET /api/box/1?q=${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 413, 'too_large'],
    ])('with %s gets an error in the envelope, with the headers of every answer', async (_name, sent, status, code) => {
      const answer = await exchange(sent);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} [A-Z]`));
      expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\nX-Api-Version: 1\r\n/);
      expect(head).toContain(`\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n`);
      const { status: block, data } = JSON.parse(body) as { status: object; data: object };
      expect([Object.keys(block).length, block]).toEqual([11, expect.objectContaining({ code: status })]);
      expect(data).toEqual({ message: expect.any(String), error: { code, details: [] } });
    });

    it('with an unknown expectation is answered like a request without it', async () => {
      const head = 'GET /api/box/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
      const [plain, expecting] = [await exchange(`${head}\r\n`), await exchange(`${head}Expect: tea\r\n\r\n`)];
      expect(expecting.split(' ', 2)).toEqual(plain.split(' ', 2));
      expect(expecting).toContain('"status":');
    });
  });

  describe('headers', () => {
    it.each(['/api/box/1', '/api/unknown', '/ingest/raw'])('%s has the headers of every answer', async (path) => {
      const answer = await http().get(path);
      expect(answer.headers).toMatchObject({
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'x-api-version': '1',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-type': 'application/json; charset=utf-8',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'x-frame-options': 'DENY',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
      expect(answer.get('X-Powered-By')).toBeUndefined();
      expect(answer.get('ETag')).toBeUndefined();
    });

    it('OPTIONS has the version and request id too', async () => {
      const answer = await http().options('/api/box/1');
      expect(answer.headers).toMatchObject({ 'x-api-version': '1', 'x-request-id': expect.any(String) });
    });

    it('a valid request id is returned', async () => {
      const answer = await http().get('/api/box/1').set('X-Request-Id', 'abc-1.2:3');
      expect(answer.get('X-Request-Id')).toBe('abc-1.2:3');
    });

    it.each(['a b', 'x'.repeat(129), '<script>'])('the request id %j is replaced', async (id) => {
      const answer = await http().get('/api/box/1').set('X-Request-Id', id);
      expect(answer.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('a picture is cacheable and has no envelope', async () => {
      const answer = await http().get('/api/box/1/picture');
      expect([answer.get('Cache-Control'), answer.get('Content-Type'), answer.body.toString()]).toEqual([
        'private, max-age=60',
        'image/svg+xml',
        '<svg/>',
      ]);
    });

    it('an ETag is derived from the data, and unchanged data is answered with 304', async () => {
      const first = await http().get('/api/box/1/zones');
      const again = await http()
        .get('/api/box/2/zones')
        .set('If-None-Match', first.get('ETag') ?? '');
      expect([first.get('Cache-Control'), again.status, again.text]).toEqual(['public, max-age=3600', 304, '']);
    });
  });
});

describe('the edge behind proxies', () => {
  @Controller('who')
  class WhoController {
    @Get()
    @Public()
    who(@Answer() answer: AnswerHead) {
      answer.startSession('c'.repeat(32), 60);
      return {};
    }
  }
  const cookieOf = async (env: Record<string, string>) => {
    const app = await createEdgeApp({ controllers: [WhoController], env });
    const answer = await request(app.getHttpServer()).get('/api/who').set('X-Forwarded-Proto', 'https');
    await app.close();
    return answer.get('Set-Cookie')?.[0];
  };

  it('trusts X-Forwarded-Proto of a trusted proxy', async () => {
    expect(await cookieOf({ PUBLIC_URL: 'http://a.example.org', TRUSTED_PROXIES: 'loopback' })).toContain('Secure');
  });

  it('does not trust X-Forwarded-Proto of another address', async () => {
    expect(await cookieOf({ PUBLIC_URL: 'http://a.example.org' })).not.toContain('Secure');
  });
});
