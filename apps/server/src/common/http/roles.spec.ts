import { Controller, type INestApplication, Post } from '@nestjs/common';
import request from 'supertest';
import { createEdgeApp } from '../../../../../test/support/edge-app.js';
import { IngestAccess, Public } from '../auth/access.decorators.js';
import { Fetch } from './fetch.decorator.js';

@Controller()
class BothController {
  @Fetch('box')
  @Public()
  find() {
    return { found: true };
  }

  @Post('ingest/box')
  @IngestAccess()
  take() {
    return { taken: true };
  }
}

describe('PLUMBLINE_ROLES', () => {
  let app: INestApplication | undefined;
  afterEach(() => app?.close());

  it.each([
    ['api', 200],
    ['api,ingest', 200],
    ['ingest', 404],
    ['detect,notify', 404],
  ])('%s answers an API path with %d', async (roles, status) => {
    app = await createEdgeApp({ controllers: [BothController], env: { PLUMBLINE_ROLES: roles } });
    const http = request(app.getHttpServer() as Parameters<typeof request>[0]);
    for (const method of ['get', 'post'] as const) expect((await http[method]('/api/box')).status).toBe(status);
    expect((await http.options('/api/box')).headers.allow ?? '').toBe(
      status === 200 ? 'GET, HEAD, OPTIONS, POST' : 'OPTIONS',
    );
    expect((await http.post('/ingest/box')).status).not.toBe(404);
  });
});
