import { readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { isWalked, WALKS_ALL } from '../support/walked-paths.js';
import { WholeApp } from '../support/whole-app.js';
import { type ApiDescription, METHODS, type Operation, type Schema } from './request-fuzzer.js';

const DESCRIPTION = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../apps/server/openapi.json'), 'utf8'),
) as ApiDescription;

/** Texts that PostgreSQL cannot store: NUL, and half of a surrogate pair. */
const TEXTS: readonly (readonly [name: string, text: string, inAddress: string])[] = [
  ['NUL', 'cpu\u0000load', 'cpu%00load'],
  // UTF-8 bytes of half of a surrogate pair.
  ['half of a pair', 'cpu\ud800load', 'cpu%ED%A0%80load'],
];

interface Place {
  where: 'query' | 'path' | 'body';
  /** Path from the member of the body inwards; [] is an item of a list. */
  name: readonly string[];
}

interface Call {
  template: string;
  method: string;
  operation: Operation;
}

function allCalls(): Call[] {
  return Object.entries(DESCRIPTION.paths).flatMap(([template, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      const isServed = operation && !template.startsWith('/api/ingest/');
      return isServed && template.startsWith('/api/') && isWalked(template) ? [{ template, method, operation }] : [];
    }),
  );
}

const bodyOf = ({ requestBody }: Operation): Schema => requestBody?.content['application/json']?.schema ?? {};

function placesIn(schema: Schema, name: readonly string[], depth = 0): (readonly string[])[] {
  if (depth > 4) return [];
  const own = schema.properties ? [] : [name];
  const items = schema.items ? placesIn(schema.items, [...name, '[]'], depth + 1) : [];
  const members = Object.entries(schema.properties ?? {}).flatMap(([key, member]) =>
    placesIn(member, [...name, key], depth + 1),
  );
  return [...own, ...items, ...members];
}

function placesOf({ operation }: Call): Place[] {
  const parameters = (operation.parameters ?? []).flatMap(({ name, in: where }): Place[] =>
    where === 'query' || where === 'path' ? [{ where, name: [name] }] : [],
  );
  const members = Object.entries(bodyOf(operation).properties ?? {}).flatMap(([key, member]) =>
    placesIn(member, [key]).map((name): Place => ({ where: 'body', name })),
  );
  return [...parameters, ...members];
}

/** A valid value of a parameter. */
function valueFor(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  const type = Array.isArray(schema.type) ? (schema.type as string[])[0] : schema.type;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  if (type === 'array') return [valueFor(schema.items ?? {})];
  if (type === 'object') return {};
  return schema.format === 'email' ? 'ann@example.org' : 'cpu';
}

/** The value at a place, with the objects and lists around it. */
const nested = ([first, ...rest]: readonly string[], value: unknown): unknown => {
  if (first === undefined) return value;
  return first === '[]' ? [nested(rest, value)] : { [first]: nested(rest, value) };
};

/** The body, or an empty text for the event stream, which does not end. */
async function bodyText(answer: Response): Promise<string> {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) return answer.text();
  await answer.body?.cancel();
  return '';
}

describe('texts that PostgreSQL cannot store', () => {
  let app: WholeApp;
  let origin: string;
  let userId: number;

  beforeAll(async () => {
    app = await WholeApp.create();
    await app.server.app.listen(0, '127.0.0.1');
    origin = `http://127.0.0.1:${String((app.server.app.getHttpServer().address() as AddressInfo).port)}`;
    const org = await app.anOrg('Example Ltd');
    ({ id: userId } = await app.aUser(org.id, { admin: true }));
    const token = await app.tokenOf(org.id);
    await app.http().post('/ingest/metrics').set(token).send({ metric: 'cpu', value: 1 }).expect(204);
  });
  afterAll(() => app.close());

  /** Sends a valid call with the text in one place. */
  async function send({ template, method, operation }: Call, place: Place, text: string, inAddress: string) {
    const at = (where: Place['where'], name: string) => place.where === where && place.name[0] === name;
    const search = new Map<string, string>();
    let path = template;
    for (const { name, in: where, required, schema = {} } of operation.parameters ?? []) {
      const value = encodeURIComponent(String(valueFor(schema)));
      if (where === 'path') path = path.replace(`{${name}}`, at('path', name) ? inAddress : value);
      if (where === 'query' && (required === true || at('query', name)))
        search.set(name, at('query', name) ? inAddress : value);
    }
    const { properties = {}, required: needed = [] } = bodyOf(operation);
    const body: Record<string, unknown> = Object.fromEntries(needed.map((name) => [name, valueFor(properties[name]!)]));
    if (place.where === 'body') body[place.name[0]!] = nested(place.name.slice(1), text);
    const query = [...search].map(([name, value]) => `${name}=${value}`).join('&');
    const answer = await fetch(`${origin}${path}${query === '' ? '' : `?${query}`}`, {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: { ...(await app.sessionOf(userId)), 'Content-Type': 'application/json', Origin: origin },
      ...(method === 'get' ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await bodyText(answer) };
  }

  function problemOf({ name }: Place, { status, body }: { status: number; body: string }): string | undefined {
    // 503: the service behind the call is not configured.
    if (status === 500) return `${String(status)} ${body.slice(0, 200)}`;
    if (status !== 400) return undefined;
    const { error, details = [] } = (JSON.parse(body) as { status: { error?: string; details?: { field: string }[] } })
      .status;
    if (error !== 'validation_failed') return undefined;
    // Parameters with older names are reported under their current name.
    const isNamed = details.some(({ field }) => field === name[0] || field.startsWith(`${name[0]!}.`));
    return isNamed ? undefined : `does not name ${name.join('.')}: ${JSON.stringify(details).slice(0, 300)}`;
  }

  it('cause an error that names the parameter, or no harm, in every place of every call', async () => {
    const findings: string[] = [];
    let sent = 0;
    for (const call of allCalls()) {
      for (const place of placesOf(call)) {
        for (const [name, text, inAddress] of TEXTS) {
          sent++;
          const problem = problemOf(place, await send(call, place, text, inAddress));
          if (problem !== undefined)
            findings.push(
              `${call.method} ${call.template}, ${place.where} ${place.name.join('.')}, ${name}: ${problem}`,
            );
        }
      }
    }
    expect(findings).toEqual([]);
    expect(sent).toBeGreaterThan(WALKS_ALL ? 500 : 0);
  }, 600_000);

  it('are in no row, and lists still work', async () => {
    const columns = await app.query<{ table_name: string; column_name: string }>(
      `SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND data_type IN ('text', 'character varying', 'json', 'jsonb')`,
    );
    const found: string[] = [];
    for (const { table_name: table, column_name: column } of columns) {
      const [row] = await app.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM "${table}" WHERE "${column}"::text ~ '\\\\u(0000|[dD][89a-fA-F])'`,
      );
      if (row!.count > 0) found.push(`${table}.${column}`);
    }
    expect(found).toEqual([]);
    expect(columns.length).toBeGreaterThan(20);
    const broken: string[] = [];
    for (const { template, method, operation } of allCalls()) {
      const needs = (operation.parameters ?? []).some(({ required }) => required === true);
      if (method !== 'get' || needs || template.includes('{')) continue;
      const answer = await fetch(origin + template, { redirect: 'manual', headers: await app.sessionOf(userId) });
      await bodyText(answer);
      if (answer.status === 500) broken.push(`${template} ${String(answer.status)}`);
    }
    expect(broken).toEqual([]);
  }, 600_000);
});
