import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type OpenAPIObject } from '@nestjs/swagger';
import { describeApi } from '../../apps/server/src/views/doc/openapi.js';
import { createPreviewApp } from '../support/app.js';

const COMMITTED = resolve(import.meta.dirname, '../../apps/server/openapi.json');

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

  it('points to nothing that is missing', () => {
    const text = JSON.stringify(document);
    const names = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]));
    const schemas = document.components?.schemas ?? {};
    expect([...names].filter((name) => name === undefined || !(name in schemas))).toEqual([]);
  });
});
