import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const ROOT = resolve(import.meta.dirname, '../..');

describe('the types of libs/client', () => {
  it('match openapi.json; after a change run npm run client and commit', async () => {
    const document = JSON.parse(await readFile(join(ROOT, 'apps/server/openapi.json'), 'utf8'));
    const generated = COMMENT_HEADER + astToString(await openapiTS(document));
    expect(generated === (await readFile(join(ROOT, 'libs/client/src/schema.ts'), 'utf8'))).toBe(true);
  });
});
