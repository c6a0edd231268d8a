import { Controller, Get, Header, type INestApplication, Put } from '@nestjs/common';
import request from 'supertest';
import { createEdgeApp, SESSIONS } from '../../../../../test/support/edge-app.js';
import { Public } from '../auth/access.decorators.js';
import { RawResponse, Uncompressed } from './answer.decorators.js';
import { Fetch } from './fetch.decorator.js';

const LONG = 'points and points '.repeat(500);

@Controller('box')
@Public()
class BoxController {
  @Fetch('long')
  long() {
    return { text: LONG };
  }

  @Fetch('short')
  short() {
    return { text: 'short' };
  }

  @Fetch('secret')
  @Uncompressed()
  secret() {
    return { text: LONG };
  }

  @Put()
  change() {
    return { text: LONG };
  }

  @Get('picture')
  @RawResponse()
  @Header('Content-Type', 'image/png')
  picture() {
    return Buffer.from(LONG);
  }

  @Get('stream')
  @RawResponse()
  @Header('Content-Type', 'text/event-stream')
  stream() {
    return Buffer.from(LONG);
  }
}

describe('compression', () => {
  let app: INestApplication;
  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [BoxController] });
  });
  afterAll(() => app.close());

  const http = () => request(app.getHttpServer());
  const encodingOf = async (path: string, headers: Record<string, string> = {}): Promise<string | undefined> => {
    const answer = await http()
      .get(path)
      .set({ 'Accept-Encoding': 'gzip', ...headers });
    expect(answer.status).toBe(200);
    return answer.headers['content-encoding'];
  };

  it('uses an encoding that the client accepts, and prefers br to gzip', async () => {
    const br = await http().get('/api/box/long').set('Accept-Encoding', 'gzip, br');
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Origin, Accept-Encoding' });
    expect(br.body).toMatchObject({ data: { text: LONG } });
    expect(await encodingOf('/api/box/long')).toBe('gzip');
    expect(await encodingOf('/api/box/long', { 'Accept-Encoding': 'identity' })).toBeUndefined();
  });

  it('skips short answers, pictures and event streams', async () => {
    expect(await encodingOf('/api/box/short')).toBeUndefined();
    expect(await encodingOf('/api/box/picture')).toBeUndefined();
    expect(await encodingOf('/api/box/stream')).toBeUndefined();
  });

  it('skips answers that may contain a secret: writes and @Uncompressed routes', async () => {
    expect(await encodingOf('/api/box/secret')).toBeUndefined();
    const byPost = await http().post('/api/box/secret').set('Accept-Encoding', 'gzip');
    expect(byPost.headers['content-encoding']).toBeUndefined();
    const write = await http().put('/api/box').set('Accept-Encoding', 'gzip');
    expect(write.headers['content-encoding']).toBeUndefined();
  });

  it('compresses an answer to a session cookie only for requests of the console', async () => {
    const Cookie = `session_id=${SESSIONS.user}`;
    expect(await encodingOf('/api/box/long', { Cookie })).toBeUndefined();
    expect(await encodingOf('/api/box/long', { Cookie, 'Sec-Fetch-Site': 'cross-site' })).toBeUndefined();
    expect(await encodingOf('/api/box/long', { Cookie, 'Sec-Fetch-Site': 'none' })).toBeUndefined();
    expect(await encodingOf('/api/box/long', { Cookie, Origin: 'https://evil.example.org' })).toBeUndefined();
    expect(await encodingOf('/api/box/long', { Cookie, 'Sec-Fetch-Site': 'same-origin' })).toBe('gzip');
    expect(await encodingOf('/api/box/long', { Cookie, Origin: 'https://plumbline.example.org' })).toBe('gzip');
    expect(await encodingOf('/api/box/long', { 'X-Session-Id': SESSIONS.user })).toBe('gzip');
  });
});
