import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode, STREAM_EVENT_TYPES } from '#libs/contracts';
import { MEMBER_TEXTS, MEMBER_TEXTS_OF } from '../../apps/server/src/views/doc/glossary.js';
import { describeApi, withAddresses } from '../../apps/server/src/views/doc/openapi.js';
import { createPreviewApp, routesOf } from '../support/app.js';
import { listedErrors } from '../support/listed-errors.js';

const COMMITTED = resolve(import.meta.dirname, '../../apps/server/openapi.json');

interface Schema {
  $ref?: string;
  required?: string[];
  properties?: Record<string, Schema>;
}

interface Operation {
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

/** The schema of `data` in the answer of a call; undefined for calls that do not exist or have no envelope. */
function dataOf(document: OpenAPIObject, method: string, path: string): Schema | undefined {
  const operations = document.paths[path] as Record<string, Operation> | undefined;
  const answer = operations?.[method.toLowerCase()]?.responses['200'];
  const data = answer?.content?.['application/json']?.schema?.properties?.data;
  const name = data?.$ref?.split('/').at(-1);
  return name === undefined ? data : document.components?.schemas?.[name];
}

interface Member {
  description?: string;
  properties?: Record<string, Member>;
  items?: Member;
  allOf?: Member[];
  oneOf?: Member[];
  anyOf?: Member[];
}

/** Members of a schema and of the schemas inside it. */
function membersOf({ properties = {}, items, allOf = [], oneOf = [], anyOf = [] }: Member): [string, Member][] {
  const inside = [...(items ? [items] : []), ...allOf, ...oneOf, ...anyOf, ...Object.values(properties)];
  return [...Object.entries(properties), ...inside.flatMap(membersOf)];
}

interface DescribedOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  responses: object;
}

function operations({ paths }: OpenAPIObject): [string, DescribedOperation][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, DescribedOperation>).map(
      ([method, operation]): [string, DescribedOperation] => [`${method} ${path}`, operation],
    ),
  );
}

describe('the API description', () => {
  let document: OpenAPIObject;
  beforeAll(async () => {
    document = describeApi(await createPreviewApp());
  });

  it('matches the committed file; after a change run npm run openapi and commit', async () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(JSON.parse(await readFile(COMMITTED, 'utf8')));
  });

  it('names the licence', () => {
    expect(document.info.license).toEqual({ name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' });
  });

  it('describes every parameter; add a description to its class or to views/doc/glossary.ts', () => {
    const lacking = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { parameters?: { name: string; description?: string }[] }>).flatMap(
        ([method, { parameters = [] }]) =>
          parameters
            .filter(({ description = '' }) => description.trim() === '')
            .map(({ name }) => `${method} ${path} ${name}`),
      ),
    );
    expect(lacking).toEqual([]);
  });

  it('describes every member; add a description to its class or to views/doc/glossary.ts', () => {
    const lacking: string[] = [];
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      for (const [member, { description = '' }] of membersOf(schema as Member)) {
        if (description.trim() === '') lacking.push(`${name}.${member}`);
      }
    }
    expect(lacking).toEqual([]);
  });

  it('uses every description of the glossary', () => {
    const schemas = document.components?.schemas ?? {};
    const documentedTexts = new Set(
      Object.values(schemas).flatMap((schema) => membersOf(schema as Member).map(([, { description }]) => description)),
    );
    expect(Object.entries(MEMBER_TEXTS).filter(([, text]) => !documentedTexts.has(text))).toEqual([]);
    const unused = Object.entries(MEMBER_TEXTS_OF).flatMap(([name, texts]) => {
      const members = new Map(membersOf((schemas[name] ?? {}) as Member));
      return Object.entries(texts).filter(([member, text]) => members.get(member)?.description !== text);
    });
    expect(unused).toEqual([]);
  });

  it('has a schema for each event of the stream', () => {
    const [stream] = operations(document).filter(([name]) => name === 'get /api/stream');
    const { '200': answer } = stream![1].responses as Operation['responses'];
    const { oneOf = [] } = answer!.content!['text/event-stream']!.schema as Member;
    const types = oneOf.map(({ properties }) => (properties!.event as { enum?: string[] }).enum![0]);
    expect(types).toEqual([...STREAM_EVENT_TYPES, 'resync', 'end']);
    const text = JSON.stringify(oneOf);
    const names = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name!);
    expect(new Set(names).size).toBeGreaterThan(5);
    expect(names.filter((name) => document.components?.schemas?.[name] === undefined)).toEqual([]);
    expect(membersOf({ oneOf }).filter(([, member]) => !('$ref' in member || member.description))).toEqual([]);
  });

  it('has unique operation ids', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId?: string }>).map((operation) => operation.operationId),
    );
    expect(ids.filter((id, index) => id === undefined || ids.indexOf(id) !== index)).toEqual([]);
  });

  it('has a summary of one line for every operation; add @ApiOperation({ summary }) to the handler', () => {
    const summaries = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { summary?: string }>).map(([method, { summary }]): [string, string] => [
        `${method} ${path}`,
        summary ?? '',
      ]),
    );
    expect(summaries.filter(([, summary]) => !/^[A-Z].*[^.\s]$/.test(summary))).toEqual([]);
  });

  it('has a message in the answer of every write', async () => {
    const changing = routesOf(await createPreviewApp()).filter((route) => route.isSideEffect || route.isUnsafeGet);
    const without = changing.flatMap(({ method, path }) => {
      const data = dataOf(document, method, path.replace(/:(\w+)/g, '{$1}'));
      return data !== undefined && !data.required?.includes('message') ? [`${method} ${path}`] : [];
    });
    expect(changing.length).toBeGreaterThan(20);
    expect(without).toEqual([]);
  });

  it('has a description of a sentence or two for every operation; add `description` to @ApiOperation', () => {
    const lacking = operations(document).filter(([, { summary, description = '' }]) => {
      const isSentence = /^[^a-z].*[.!]$/s.test(description) && description.split(' ').length >= 6;
      return !isSentence || description === summary;
    });
    expect(lacking.map(([name]) => name)).toEqual([]);
  });

  it('describes every tag; add a line to views/doc/tags.ts', () => {
    const used = new Set(operations(document).flatMap(([, { tags }]) => tags ?? ['none']));
    expect([...used].sort()).toEqual((document.tags ?? []).map(({ name }) => name).sort());
    expect((document.tags ?? []).filter(({ description = '' }) => description.length < 20)).toEqual([]);
  });

  it('explains what a token is and how to create one', () => {
    expect(document.components?.securitySchemes).toMatchObject({
      bearer: { scheme: 'bearer', description: expect.stringMatching(/^A token of an organisation.*org\/tokens/s) },
      token: { name: 'X-Auth-Token', description: expect.stringContaining('POST /api/org/tokens') },
      session: { description: expect.stringContaining('POST /api/login') },
    });
  });

  it('lists the error codes of every operation by status; add those of a service with @Throws', () => {
    const wrong: string[] = [];
    let listed = 0;
    for (const [name, operation] of operations(document)) {
      if (!('default' in operation.responses)) continue;
      const { responses } = operation as { responses: Record<string, object> };
      const statuses = Object.keys(responses).filter((status) => Number(status) >= 400);
      const shared = listedErrors(document, { responses: { default: responses.default } }, 'default');
      for (const status of statuses) {
        const codes = listedErrors(document, { responses: { [status]: responses[status] } }, status);
        listed += codes.length;
        const isKnown = (code: string): boolean => ERROR_STATUS[code as ErrorCode] === Number(status);
        if (codes.length === 0 || !codes.every(isKnown)) wrong.push(`${name} ${status}: ${codes.join(', ')}`);
        if (codes.some((code) => shared.includes(code))) wrong.push(`${name} ${status} lists what all calls answer`);
      }
      const { 'x-permission': access, parameters = [] } = operation as {
        'x-permission'?: string;
        parameters?: unknown[];
      };
      const lists = (status: string): boolean => statuses.includes(status);
      if (access !== 'none' && !(lists('401') && lists('403'))) wrong.push(`${name} lists no error of its credential`);
      if (parameters.length > 0 && !lists('400')) wrong.push(`${name} lists no error of its parameters`);
    }
    expect(wrong).toEqual([]);
    expect(listed).toBeGreaterThan(2000);
  });

  it.each([
    ['post', '/api/watcher', '409', ['already_exists', 'limit_reached']],
    ['put', '/api/watcher/threshold/{watcher_id}', '409', ['already_exists', 'wrong_type', 'state_conflict']],
    ['get', '/api/image/metric', '401', ['not_authenticated', 'session_expired', 'token_expired', 'signature_invalid']],
    ['get', '/api/image/metric', '410', ['expired']],
    ['put', '/api/user/password', '401', ['not_authenticated', 'session_expired', 'token_expired', 'login_failed']],
    ['put', '/api/user/password', '403', ['demo_account', 'session_required', 'cross_site_refused']],
    ['get', '/api/tunings', '403', ['permission_denied']],
    ['post', '/api/tuning', '403', ['permission_denied', 'demo_account', 'cross_site_refused']],
  ])('lists for %s %s the error codes of status %s', (method, path, status, codes) => {
    const { responses } = (document.paths[path] as Record<string, Operation>)[method]!;
    expect(listedErrors(document, { responses: { [status]: responses[status] } }, status)).toEqual(codes);
  });

  it('has the ingest calls below the API base too, with bodies, headers and answers', () => {
    const path = document.paths['/api/ingest/metrics']?.post;
    expect(path).toMatchObject({
      operationId: 'postApiIngestMetrics',
      parameters: [
        { in: 'header', name: 'X-Test-Only' },
        { in: 'header', name: 'X-Backfill' },
        { in: 'query', name: 'backfill' },
      ],
      requestBody: { content: { 'application/json': { examples: { many: expect.any(Object) } } } },
    });
    const statuses = ['200', '204', '207', '400', '401', '403', '413', '415', '429', '503'];
    expect(Object.keys(path?.responses ?? {}).sort()).toEqual(statuses);
  });

  it('contains the addresses of an installation only at run time', () => {
    expect(document.servers).toEqual([{ url: '/' }]);
    const addresses = { publicUrl: 'https://one.example.org', ingestUrl: 'https://two.example.org' };
    const running = withAddresses(document, addresses);
    expect(running.servers?.map(({ url }) => url)).toEqual(['https://one.example.org', '/']);
    expect(running.paths['/ingest/metrics']?.servers?.map(({ url }) => url)).toEqual(['https://two.example.org']);
    expect(running.paths['/api/metrics']?.servers).toBeUndefined();
  });

  it('has no reference to a missing schema', () => {
    const text = JSON.stringify(document);
    const names = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]));
    const schemas = document.components?.schemas ?? {};
    expect([...names].filter((name) => name === undefined || !(name in schemas))).toEqual([]);
  });
});
