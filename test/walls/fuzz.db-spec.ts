import { readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { Permission } from '#libs/contracts';
import { listedErrors } from '../support/listed-errors.js';
import { type Headers, PASSWORD, WholeApp } from '../support/whole-app.js';
import { type ApiDescription, formText, fuzzedRequest, type FuzzedRequest, type Known } from './request-fuzzer.js';

/** `.ci/run` sends ten thousand requests. */
const REQUESTS = Number(process.env.PLUMBLINE_FUZZ_REQUESTS ?? 1500);
const SEED = Number(process.env.PLUMBLINE_FUZZ_SEED ?? 20_260_101);

const DESCRIPTION = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../apps/server/openapi.json'), 'utf8'),
) as ApiDescription;

/**
 * All calls except ingest, which has other answers and its own fuzz tests, and the event stream, which does not end.
 */
const FUZZED: ApiDescription = {
  ...DESCRIPTION,
  paths: Object.fromEntries(
    Object.entries(DESCRIPTION.paths).filter(([path]) => path.startsWith('/api/') && !isSpecial(path)),
  ),
};

function isSpecial(path: string): boolean {
  return /^\/api\/(v1|v2)\//.test(path) || path.startsWith('/api/ingest/') || path === '/api/stream';
}

/** The password of users that requests may name; the callers have other passwords. */
const KNOWN_PASSWORD = 'staple battery horse';

interface Finding {
  request: string;
  problem: string;
}

/**
 * Validates answers against the description. Undescribed members are a finding, since the description must be complete.
 */
class AnswerCheck {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly description: ApiDescription) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'api', ...(closed(description) as object) });
  }

  problemOf(request: FuzzedRequest, status: number, type: string, body: string): string | undefined {
    if (status === 500) return `500: ${body}`;
    const operation = this.description.paths[request.template]?.[request.method];
    const declared = operation?.responses[String(status)];
    const isJson = type.startsWith('application/json');
    if (status < 400 && !isJson) {
      const types = Object.keys(declared?.content ?? {});
      const isDeclared =
        declared !== undefined && (types.length === 0 || types.some((known) => type.startsWith(known)));
      return isDeclared ? undefined : `${String(status)} with ${type} is not described`;
    }
    if (!isJson) return `an error of type ${type}`;
    const schema = status < 400 ? pointerTo(request, status) : '#/components/schemas/ErrorEnvelopeDto';
    const answer = JSON.parse(body) as { status?: { code?: number }; data?: { error?: { code?: string } } };
    const validate = this.validatorOf(schema);
    if (!validate(answer)) return this.ajv.errorsText(validate.errors, { separator: '; ' });
    if (answer.status !== undefined && answer.status.code !== status)
      return `status.code ${String(answer.status.code)} with ${String(status)}`;
    const code = answer.data?.error?.code;
    if (status < 400 || listedErrors(this.description, operation, status).includes(code ?? '')) return undefined;
    return `${String(status)} ${String(code)} is not listed; name it with @Throws`;
  }

  private validatorOf(pointer: string): ValidateFunction {
    const known = this.validators.get(pointer);
    if (known) return known;
    const created = this.ajv.compile({ $ref: `api${pointer}` });
    this.validators.set(pointer, created);
    return created;
  }
}

function pointerTo({ template, method }: FuzzedRequest, status: number): string {
  const segment = template.replaceAll('~', '~0').replaceAll('/', '~1');
  return `#/paths/${encodeURI(segment)}/${method}/responses/${String(status)}/content/application~1json/schema`;
}

/** The description with every object closed, so that it allows no undescribed members. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const isObjectSchema = typeof members.properties === 'object' && !('additionalProperties' in members);
  return isObjectSchema && !('allOf' in members) ? { ...members, additionalProperties: false } : members;
}

describe('fuzzed requests', () => {
  let app: WholeApp;
  let origin: string;
  const lines: string[] = [];
  const secrets = new Set<string>([PASSWORD, KNOWN_PASSWORD]);
  const callers: (() => Promise<Headers>)[] = [];
  const known: Record<string, string[]> = {};

  beforeAll(async () => {
    app = await WholeApp.create({ logLines: (line) => lines.push(line) });
    await app.server.app.listen(0, '127.0.0.1');
    origin = `http://127.0.0.1:${String((app.server.app.getHttpServer().address() as AddressInfo).port)}`;
    const org = await app.anOrg('Example Ltd');
    const [admin, user, demo] = [
      await app.aUser(org.id, { admin: true }),
      await app.aUser(org.id),
      await app.aDemoUser(org.id),
    ];
    const read = await app.tokenOf(org.id, Permission.Read);
    const all = await app.tokenOf(org.id);
    // Each request gets its own session, because some requests end it.
    for (const { id } of [admin, admin, user, demo]) callers.push(() => app.sessionOf(id));
    callers.push(
      async () => all,
      async () => read,
      async () => ({}),
    );

    const metrics = ['web-1.cpu', 'http_requests_total{job="api",method="GET"}'];
    const now = Math.floor(Date.now() / 1000);
    const points = metrics.flatMap((metric) =>
      Array.from({ length: 50 }, (_, index) => ({ metric, timestamp: now - 60 * index, value: index % 7 })),
    );
    await app.http().post('/ingest/metrics').set(all).send({ metrics: points }).expect(204);
    const exclusion = await app
      .http()
      .post('/api/exclusion')
      .set(all)
      .send({ chips: ['other'], type_id: 4 });
    known.metric = [...metrics, 'id:1'];
    known.metric_name = known.metric;
    // Requests may change, disable and delete these users, but not the callers.
    const others = [];
    for (let count = 0; count < 20; count++) others.push(await app.aUser(org.id, { password: KNOWN_PASSWORD }));
    known.user_id = others.map(({ id }) => String(id));
    known.email = others.map(({ email }) => email ?? '');
    known.exclusion_id = [String((exclusion.body as { data: { exclusion: { id: number } } }).data.exclusion.id)];
    known.timezone = ['Europe/Oslo', 'UTC'];
    known.password = [KNOWN_PASSWORD, 'another long password'];
    known.session_id = ['f'.repeat(32)];
    // Hashes twenty passwords.
  }, 120_000);
  afterAll(() => app.close());

  async function send({ method, path, query, body, caller, headers }: FuzzedRequest): Promise<Response> {
    const credential = await callers[caller]!();
    Object.values(credential).forEach((secret) => secrets.add(secret));
    const search = query.length > 0 ? `?${formText(query)}` : '';
    const mayHaveBody = body !== undefined && method !== 'get';
    return fetch(origin + path + search, {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: { ...headers, ...credential, ...(mayHaveBody ? { 'Content-Type': body.type } : {}) },
      ...(mayHaveBody ? { body: body.text } : {}),
    });
  }

  it(`never return 500, and all ${String(REQUESTS)} answers match the description`, async () => {
    const check = new AnswerCheck(DESCRIPTION);
    const findings = new Map<string, Finding>();
    const statuses = new Map<number, number>();
    for (const request of fc.sample(fuzzedRequest(FUZZED, callers.length, known as Known), {
      numRuns: REQUESTS,
      seed: SEED,
    })) {
      const answer = await send(request);
      const text = await answer.text();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const problem = check.problemOf(request, answer.status, answer.headers.get('content-type') ?? '', text);
      if (problem === undefined) continue;
      // Only one example of each kind of finding is kept.
      const kind = `${request.method} ${request.template} ${problem.slice(0, 120)}`;
      if (!findings.has(kind)) findings.set(kind, { request: JSON.stringify(request), problem });
    }
    expect([...findings.values()]).toEqual([]);
    // Many requests must get past the first checks, and there must be many kinds of errors.
    expect((statuses.get(200) ?? 0) / REQUESTS).toBeGreaterThan(0.15);
    expect(statuses.size).toBeGreaterThan(5);
  }, 600_000);

  it('write no secret to any log line', () => {
    expect(lines.length).toBeGreaterThan(REQUESTS / 2);
    const found = [...secrets].flatMap((secret) => lines.filter((line) => line.includes(secret)).slice(0, 1));
    expect(found).toEqual([]);
  });
});
