import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type OpenAPIObject } from '@nestjs/swagger';
import { describeApi } from '../../apps/server/src/views/doc/openapi.js';
import { createPreviewApp, routesOf } from '../support/app.js';

const COMMITTED = resolve(import.meta.dirname, '../../apps/server/openapi.json');

interface Schema {
  $ref?: string;
  required?: string[];
  properties?: Record<string, Schema>;
}

interface Operation {
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

/** Schema of `data` in the answer of a call; undefined for calls that are not served, and those without envelope. */
function dataOf(document: OpenAPIObject, method: string, path: string): Schema | undefined {
  const operations = document.paths[path] as Record<string, Operation> | undefined;
  const answer = operations?.[method.toLowerCase()]?.responses['200'];
  const data = answer?.content?.['application/json']?.schema?.properties?.data;
  const name = data?.$ref?.split('/').at(-1);
  return name === undefined ? data : document.components?.schemas?.[name];
}

describe('the API description', () => {
  let document: OpenAPIObject;
  beforeAll(async () => {
    document = describeApi(await createPreviewApp());
  });

  it('is the committed one; after a change run npm run openapi and commit', async () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(JSON.parse(await readFile(COMMITTED, 'utf8')));
  });

  it('names every operation once', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId?: string }>).map((operation) => operation.operationId),
    );
    expect(ids.filter((id, index) => id === undefined || ids.indexOf(id) !== index)).toEqual([]);
  });

  it('says in one line what every operation does; add @ApiOperation({ summary }) to the handler', () => {
    const summaries = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { summary?: string }>).map(([method, { summary }]): [string, string] => [
        `${method} ${path}`,
        summary ?? '',
      ]),
    );
    expect(summaries.filter(([, summary]) => !/^[A-Z].*[^.\s]$/.test(summary))).toEqual([]);
  });

  it('answers a message to every write', async () => {
    const changing = routesOf(await createPreviewApp()).filter((route) => route.isSideEffect || route.isUnsafeGet);
    const without = changing.flatMap(({ method, path }) => {
      const data = dataOf(document, method, path.replace(/:(\w+)/g, '{$1}'));
      return data === undefined || data.required?.includes('message') ? [] : [`${method} ${path}`];
    });
    expect(changing.length).toBeGreaterThan(20);
    expect(without).toEqual([]);
  });

  it('points to nothing that is missing', () => {
    const text = JSON.stringify(document);
    const names = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]));
    const schemas = document.components?.schemas ?? {};
    expect([...names].filter((name) => name === undefined || !(name in schemas))).toEqual([]);
  });
});
