import { type Server } from 'node:http';
import { Permission } from '#libs/contracts';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import {
  addressOf,
  CLIENT_KINDS,
  type ClientKind,
  connectMcp,
  type McpClient,
  type ToolResult,
} from '../../../../../test/support/mcp-clients.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { IncidentGroupingModule } from '../../analysis/incident/incident-grouping.module.js';
import { IncidentGroupingService } from '../../analysis/incident/incident-grouping.service.js';
import { SessionModule } from '../../people/session/session.module.js';
import { McpModule } from './mcp.module.js';

const TOOLS = [
  'explain_anomaly',
  'explain_incident',
  'find_metrics',
  'list_anomalies',
  'list_incidents',
  'preview_training',
  'read_series',
  'related_metrics',
];
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47];
const SLOT = 60;
const SLOTS = 9 * 24 * 60;

let app: MetricApp;
let base: string;
let orgId: number;
let token: string;
let metricId: number;
let anomalyId: number;
let incidentId: number;
const clients: McpClient[] = [];

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [IncidentGroupingModule, McpModule, SessionModule]);
  base = await addressOf(app.app.getHttpServer() as Server);
  orgId = (await app.anOrg({ timezone: 'Europe/Oslo' })).id;
  token = await app.aToken(orgId, Permission.Read);
  const first = START - (START % SLOT) - SLOTS * SLOT;
  metricId = await app.aMetric(orgId, 'latency{host="web-1"}', { labels: { host: 'web-1' } });
  await app.aMetric(orgId, 'requests{host="web-1"}', { labels: { host: 'web-1' } });
  const slots = Array.from({ length: SLOTS }, (_, row) => row);
  await app.series.write({
    ids: Uint32Array.from(slots, () => metricId),
    timestamps: Float64Array.from(slots, (row) => first + row * SLOT),
    // A quiet day with one peak of a minute.
    values: Float64Array.from(slots, (row) => (row === SLOTS - 125 ? 900 : 20 + (row % 7))),
  });
  await app.database.dataSource.query('UPDATE metric SET first_timestamp = $2, points = $3 WHERE id = $1', [
    ...[metricId, first, SLOTS],
  ]);
  anomalyId = await app.anAnomaly(orgId, metricId, START - 7500, START - 7200);
  while ((await app.database.dataSource.query<unknown[]>('SELECT 1 FROM anomaly_change LIMIT 1')).length > 0) {
    await app.get(IncidentGroupingService).run();
  }
  const [row] = await app.database.dataSource.query<[{ id: number }]>('SELECT id FROM incident');
  incidentId = row.id;
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await app.close();
});

async function connect(kind: ClientKind, credential = token): Promise<McpClient> {
  const client = await connectMcp(kind, base, credential);
  clients.push(client);
  return client;
}

const post = (headers: Record<string, string>, body: string | object): Promise<Response> =>
  fetch(`${base}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const withToken = () => ({ Authorization: `Bearer ${token}` });

describe.each(CLIENT_KINDS)('an MCP client of revision %s', (kind) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(kind);
  });
  const call = (name: string, given: Record<string, unknown> = {}): Promise<ToolResult> => client.call(name, given);

  it('lists only read-only tools, and picture templates', async () => {
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect((await client.templates()).sort()).toEqual([
      'plumbline://anomaly/{anomaly_id}/picture.png',
      'plumbline://metric/{metric}/picture.png',
    ]);
  });

  it('lists and explains anomalies in the time zone of the organisation', async () => {
    const { data, text } = await call('list_anomalies', { filter: ['host:web-1'], state: ['resolved'] });
    expect(data).toMatchObject({ total: 1, timezone: 'Europe/Oslo' });
    expect(data.anomalies[0]).toMatchObject({ id: anomalyId, metric: 'latency{host="web-1"}', kind: 'spike' });
    expect(data.anomalies[0].started).toMatch(/^2025-10-09T\d\d:\d\d:\d\d\+02:00$/);
    expect(text).toContain(`#${String(anomalyId)} latency{host="web-1"} spiked`);

    const explained = await call('explain_anomaly', { anomaly_id: anomalyId });
    expect(explained.data).toMatchObject({
      anomaly: { id: anomalyId, severity: 40 },
      incident: { id: incidentId },
      picture: `plumbline://anomaly/${String(anomalyId)}/picture.png`,
    });
    expect(explained.data.url).toMatch(new RegExp(`/anomaly/${String(anomalyId)}$`));
  });

  it('lists and explains incidents', async () => {
    expect((await call('list_incidents')).data).toMatchObject({ total: 1, incidents: [{ id: incidentId }] });
    const { data, text } = await call('explain_incident', { incident_id: incidentId });
    expect(data).toMatchObject({ incident: { id: incidentId }, anomalies: [{ id: anomalyId }] });
    expect(text).toContain('In the order in which they began:');
  });

  it('finds metrics and related metrics', async () => {
    const { data } = await call('find_metrics', { text: 'latency' });
    expect(data).toMatchObject({ total: 1, metrics: [{ id: metricId, labels: { host: 'web-1' } }] });
    const { data: related } = await call('related_metrics', { metric: 'latency{host="web-1"}' });
    expect(related.related).toMatchObject([{ metric: 'requests{host="web-1"}' }]);
  });

  it('reads a day in at most a hundred rows, with a peak of one minute in the summary', async () => {
    const { data, text } = await call('read_series', { metric: `id:${String(metricId)}` });
    expect(data.rows.length).toBeGreaterThan(50);
    expect(data.rows.length).toBeLessThanOrEqual(100);
    expect(data.summary.highest).toBe(900);
    expect(Math.max(...data.rows.map((row: number[]) => row[1]))).toBeLessThan(200);
    expect(data.anomalies).toMatchObject([{ id: anomalyId }]);
    expect(text.length).toBeLessThan(12_000);
    expect(data).toMatchObject({ columns: ['time', 'value', 'lowest', 'highest', ...EXPECTED_COLUMNS] });
  });

  it('reads pictures', async () => {
    const day = await client.readPicture(`plumbline://anomaly/${String(anomalyId)}/picture.png`);
    expect([...day.subarray(0, 4)]).toEqual(PNG_SIGNATURE);
    const name = encodeURIComponent('latency{host="web-1"}');
    const metric = await client.readPicture(`plumbline://metric/${name}/picture.png`);
    expect([...metric.subarray(0, 4)]).toEqual(PNG_SIGNATURE);
  });

  it('receives the error messages of the API', async () => {
    expect(await call('explain_anomaly', { anomaly_id: 987_654 })).toMatchObject({
      isError: true,
      text: 'There is no anomaly 987654.',
      data: { error: { code: 'not_found' } },
    });
    const late = await call('list_anomalies', { from: '2025-10-09T08:00:00Z', until: '2025-10-08T10:00:00Z' });
    expect(late).toMatchObject({ isError: true, data: { error: { code: 'validation_failed' } } });
    expect(late.text).toContain('until must be later than from');
    const untimely = await call('read_series', { metric: 'latency{host="web-1"}', from: 'yesterday' });
    expect(untimely).toMatchObject({ isError: true, text: expect.stringContaining('from must be a time') });
    const both = await call('find_metrics', {});
    expect(both).toMatchObject({ isError: true, text: expect.stringContaining('exactly one of text, filter') });
  });

  it('receives an error for arguments of wrong type, size or name', async () => {
    for (const given of [{ limit: 51 }, { limit: 'many' }, { state: ['closed'] }, { unknown: true }]) {
      const refused = await call('list_anomalies', given).catch((error: unknown) => ({
        isError: true,
        text: String(error),
      }));
      expect(refused.isError).toBe(true);
    }
  });

  it('previews a training only with write permission', async () => {
    expect(await call('preview_training', { anomaly_id: anomalyId })).toMatchObject({
      isError: true,
      text: expect.stringContaining('lacks the permission "write"'),
    });
    const writer = await connect(kind, await app.aToken(orgId, Permission.Read, Permission.Write));
    const { isError, data, text } = await writer.call('preview_training', { anomaly_id: anomalyId });
    expect({ isError, text }).toMatchObject({ isError: false, text: expect.stringContaining('Nothing was stored.') });
    expect(data).toMatchObject({ days: 30, timezone: 'Europe/Oslo' });
    const [{ count }] = await app.database.dataSource.query<[{ count: string }]>('SELECT count(*) FROM training');
    expect(count).toBe('0');
  });

  it('finds nothing of another organisation', async () => {
    const stranger = await connect(kind, await app.aToken((await app.anOrg()).id, Permission.Read));
    expect((await stranger.call('list_anomalies')).data.total).toBe(0);
    expect((await stranger.call('list_incidents')).data.total).toBe(0);
    expect((await stranger.call('find_metrics', { text: '*' })).data.total).toBe(0);
    for (const [name, given] of [
      ['explain_anomaly', { anomaly_id: anomalyId }],
      ['explain_incident', { incident_id: incidentId }],
      ['read_series', { metric: `id:${String(metricId)}` }],
      ['related_metrics', { metric: `id:${String(metricId)}` }],
      ['list_anomalies', { metric: `id:${String(metricId)}` }],
    ] as const) {
      expect(await stranger.call(name, given)).toMatchObject({ isError: true, data: { error: { code: 'not_found' } } });
    }
    for (const uri of [`anomaly/${String(anomalyId)}`, `metric/id:${String(metricId)}`]) {
      await expect(stranger.readPicture(`plumbline://${uri}/picture.png`)).rejects.toThrow(/There is no/);
    }
  });
});

const EXPECTED_COLUMNS = ['expected', 'expected_lower', 'expected_upper', 'anomalous'];

describe('POST /mcp', () => {
  it('accepts a token in X-Auth-Token', async () => {
    expect((await post({ 'X-Auth-Token': token }, LIST)).status).toBe(200);
  });

  it('reports the required authentication and scope for a missing or insufficient token', async () => {
    const bare = await post({}, LIST);
    expect(bare.status).toBe(401);
    expect(bare.headers.get('www-authenticate')).toBe('Bearer realm="Plumbline"');
    expect(await bare.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { data: { code: 'not_authenticated' } },
    });
    const sender = await post({ Authorization: `Bearer ${await app.aToken(orgId, Permission.Ingest)}` }, LIST);
    expect(sender.status).toBe(403);
    expect(sender.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="read"');
  });

  it('rejects sessions, which a browser would send automatically', async () => {
    const session = await app.aSession((await app.aUser(orgId, 'Ann')).id);
    expect((await post({ 'X-Session-Id': session }, LIST)).status).toBe(401);
    expect((await post({ Cookie: `session_id=${session}` }, LIST)).status).toBe(403);
  });

  it('rejects a foreign origin', async () => {
    const foreign = await post({ ...withToken(), Origin: 'https://evil.example' }, LIST);
    expect(foreign.status).toBe(403);
    expect(await foreign.json()).toMatchObject({ error: { data: { code: 'cross_site_refused' } } });
  });

  it('returns 405 for GET and DELETE, since there are no sessions', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${base}/mcp`, { method, headers: { ...withToken(), Accept: 'text/event-stream' } });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0' });
    }
  });

  it('limits size, depth and number of messages', async () => {
    expect((await post(withToken(), `{"a":"${'x'.repeat(1_100_000)}"}`)).status).toBe(413);
    for (const body of ['{', '[1', `${'['.repeat(200)}${']'.repeat(200)}`, `[${'{},'.repeat(2000)}{}]`]) {
      const answer = await post(withToken(), body);
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32_700 } }]);
    }
    expect(
      (
        await post(
          withToken(),
          [...Array(11)].map((_, id) => ({ ...LIST, id })),
        )
      ).status,
    ).toBe(400);
    expect((await post({ ...withToken(), 'Content-Type': 'text/plain' }, LIST)).status).toBe(415);
  });

  it('answers a batch of messages, as revision 2025-03-26 requires', async () => {
    const answer = await post(withToken(), [
      { ...LIST, id: 1 },
      { ...LIST, id: 2 },
    ]);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text.match(/"id":[12]\b/g)?.sort()).toEqual(['"id":1', '"id":2']);
  });

  it('counts each message against the rate limit of the API', async () => {
    const left = async (answer: Promise<Response>) => Number((await answer).headers.get('x-ratelimit-remaining'));
    const before = await left(post(withToken(), LIST));
    const batch = [1, 2, 3].map((id) => ({ ...LIST, id }));
    await post(withToken(), batch);
    // One for the batch, two for its other messages, one for the last call.
    expect(await left(fetch(`${base}/api/metrics`, { headers: withToken() }))).toBe(before - 4);
  });
});
