import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EventRecorderService } from '../../apps/server/src/platform/event/event-recorder.service.js';
import { WatcherBudgetsService } from '../../apps/server/src/alerting/alert-plan/watcher-budgets.service.js';
import { WatcherStartService } from '../../apps/server/src/alerting/watcher/watcher-start.service.js';
import { IncidentGroupingService } from '../../apps/server/src/analysis/incident/incident-grouping.service.js';
import { allByHand } from '../support/by-hand.js';
import { isWalked } from '../support/walked-paths.js';
import { type Headers, WholeApp } from '../support/whole-app.js';

/**
 * Two organisations: one owns a row of everything. People and programs of the other call every route with its ids and
 * names, get 404, and change no row of the owner.
 */
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: { properties?: object; required?: string[] } } | undefined> };
}

const { paths: PATHS } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../apps/server/openapi.json'), 'utf8'),
) as { paths: Record<string, Record<string, Operation>> };

const METHODS = ['get', 'post', 'put', 'delete'] as const;
type Method = (typeof METHODS)[number];

/** Parameters that identify a row of an organisation, and the error for a foreign row. */
const REFERENCES: Readonly<Record<string, 'not_found' | 'unknown_user'>> = {
  anomaly_id: 'not_found',
  delivery_id: 'not_found',
  exclusion_id: 'not_found',
  match_id: 'not_found',
  incident_id: 'not_found',
  metric: 'not_found',
  metric_name: 'not_found',
  pattern_id: 'not_found',
  progress_id: 'not_found',
  source_id: 'not_found',
  token_id: 'not_found',
  tuning_id: 'not_found',
  watcher_id: 'not_found',
  user_id: 'not_found',
  email_users: 'unknown_user',
  admin_email_users: 'unknown_user',
  chat_mention_users: 'unknown_user',
  sms_users: 'unknown_user',
  admin_sms_users: 'unknown_user',
  summary_report_users: 'unknown_user',
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].flatMap((id) => [
      [`type_${String(id)}_email_users`, 'unknown_user'],
      [`type_${String(id)}_sms_users`, 'unknown_user'],
    ]),
  ),
};

/** Parameters whose names look like references, and the reason why they are not. */
const NO_REFERENCES: Readonly<Record<string, string>> = {
  benchmark_id: 'a secret: who has it may read the benchmark',
  checkout_session_id: 'belongs to the payment provider, which is asked',
  demo_org_id: 'demo organisations are open to everybody',
  metric_ids: 'ids that do not exist are left out of the answer',
  metrics: 'names that a program reports, which are only quoted',
  last_event_id: 'a place in the stream of the own organisation, which is the only one that is read',
  plan_id: 'a setting of the operator',
  service_id: 'a word of the contract',
  type_id: 'a number of the contract',
  chat_member_id: 'an id of the chat service',
  limit_per_metric: 'a number of entries',
};
const LOOKS_LIKE_REFERENCE = /(^|_)(id|ids|user|users|metric|metrics|metric_name)$/;

/** Additional parameters that a call needs before it looks up the reference. */
const NEEDED: Readonly<Record<string, string>> = {
  chips: 'cpu',
  cancel: 'true',
  timestamp: String(Math.floor(Date.now() / 1000) - 600),
  valid: 'false',
  algorithm: 'above',
  value: '1',
};

/** Parameters that another one requires, which the description cannot express. */
const NEEDED_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  '/api/anomaly/train metric': ['timestamp'],
  '/api/image/anomaly metric': ['timestamp'],
  '/api/progress/{progress_id}/update progress_id': ['cancel'],
  ...Object.fromEntries(
    ['email_users', 'sms_users', 'chat_mention_users', 'summary_report_users'].map((list) => [
      `/api/watcher/threshold ${list}`,
      ['algorithm', 'value'],
    ]),
  ),
};

/** Placeholders in paths that do not identify a row of an organisation. */
const PATHS_WITHOUT_ROW: ReadonlySet<string> = new Set([
  '/api/doc/assets/{file}',
  '/api/dashboard/org/{panel_name}',
  '/api/org/adminalert/{alert_code}',
  '/api/user/sessions/{ref}',
  // The name of a label. Its values are those of the caller's metrics; prometheus-api.db-spec.ts tests other
  // organisations.
  '/prometheus/api/v1/label/{name}/values',
  // A service is an id of the contract. The answer is always about the caller's organisation.
  ...['orgconfig', 'orgproperties', 'test', 'userconfig', 'userproperties'].map(
    (part) => `/api/integration/{service_id}/${part}`,
  ),
]);

/**
 * Filters of the caller's own records by a user, who may have been removed, or by a metric name of Prometheus. A
 * foreign value finds nothing.
 */
const FILTERS: ReadonlySet<string> = new Set(['/api/audit user_id', '/prometheus/api/v1/metadata metric']);

interface Call {
  method: Method;
  path: string;
  reference: string;
  isInPath: boolean;
  required: string[];
}

function namesOf(operation: Operation): { name: string; isInPath: boolean; required: boolean }[] {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const members = Object.keys(schema?.properties ?? {});
  return [
    ...(operation.parameters ?? []).map(({ name, in: place, required }) => {
      return { name, isInPath: place === 'path', required: required === true };
    }),
    ...members.map((name) => ({ name, isInPath: false, required: schema?.required?.includes(name) === true })),
  ];
}

/** Without ingest, where a metric name belongs to the caller's organisation, and the metric is created if necessary. */
const OPERATIONS = Object.entries(PATHS)
  .filter(([path]) => !path.includes('/ingest/'))
  .flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => ({
      path,
      method,
      names: namesOf(item[method]!),
    })),
  );

const CALLS: Call[] = OPERATIONS.flatMap(({ path, method, names }) =>
  names
    .filter(({ name }) => name in REFERENCES && !FILTERS.has(`${path} ${name}`))
    .map(({ name, isInPath }) => ({
      method,
      path,
      reference: name,
      isInPath,
      required: [
        ...names.filter((other) => other.required && !other.isInPath && other.name !== name).map((other) => other.name),
        ...(NEEDED_TOGETHER[`${path} ${name}`] ?? []),
      ],
    })),
);

/** Users that are named inside of objects and documents. `"ID"` and `ADDRESS` stand for a foreign user. */
const NESTED: readonly ['put' | 'post', string, object][] = [
  ...(['put', 'post'] as const).flatMap((method) =>
    ['email_users', 'sms_users'].map((list): ['put' | 'post', string, object] => {
      return [method, '/api/org/adminalerts', { admin_alerts: [{ id: 1, [list]: ['ID'] }] }];
    }),
  ),
  ...['watcher\nname: Foreign\nchips: [cpu]', 'admin_alert\ncode: no_data'].map((object): ['post', string, object] => {
    return ['post', '/api/config/apply', { document: `kind: ${object}\nemail_users: [ADDRESS]` }];
  }),
];

/** Columns that record when and how often something was used, instead of data of an organisation. */
const VOLATILE_COLUMNS = new Set(['last_seen_at', 'cookie_renewed_at', 'last_used_at', 'due_at']);

describe('tenancy', () => {
  let app: WholeApp;
  let ownerId: number;
  /** Values of each reference: rows of the other organisation. */
  let foreign: Record<string, readonly string[]>;
  /** Rows of the caller, for other placeholders in paths. */
  let own: Record<string, string> = {};
  let callers: { name: string; credential: () => Promise<Headers> }[];

  beforeAll(async () => {
    app = await WholeApp.create();
    const owner = await app.anOrg('Owner');
    ownerId = owner.id;
    const person = await app.aUser(owner.id, { admin: true });
    const token = (await app.tokenOf(owner.id))['X-Auth-Token']!;
    const mine = { 'X-Session-Id': (await app.sessionOf(person.id))['X-Session-Id']! };
    const now = Math.floor(Date.now() / 1000);
    const name = 'owner.cpu';
    const [metric] = await app.query<{ id: number }>(
      `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source, last_timestamp, resolution_seconds)
       VALUES ($1, $2, $3, $2, '{}', 'gauge', 'last', 'http', $4, 60) RETURNING id`,
      [owner.id, name, createHash('sha256').update(name).digest(), now],
    );
    const [anomaly] = await app.query<{ id: number }>(
      `INSERT INTO anomaly (org_id, metric_id, start_timestamp, peak_timestamp, score, severity, kind, state)
       VALUES ($1, $2, $3, $3, 0.8, 40, 'spike', 'open') RETURNING id`,
      [owner.id, metric!.id, now - 600],
    );
    const [training] = await app.query<{ id: number }>(
      `INSERT INTO training (org_id, anomaly_id, expected, durations, prior_state, prior_positive)
       VALUES ($1, $2, true, '{86400}', 'open', false) RETURNING id`,
      [owner.id, anomaly!.id],
    );
    const [pattern] = await app.query<{ id: number }>(
      `INSERT INTO pattern (org_id, metric_id, anomaly_id, training_id, origin, duration, part_start, part_end, fine_start,
         fine_step, fine, context_start, context_step, context, starts, similarity_threshold)
       VALUES ($1, $2, $3, $4, 'trained', 86400, $5, $5, $5, 60, decode('00000000', 'hex'), $5, 600, decode('00000000', 'hex'), ARRAY[$5::float8], 0.95)
       RETURNING id`,
      [owner.id, metric!.id, anomaly!.id, training!.id, now - 600],
    );
    const [match] = await app.query<{ id: number }>(
      `INSERT INTO pattern_match (org_id, metric_id, pattern_id, start_timestamp, match_type, similarity, distance, shape_index,
         window_start, window_slots, area_percent, explanation, event)
       VALUES ($1, $2, $3, $4, 'motif', 0.97, 1, 0, $4, 1, 0, '', '{"score": 0.8}') RETURNING id`,
      [owner.id, metric!.id, pattern!.id, now - 300],
    );
    const [alert] = await app.query<{ id: number }>(
      `INSERT INTO alert (org_id, key, kind, state, content, created_at, updated_at)
       VALUES ($1, 'owner', 'anomaly', 'closed', '{"title": "of the owner"}', now(), now()) RETURNING id`,
      [owner.id],
    );
    const [delivery] = await app.query<{ id: number }>(
      `INSERT INTO alert_delivery (org_id, alert_id, message_id, life, phase, sequence, channel, recipient, mentions, lane,
         state, give_up_at, created_at, settled_at)
       VALUES ($1, $2, gen_random_uuid(), 1, 'opened', 1, 'webhook', '', '{}', 'owner', 'failed', now(), now(), now())
       RETURNING id`,
      [owner.id, alert!.id],
    );
    /** Creates a row by its route and returns its id. */
    const create = async (path: string, member: string, sent: object): Promise<string> => {
      const { body } = (await app.http().post(path).set(mine).send(sent)) as {
        body: { data: Record<string, { id: number } | undefined> };
      };
      return String(body.data[member]!.id);
    };
    const progress = await app.http().get('/api/progress').set(mine);
    const progressIds = (progress.body as { data: { progress?: { id: number }[] } }).data.progress?.map(({ id }) =>
      String(id),
    );
    const metricNames = [name, `id:${String(metric!.id)}`];
    foreign = {
      anomaly_id: [String(anomaly!.id)],
      delivery_id: [String(delivery!.id)],
      exclusion_id: [await create('/api/exclusion', 'exclusion', { chips: ['owner'], type_id: 4 })],
      match_id: [String(match!.id)],
      watcher_id: [await create('/api/watcher', 'watcher', { chips: ['selects-nothing'] })],
      source_id: [
        await create('/api/source', 'source', {
          ...{ name: 'theirs', type: 'promql', url: 'http://127.0.0.1:1', query: 'up', enabled: false },
        }),
      ],
      tuning_id: [await create('/api/tuning', 'tuning', { chips: ['selects-nothing'], sensitivity: 0.5 })],
      metric: metricNames,
      metric_name: metricNames,
      pattern_id: [String(pattern!.id)],
      progress_id: progressIds ?? ['1'],
      token_id: [token, 'ref:1'],
      user_id: [String(person.id)],
      users: [String(person.id)],
    };

    while (foreign.incident_id === undefined) {
      // The process also groups anomalies on its own.
      await app.get(IncidentGroupingService).run();
      const [incident] = await app.query<{ id: number }>('SELECT id FROM incident WHERE org_id = $1', [owner.id]);
      if (incident) foreign.incident_id = [String(incident.id)];
    }
    await app.get(EventRecorderService).flush();

    const other = await app.anOrg('Other');
    const [admin, user, demo] = [
      await app.aUser(other.id, { admin: true }),
      await app.aUser(other.id),
      await app.aDemoUser(other.id),
    ];
    const all = await app.tokenOf(other.id);
    const threshold = { chips: ['selects-nothing'], algorithm: 'above', value: 1 };
    const created = await app.http().post('/api/watcher/threshold').set(all).send(threshold);
    own = { watcher_id: String((created.body as { data: { watcher: { id: number } } }).data.watcher.id) };
    // The initial watchers and their budgets are created here, so that nothing changes in the background from here on.
    await allByHand(app);
    await app.get(WatcherStartService).run();
    while (!(await areBudgetsReckoned())) await app.get(WatcherBudgetsService).run();
    callers = [
      { name: 'administrator', credential: () => app.sessionOf(admin.id) },
      { name: 'user', credential: () => app.sessionOf(user.id) },
      { name: 'demo user', credential: () => app.sessionOf(demo.id) },
      { name: 'token with all permissions', credential: async () => all },
    ];
  });
  afterAll(() => app.close());

  async function areBudgetsReckoned(): Promise<boolean> {
    const left = await app.query(
      'SELECT 1 FROM watcher WHERE alert AND alert_budget_per_week IS NOT NULL AND budget_achieved IS NULL',
    );
    return left.length === 0;
  }

  let possessionsQuery: Promise<string> | undefined;

  /** Hashes of all rows of the owner by table. A single query, because it runs before and after each call. */
  async function possessions(): Promise<Record<string, string>> {
    const rows = await app.query<{ table: string; hash: string }>(await (possessionsQuery ??= queryOfPossessions()), [
      ownerId,
    ]);
    return Object.fromEntries(rows.map(({ table, hash }) => [table, hash]));
  }

  async function queryOfPossessions(): Promise<string> {
    const columns = await app.query<{ table: string; column: string }>(
      `SELECT c.table_name AS "table", c.column_name AS "column"
         FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' ORDER BY 1, 2`,
    );
    const tables = new Map<string, string[]>();
    for (const { table, column } of columns) tables.set(table, [...(tables.get(table) ?? []), column]);
    const parts = [...tables].flatMap(([table, names]) => {
      const owned = ownedBy(table, names);
      if (owned === undefined) return [];
      const shown = names.filter((column) => !VOLATILE_COLUMNS.has(column)).map((column) => `"${column}"`);
      return [
        `SELECT '${table}' AS "table", coalesce(md5(string_agg(r::text, '|' ORDER BY r::text)), 'nothing') AS hash
           FROM (SELECT ${shown.join(', ')} FROM "${table}" WHERE ${owned}) AS r`,
      ];
    });
    return parts.join(' UNION ALL ');
  }

  function ownedBy(table: string, columns: readonly string[]): string | undefined {
    if (table === 'org') return 'id = $1';
    if (columns.includes('org_id')) return 'org_id = $1';
    if (columns.includes('user_id')) return 'user_id IN (SELECT id FROM user_account WHERE org_id = $1)';
    return undefined;
  }

  it('classifies every parameter that looks like a reference', () => {
    const names = new Set(OPERATIONS.flatMap(({ names: all }) => all.map(({ name }) => name)));
    const unknown = [...names].filter(
      (name) => LOOKS_LIKE_REFERENCE.test(name) && !(name in REFERENCES) && !(name in NO_REFERENCES),
    );
    expect(unknown).toEqual([]);
  });

  it('finds the rows of the owner in the tables', async () => {
    const owned = Object.entries(await possessions()).filter(([, hash]) => hash !== 'nothing');
    expect(owned.map(([table]) => table)).toEqual(
      expect.arrayContaining(['anomaly', 'exclusion', 'metric', 'org', 'session', 'token', 'user_account']),
    );
  });

  async function answerTo(call: Call, value: string, credential: Headers): Promise<string> {
    const values = Object.fromEntries(call.required.map((name) => [name, own[name] ?? NEEDED[name] ?? '1']));
    const inPath = (place: string): string => (call.isInPath ? value : (own[place] ?? '1'));
    const path = call.path.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(inPath(place)));
    const parameters = call.isInPath ? values : { ...values, [call.reference]: value };
    const request = app.http()[call.method](path).set(credential);
    const isQuery = call.method === 'get' || call.method === 'delete';
    const answer = await (isQuery ? request.query(parameters) : request.send(parameters));
    const error = (
      answer.body as { data?: { error?: { code: string; details: { code: string; field: string | null }[] } } }
    ).data?.error;
    const detail = error?.details.map(({ code }) => code).join() ?? '';
    return `${String(answer.status)} ${error?.code ?? 'answered'} ${error?.code === 'validation_failed' ? detail : ''}`.trim();
  }

  const walked = CALLS.filter(({ path }) => isWalked(path));
  it.each(walked.map((call) => [`${call.method.toUpperCase()} ${call.path} with ${call.reference}`, call] as const))(
    '%s',
    async (_, call) => {
      const before = await possessions();
      const values = foreign[call.reference] ?? foreign.users!;
      const want =
        REFERENCES[call.reference] === 'unknown_user' ? '400 validation_failed unknown_user' : '404 not_found';
      for (const { name, credential } of callers) {
        for (const value of values) {
          const got = await answerTo(call, value, await credential());
          // A caller without permission for the route gets 403, regardless of the row.
          if (/^403 (permission_denied|demo_account|session_required)$/.test(got)) continue;
          expect([name, value, got]).toEqual([name, value, want]);
        }
      }
      expect(await possessions()).toEqual(before);
    },
  );

  it.each(NESTED)('%s %s rejects a foreign user in %j', async (method, path, body) => {
    const before = await possessions();
    const [id] = foreign.user_id!;
    const [{ email } = { email: '' }] = await app.query<{ email: string }>(
      'SELECT email FROM user_account WHERE id = $1',
      [Number(id)],
    );
    const sent = JSON.parse(JSON.stringify(body).replaceAll('"ID"', id!).replaceAll('ADDRESS', email)) as object;
    for (const { name, credential } of callers) {
      const answer = await app
        .http()
        [method](path)
        .set(await credential())
        .send(sent);
      if (answer.status === 403) continue;
      const { error } = (answer.body as { data: { error?: { code: string; details: { code: string }[] } } }).data;
      const codes = error?.details.map(({ code }) => code);
      expect([name, answer.status, codes]).toEqual([name, 400, ['unknown_user']]);
    }
    expect(await possessions()).toEqual(before);
  });

  it('covers every call with a placeholder', () => {
    const served = new Set(CALLS.filter(({ isInPath }) => isInPath).map(({ path }) => path.replace(/\{\w+\}/g, '{}')));
    const withPlace = Object.keys(PATHS).filter((path) => path.includes('{') && !PATHS_WITHOUT_ROW.has(path));
    const left = withPlace.map((path) => path.replace(/\{\w+\}/g, '{}')).filter((path) => !served.has(path));
    expect(left).toEqual([]);
  });
});
