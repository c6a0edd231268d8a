import fc from 'fast-check';

/** The parts of a JSON schema that the generator uses. */
export interface Schema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
}

export interface Operation {
  parameters?: readonly { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema } | undefined>> };
  responses: Readonly<
    Record<string, { content?: Readonly<Record<string, { schema?: object } | undefined>> } | undefined>
  >;
}

export interface ApiDescription {
  paths: Readonly<Record<string, Readonly<Record<string, Operation | undefined>>>>;
  components: { schemas: Readonly<Record<string, object>> };
}

export const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** A request to send. */
export interface FuzzedRequest {
  method: string;
  /** The path as described, with placeholders. */
  template: string;
  path: string;
  query: readonly (readonly [string, string])[];
  body: { type: string; text: string } | undefined;
  /** Index into the callers of the test. */
  caller: number;
  headers: Readonly<Record<string, string>>;
}

/** Texts that often cause failures. */
const NASTY = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\r\nSet-Cookie: session_id=1',
  "' OR 1=1 --",
  '"; DROP TABLE org; --',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '${7*7}',
  '../../../../etc/passwd',
  '%00',
  '%',
  '\ud800',
  '\u202ereversed',
  '\ufeff',
  'id:0',
  'id:99999999999999999999',
  'ref:-1',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x10',
  '99999999999999999999999999',
  '__proto__',
  'constructor',
  'toString',
  '*',
  '-*',
  ',,,',
  '"',
  'a:b:c',
  '[]',
  '{}',
  'null',
  'x'.repeat(300),
  'é'.normalize('NFD').repeat(50),
);

const NASTY_VALUE: fc.Arbitrary<unknown> = fc.oneof(
  NASTY,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, [], {}, [[]], [null], {
    a: { b: 1 },
  }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(NASTY, { maxLength: 5 }),
  fc.dictionary(fc.constantFrom('__proto__', 'a', 'read', 'constructor', '0'), NASTY, { maxKeys: 3 }),
);

/** Existing rows of the callers, and valid words for parameters. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** Values that match a schema including its pattern, so that requests get past the first check. */
function fitting(schema: Schema, name: string, known: Known): fc.Arbitrary<unknown> {
  const owned = known[name];
  if (owned !== undefined && owned.length > 0) return fc.constantFrom(...owned);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const type = Array.isArray(schema.type) ? (schema.type as readonly string[])[0] : schema.type;
  switch (type) {
    case 'integer':
      return fc.integer(boundsOf(schema));
    case 'number': {
      const { min, max } = boundsOf(schema);
      return fc.double({ min, max, noNaN: true });
    }
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(schema.items ?? {}, name, known), {
        minLength: 1,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object': {
      const members = Object.entries(schema.properties ?? {});
      return fc.record(Object.fromEntries(members.map(([key, member]) => [key, fitting(member, key, known)])), {
        requiredKeys: [],
      });
    }
    default:
      return textOf(schema);
  }
}

function boundsOf({ minimum, maximum }: Schema): { min: number; max: number } {
  const min = Math.max(minimum ?? -1_000_000, -2_147_483_648);
  return { min, max: Math.max(min, Math.min(maximum ?? 2_000_000_000, 4_102_444_800)) };
}

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'email') return fc.integer({ min: 1, max: 50 }).map((n) => `fuzz${String(n)}@example.org`);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const longest = Math.max(minLength, Math.min(maxLength, 40));
  return fc.oneof(
    fc.constantFrom('cpu', 'web-1.cpu', 'job:api', 'Europe/Oslo', '1760000000', '60', 'daily'),
    fc.string({ unit: 'grapheme', minLength, maxLength: longest }),
  );
}

/** Mostly values that match; sometimes arbitrary ones. */
function valueOf(schema: Schema, name: string, known: Known): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: fitting(schema, name, known) }, { weight: 1, arbitrary: NASTY_VALUE });
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(asText).join(',') : JSON.stringify(value);
}

/** Any request to one operation of the description. */
function requestTo(
  template: string,
  method: string,
  operation: Operation,
  callers: number,
  known: Known,
): fc.Arbitrary<FuzzedRequest> {
  const bodySchema = operation.requestBody?.content['application/json']?.schema;
  const places = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  const members: [name: string, schema: Schema, required: boolean][] = [
    ...(operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema = {}, required = false }): [string, Schema, boolean] => [name, schema, required]),
    ...Object.entries(bodySchema?.properties ?? {}).map(([name, schema]): [string, Schema, boolean] => [
      name,
      schema,
      bodySchema?.required?.includes(name) === true,
    ]),
  ];
  const values = fc
    .tuple(
      ...members.map(([name, schema, required]) =>
        fc.option(fc.tuple(fc.constant(name), valueOf(schema, name, known)), {
          freq: required ? 15 : 2,
          nil: undefined,
        }),
      ),
    )
    .map((pairs) => pairs.filter((pair) => pair !== undefined));
  const strange = fc.option(fc.tuple(fc.constantFrom('unknown', '__proto__', 'a[b]', 'session_id', ''), NASTY_VALUE), {
    freq: 8,
    nil: undefined,
  });
  const mayHaveBody = method === 'post' || method === 'put' || method === 'delete';
  const form = mayHaveBody
    ? fc.constantFrom('query', 'json', 'json', 'json', 'form', 'broken', 'mixed')
    : fc.constantFrom('query', 'query', 'query', 'query', 'json');
  return fc
    .record({
      caller: fc.nat({ max: callers - 1 }),
      headers: HEADERS,
      pathValues: fc.tuple(...places.map(({ name, schema = {} }) => valueOf(schema, name, known))),
      values,
      strange,
      form,
      twice: fc.boolean(),
    })
    .map(({ caller, headers, pathValues, values: chosen, strange: extra, form: how, twice }) => {
      const pairs = extra ? [...chosen, extra as [string, unknown]] : chosen;
      const path = places.reduce(
        (text, { name }, index) => text.replace(`{${name}}`, encodePlace(asText(pathValues[index]))),
        template,
      );
      const texts = pairs.map(([name, value]) => [name, asText(value)] as const);
      const base = { method, template, path, caller, headers };
      const json = JSON.stringify(Object.fromEntries(pairs));
      switch (how) {
        case 'json':
          return { ...base, query: [], body: { type: 'application/json', text: json } };
        case 'form':
          return { ...base, query: [], body: { type: 'application/x-www-form-urlencoded', text: formText(texts) } };
        case 'broken':
          return {
            ...base,
            query: [],
            body: { type: twice ? 'application/json' : 'text/yaml', text: json.slice(0, -1) },
          };
        case 'mixed':
          return { ...base, query: texts, body: { type: 'application/json', text: json } };
        default:
          return { ...base, query: twice ? [...texts, ...texts.slice(0, 1)] : texts, body: undefined };
      }
    });
}

const HEADERS: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { Accept: 'text/html' },
      { 'Accept-Language': 'xx-xx;q=7,,' },
      { Origin: 'https://evil.example.org' },
      { Authorization: 'Bearer ' },
      { Authorization: 'Basic !!!' },
      { Cookie: 'session_id=; client_id="; =;;' },
      { 'X-Request-Id': 'x'.repeat(500) },
      { 'X-Forwarded-For': '1.2.3.4, ::1' },
      { 'Content-Encoding': 'gzip' },
    ),
  },
);

/** Lone surrogates cannot be encoded and become U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function encodePlace(text: string): string {
  return text === '' || text === '.' || text === '..' ? '%20' : encoded(text);
}

export function formText(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
}

/** Requests to all operations, with equal frequency. */
export function fuzzedRequest(description: ApiDescription, callers: number, known: Known): fc.Arbitrary<FuzzedRequest> {
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [requestTo(path, method, operation, callers, known)] : [];
    }),
  );
  return fc.oneof(...operations);
}
