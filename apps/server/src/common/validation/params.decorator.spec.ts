import { Controller, Delete, Get, type INestApplication, Post, Put } from '@nestjs/common';
import request from 'supertest';
import { createEdgeApp } from '../../../../../test/support/edge-app.js';
import { describeApi } from '../../views/doc/openapi.js';
import { Public, SideEffect } from '../auth/access.decorators.js';
import { Fetch } from '../http/fetch.decorator.js';
import { MetricParam, MetricRefParam } from '../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { IdParam } from './id-param.decorator.js';
import { NoParams } from './no-params.js';
import { Params } from './params.decorator.js';
import { IntParam, ListParam, ObjectParam, PasswordParam, StrParam, strKind } from './param.decorators.js';

class Size {
  @IntParam({ required: true, min: 1 }) width!: number;
}

class ThingParams {
  @StrParam({ required: true, max: 10, description: 'What it is called' }) name!: string;
  @StrParam({ nullable: true }) note?: string | null;
  @IntParam({ min: 0, max: 5, default: 2 }) count!: number;
  @ListParam(strKind()) tags?: string[];
  @ObjectParam(() => Size) size?: Size;
  @MetricParam() metric?: MetricRef;
  @PasswordParam() password?: string;
}

@Controller()
class ThingController {
  @Fetch('things')
  @Public()
  list(@Params() params: ThingParams): object {
    return params;
  }

  @Fetch('thing/older')
  @Public()
  @SideEffect()
  older(@Params() params: ThingParams): object {
    return params;
  }

  @Post('thing')
  @Public()
  create(@Params() params: ThingParams): object {
    return params;
  }

  @Put('thing/:thing_id')
  @Public()
  update(@IdParam('thing_id') id: number, @Params() params: ThingParams): object {
    return { id, params };
  }

  @Delete('thing/:thing_id')
  @Public()
  remove(@IdParam('thing_id') id: number, @Params() _params: NoParams): object {
    return { id };
  }

  @Get('of/:metric')
  @Public()
  ofMetric(@MetricRefParam('metric') ref: MetricRef): object {
    return ref;
  }
}

describe('@Params()', () => {
  let app: INestApplication;
  const send = (method: 'get' | 'post' | 'put' | 'delete', path: string) =>
    request(app.getHttpServer() as never)[method](`/api${path}`);
  const dataOf = (answer: { body: unknown }): unknown => (answer.body as { data: unknown }).data;
  const codesOf = (answer: { body: unknown }): string[] =>
    (answer.body as { data: { error: { details: { field: string; code: string }[] } } }).data.error.details.map(
      ({ field, code }) => `${field} ${code}`,
    );

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [ThingController] });
  });
  afterAll(() => app.close());

  it('reads a query, a form and JSON in the same way', async () => {
    const expected = { name: 'x', count: 3, tags: ['a', 'b,c'], size: { width: 4 }, metric: { id: 5 } };
    const query = '/things?name=x&count=3&tags=a&tags=%22b,c%22&size.width=4&metric=id:5';
    expect(dataOf(await send('get', query).expect(200))).toEqual(expected);
    const form = 'name=x&count=3&tags[]=a&tags[]="b,c"&size.width=4&metric=id:5';
    expect(dataOf(await send('post', '/thing').type('form').send(form).expect(200))).toEqual(expected);
    const json = { ...expected, metric: 'id:5' };
    expect(dataOf(await send('post', '/thing').send(json).expect(200))).toEqual(expected);
    expect(dataOf(await send('post', '/things').send(json).expect(200))).toEqual(expected);
    expect(dataOf(await send('post', '/thing?name=x&count=3').send({ name: 'x', count: 3 }))).toEqual({
      name: 'x',
      count: 3,
    });
  });

  it('reads the parameters beside a token in the body', async () => {
    const body = { status: { any: 'thing' }, data: { token: 'pl_read', name: 'x' } };
    expect(dataOf(await send('post', '/thing').send(body).expect(200))).toEqual({ name: 'x', count: 2 });
  });

  it.each([
    ['get', '/things?name=x&other=1', []],
    ['post', '/things?name=x&other=1', []],
    ['get', '/thing/older?name=x&other=1', []],
    ['post', '/thing/older?name=x&other=1', ['other unknown_parameter']],
    ['post', '/thing?name=x&other=1', ['other unknown_parameter']],
    ['put', '/thing/1?name=x&other=1', ['other unknown_parameter']],
    ['delete', '/thing/1?other=1', ['other unknown_parameter']],
    ['delete', '/thing/1?session_id=1', []],
  ] as const)('reports for %s %s the problems %j', async (method, path, codes) => {
    const answer = await send(method, path);
    expect(answer.status).toBe(codes.length === 0 ? 200 : 400);
    if (answer.status !== 200) expect(codesOf(answer)).toEqual(codes);
  });

  it('treats an empty text as missing on a fetch, and as cleared on a change', async () => {
    expect(dataOf(await send('get', '/things?name=x&note=&count='))).toEqual({ name: 'x', count: 2 });
    expect(dataOf(await send('post', '/thing').send({ name: 'x', note: '' }))).toMatchObject({ note: null });
    expect(dataOf(await send('get', '/thing/older?name=x&note='))).toMatchObject({ note: null });
    expect(codesOf(await send('post', '/thing').send({ name: '' }))).toEqual(['name required']);
  });

  it.each(['{"tags":[{"toString":1}],"tags[]":"a"}', '{"tags":["a",[{"toString":1}]],"tags[]":["b"]}'])(
    'rejects list items that are not texts: %s',
    async (body) => {
      const answer = await send('post', '/thing?name=x').type('json').send(body);
      expect(answer.status).toBe(400);
      expect(codesOf(answer)[0]).toMatch(/^tags /);
    },
  );

  it('rejects a password in the address', async () => {
    const answer = await send('post', '/thing?password=a+long+enough+one').send({ name: 'x' }).expect(400);
    expect(codesOf(answer)).toEqual(['password body_only']);
  });

  it.each([
    ['0', '"0"'],
    ['-1', '"-1"'],
    ['x', '"x"'],
    ['1.5', '"1.5"'],
    ['2147483648', '"2147483648"'],
    ['9007199254740992', '"9007199254740992"'],
    ['01', '"01"'],
    ['x'.repeat(50), `"${'x'.repeat(40)}…"`],
    ['pl_0123456789abcdef', '[hidden]'],
  ])('answers 404 for the id %s, which cannot exist, and says so', async (id, shown) => {
    const answer = await send('delete', `/thing/${id}`).expect(404);
    expect(dataOf(answer)).toMatchObject({
      message: `There is no thing with the id ${shown}.`,
      error: { code: 'not_found' },
    });
  });

  it('names a metric in the path that cannot exist', async () => {
    const answer = await send('get', '/of/a%20b').expect(404);
    expect(dataOf(answer)).toMatchObject({ message: 'There is no metric "a b".' });
  });

  it.each([
    ['/of/id:7', { id: 7 }],
    ['/of/a%7Bb%3D%221%22%7D', { name: 'a{b="1"}' }],
  ])('reads %s as a metric reference', async (path, ref) => {
    expect(dataOf(await send('get', path).expect(200))).toEqual(ref);
  });

  it('documents the parameters of fetches as query, and those of changes as body', () => {
    const operations = describeApi(app).paths as Record<string, Record<string, Record<string, unknown>>>;
    expect(operations['/api/things']!.get!.parameters).toEqual(
      expect.arrayContaining([
        {
          name: 'name',
          in: 'query',
          required: true,
          description: 'What it is called',
          schema: { type: 'string', minLength: 1, maxLength: 10 },
        },
        {
          name: 'count',
          in: 'query',
          required: false,
          schema: { type: 'integer', minimum: 0, maximum: 5, default: 2 },
        },
      ]),
    );
    const put = operations['/api/thing/{thing_id}']!.put!;
    expect(put.parameters).toEqual([
      { name: 'thing_id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 } },
    ]);
    expect(put.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { description: 'What it is called' },
              note: { type: ['string', 'null'] },
              size: { type: 'object', required: ['width'], properties: { width: { type: 'integer', minimum: 1 } } },
            },
          },
        },
      },
    });
    expect(operations['/api/thing/{thing_id}']!.delete).not.toHaveProperty('requestBody');
  });

  it('throws with advice when the class of the argument is imported as a type', () => {
    const declare = (): unknown => {
      class Wrong {
        find(@Params() _params: unknown): object {
          return {};
        }
      }
      return Wrong;
    };
    expect(declare).toThrow('import it as a value');
  });
});
