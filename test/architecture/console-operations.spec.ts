import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { callsOf, consoleCalls } from '../support/console-calls.js';

const ROOT = resolve(import.meta.dirname, '../..');
const DOCUMENT = 'docs/console.md';

interface Operation {
  summary: string;
  deprecated?: boolean;
}

type Paths = Record<string, Record<string, Operation>>;

async function pathsOfApi(): Promise<Paths> {
  return (JSON.parse(await readFile(resolve(ROOT, 'apps/server/openapi.json'), 'utf8')) as { paths: Paths }).paths;
}

/** Operations of the API, such as `GET /api/org/info`, without older forms and without the POST form of a GET. */
function operationsOf(paths: Paths): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method, operation]) => {
        const isTwin = method === 'post' && item.get?.summary === operation.summary;
        return !isTwin && !operation.deprecated;
      })
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

/** The operation that a call reaches; undefined if the API has none. */
function reachedBy(paths: Paths, method: string, path: string): string | undefined {
  const template = Object.keys(paths).find((one) => one === path) ?? Object.keys(paths).find((one) => fits(one, path));
  const item = template === undefined ? undefined : paths[template];
  const operation = item?.[method.toLowerCase()];
  if (template === undefined || !operation) return undefined;
  const isTwin = method === 'POST' && item.get?.summary === operation.summary;
  return `${isTwin ? 'GET' : method} ${template}`;
}

function fits(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith('{') || part === given[i]);
}

/** Operations with a row in the document, from its second column. */
async function operationsWithoutPage(): Promise<string[]> {
  const rows = (await readFile(resolve(ROOT, DOCUMENT), 'utf8')).split('\n').filter((line) => line.startsWith('|'));
  const cells = rows.map((row) => row.split('|')[2] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]*)`/g)].map(([, operation]) => operation!));
}

describe('the console and the API', () => {
  let paths: Paths;
  let reached: Set<string | undefined>;
  beforeAll(async () => {
    paths = await pathsOfApi();
    const calls = await consoleCalls(ROOT);
    reached = new Set(calls.map(({ method, path }) => reachedBy(paths, method, path)));
  });

  it('offers every operation in the console, or explains in docs/console.md why not', async () => {
    const explained = new Set(await operationsWithoutPage());
    const lacking = operationsOf(paths).filter((one) => !reached.has(one) && !explained.has(one));
    expect(lacking).toEqual([]);
  });

  it('explains no operation in docs/console.md that the console calls or that does not exist', async () => {
    const known = new Set(operationsOf(paths));
    const wrong = (await operationsWithoutPage()).filter((one) => reached.has(one) || !known.has(one));
    expect(wrong).toEqual([]);
  });

  it('explains each operation once', async () => {
    const rows = await operationsWithoutPage();
    expect(rows.filter((one, index) => rows.indexOf(one) !== index)).toEqual([]);
  });

  it('calls only operations of the API', async () => {
    const calls = await consoleCalls(ROOT);
    const unknown = calls.filter(({ method, path }) => reachedBy(paths, method, path) === undefined);
    expect(unknown).toEqual([]);
    expect(reached.size).toBeGreaterThan(80);
  });
});

describe('the calls of a source file', () => {
  it.each([
    ["unwrap(api.POST('/api/watcher', { body }))", ['POST /api/watcher']],
    ["new EventSource('/api/stream')", ['GET /api/stream']],
    ['<a href={`/api/login/sso?return_to=${path}`}>x</a>', ['GET /api/login/sso']],
    ["prefetchAnswer('/api/user/info'); other.GET('/metrics')", ['GET /api/user/info']],
    ["api.GET('/api/tunings', { next: api.GET('/api/metrics') })", ['GET /api/tunings', 'GET /api/metrics']],
  ])('in %s are %j', (source, wanted) => {
    expect(callsOf('one.tsx', source).map(({ method, path }) => `${method} ${path}`)).toEqual(wanted);
  });

  it('are rejected without a literal path', () => {
    expect(() => callsOf('one.tsx', 'api.GET(path)')).toThrow('one.tsx: a call of the API without a literal path');
  });
});
