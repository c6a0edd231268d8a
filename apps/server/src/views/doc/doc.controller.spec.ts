import { Controller, Get, type INestApplication, Post } from '@nestjs/common';
import { ApiProperty, ApiQuery, type OpenAPIObject } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import request from 'supertest';
import { createEdgeApp } from '../../../../../test/support/edge-app.js';
import {
  Public,
  RequirePermissions,
  RequirePermissionsOrSignature,
  SideEffect,
} from '../../common/auth/access.decorators.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { describeConfig } from './config-schema.js';
import { DocModule } from './doc.module.js';
import { DocService } from './doc.service.js';
import { describeApi } from './openapi.js';

class BoxDto {
  @ApiProperty({ type: 'string', nullable: true })
  label!: string | null;
}

@Controller('box')
class BoxController {
  @Fetch(':box_id')
  @ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', default: 5 }, description: 'How many.' })
  @ApiQuery({ name: 'order', required: true, schema: { type: 'string', nullable: true } })
  @RequirePermissions(Permission.Read)
  @ApiEnvelope(BoxDto)
  show() {
    return {};
  }

  @Fetch(':box_id/picture')
  @RequirePermissionsOrSignature(Permission.Read)
  picture() {
    return {};
  }

  @Get('open')
  @SideEffect()
  @SupersededBy('/box/:box_id')
  @Public()
  open() {
    return {};
  }

  @Post()
  @RequirePermissions(Permission.Write)
  @Throws('limit_reached', 'already_exists')
  @ApiQuery({ name: 'name', required: true, schema: { type: 'string' } })
  @ApiEnvelope(BoxDto, { list: true })
  create() {
    return [];
  }
}

describe('GET /doc/openapi', () => {
  let app: INestApplication;
  let document: OpenAPIObject;
  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [BoxController], imports: [DocModule] });
  });
  afterAll(() => app.close());
  const get = () => request(app.getHttpServer()).get('/api/doc/openapi');

  it('returns 503 before the description is published', async () => {
    expect((await get()).status).toBe(503);
    app.get(DocService).publish(
      () => describeApi(app),
      () => describeConfig(app),
    );
  });

  it('returns the description without envelope, cacheable and with an ETag', async () => {
    const answer = await get();
    document = answer.body;
    expect(document.openapi).toBe('3.1.0');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      etag: expect.any(String),
    });
    expect((await get().set('If-None-Match', answer.get('ETag') ?? '')).status).toBe(304);
  });

  it('lists the public address of the installation and the requested host as servers', () => {
    expect(document.servers?.map(({ url }) => url)).toEqual(['https://plumbline.example.org', '/']);
  });

  it('offers the schema of configuration documents on a separate path', async () => {
    const answer = await request(app.getHttpServer()).get('/api/doc/config-schema');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/schema+json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    });
    expect(answer.body).toMatchObject({ $schema: expect.stringContaining('draft-07') });
  });

  it('has no POST form', async () => {
    expect((await request(app.getHttpServer()).post('/api/doc/openapi')).status).toBe(405);
  });

  it('derives operation ids from method and path', () => {
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((op) => op.operationId));
    expect(ids).toEqual([
      'postBox',
      'getBoxOpen',
      'getBoxByBoxId',
      'postBoxByBoxId',
      'getBoxPicture',
      'postBoxPicture',
      'getDoc',
      'getDocAssetsByFile',
      'getDocConfigSchema',
      'getDocOpenapi',
    ]);
  });

  it('lists the permission and the security schemes of each operation', () => {
    const { get: picture } = document.paths['/api/box/{box_id}/picture']!;
    expect(picture).toMatchObject({
      'x-permission': 'read*',
      security: [{ session: [] }, { cookie: [] }, { token: [] }, { bearer: [] }, { signature: [] }],
    });
    expect(document.paths['/api/doc/openapi']!.get).toMatchObject({ 'x-permission': 'none', security: [] });
  });

  it('describes the parameters of a POST as members of its body', () => {
    const { get: byGet, post: byPost } = document.paths['/api/box/{box_id}']!;
    const schema = {
      type: 'object',
      properties: {
        limit: { type: 'integer', default: 5, description: 'How many.' },
        // From the glossary, since the class has no description of its own.
        order: { type: ['string', 'null'], description: 'Order of the list' },
      },
      required: ['order'],
    };
    expect(byGet?.parameters).toHaveLength(2);
    expect(byPost?.parameters ?? []).toEqual([]);
    expect(byPost?.requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
    });
  });

  it('describes answers with their envelope, and errors', () => {
    const { responses } = document.paths['/api/box']!.post!;
    expect(responses).toMatchObject({
      200: {
        content: {
          'application/json': {
            schema: {
              required: ['status', 'data'],
              properties: {
                status: { $ref: '#/components/schemas/StatusBlockDto' },
                data: { type: 'array', items: { $ref: '#/components/schemas/BoxDto' } },
              },
            },
          },
        },
      },
      // Codes are in the order of the catalogue.
      409: { $ref: '#/components/responses/already_exists.limit_reached' },
      default: { $ref: '#/components/responses/Error' },
    });
    const statuses = ['200', '400', '401', '403', '409', '413', '415', '429', 'default'];
    expect(Object.keys(responses)).toEqual(statuses);
    expect(document.components?.responses?.['already_exists.limit_reached']).toMatchObject({
      description: '409: `already_exists`, `limit_reached`',
    });
  });

  it('writes nullable members in the OpenAPI 3.1 dialect', () => {
    expect(document.components?.schemas?.BoxDto).toMatchObject({ properties: { label: { type: ['string', 'null'] } } });
    expect(JSON.stringify(document)).not.toContain('nullable');
  });

  it('marks older forms as deprecated', () => {
    expect(document.paths['/api/box/open']!.get).toMatchObject({
      deprecated: true,
      'x-superseded-by': '/box/{box_id}',
    });
  });
});

describe('GET /doc', () => {
  let app: INestApplication;
  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [], imports: [DocModule] });
  });
  afterAll(() => app.close());
  const get = (path: string) => request(app.getHttpServer()).get(path);

  it('returns a Swagger UI page with its own content policy', async () => {
    const { status, headers, text } = await get('/api/doc');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<div id="swagger-ui">');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(policy).toContain("connect-src 'self' https://plumbline.example.org;");
    expect(policy.replaceAll('https://plumbline.example.org', '')).not.toContain('http');
  });

  it('serves every file of the page from this host, and references no other host', async () => {
    const { text } = await get('/api/doc');
    expect(text).not.toMatch(/https?:|\/\//);
    expect(text).not.toMatch(/<script(?! defer src)| on\w+=/);
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
    expect(files).toHaveLength(4);
    for (const file of files) {
      const { status, headers } = await get(file);
      expect([file, status]).toEqual([file, 200]);
      expect(headers['cache-control']).toBe('public, max-age=3600');
      expect(headers['content-type']).toMatch(/^(text\/(css|javascript); charset=utf-8|image\/png)$/);
    }
    const start = await get('/api/doc/assets/start.js').buffer(true);
    expect(start.text).toContain('validatorUrl: null');
    expect(start.text).not.toMatch(/https?:/);
    const styles = (await get('/api/doc/assets/swagger-ui.css')).text;
    expect(styles).not.toMatch(/url\(["']?(https?:)?\/\/|@import/);
  });

  it.each(['package.json', '..%2Fpackage.json', 'constructor', 'index.html'])(
    'returns 404 for the file %s',
    async (name) => {
      expect((await get(`/api/doc/assets/${name}`)).status).toBe(404);
    },
  );
});
