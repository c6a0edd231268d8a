import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';

let app: MetricApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg({ timezone: 'Europe/Oslo' })).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Write, Permission.Admin);
});

const list = (query = ''): Promise<Answer> => app.call('get', `/audit${query}`, { token });

/** Actions of people and programs, without those of the system, such as creating the tokens of these tests. */
async function acts(query = ''): Promise<Record<string, unknown>[]> {
  const { data } = await list(query);
  return (data as { entries: { actor: { type: string } }[] }).entries.filter(({ actor }) => actor.type !== 'system');
}

async function anAdmin(): Promise<{ id: number; session: string }> {
  const { id } = await app.aUser(orgId, 'Ann');
  await app.database.dataSource.query('UPDATE user_account SET admin = true WHERE id = $1', [id]);
  return { id, session: await app.aSession(id) };
}

describe('GET /audit', () => {
  it('shows who created and deleted a token, and never the token', async () => {
    const ann = await anAdmin();
    const createdToken = await app.call('post', '/org/tokens', ann, {
      name: 'agents',
      permissions: ['ingest'],
      valid_until: START + 3600,
    });
    const { id: secret, ref } = (createdToken.data as { token: { id: string; ref: number } }).token;
    app.clock.seconds += 60;
    await app.call('delete', `/org/tokens/${secret}`, { token });
    await app.call('delete', `/org/tokens/ref:${String(ref)}`, { token });
    const { data } = await list('?action=token.&object_type=token');
    const [deleted, created] = data.entries as Record<string, unknown>[];
    expect(created).toEqual({
      id: expect.any(Number) as number,
      timestamp: START,
      timestamp_string: 'October 9th 2025, 10:53',
      actor: { type: 'user', user_id: ann.id, display_name: 'Ann', token_ref: null },
      ip: '127.0.0.1',
      action: 'token.create',
      object: { type: 'token', id: String(ref), name: 'agents' },
      changes: [
        {
          field: 'permissions',
          before: null,
          after: { read: false, write: false, alert: false, ingest: true, admin: false },
        },
        { field: 'valid_until', before: null, after: START + 3600 },
      ],
      request_id: createdToken.headers['x-request-id'],
    });
    expect(deleted).toMatchObject({
      action: 'token.delete',
      actor: { type: 'token', user_id: null, display_name: 'a token', token_ref: expect.any(Number) as number },
      object: { id: String(ref), name: 'agents' },
      changes: [],
    });
    // Deleting it again adds no entry.
    expect(data.total).toBe(3);
    expect(JSON.stringify(data)).not.toContain(secret);
    expect(JSON.stringify(data)).not.toContain(secret.slice(-8));
  });

  it('shows exclusions', async () => {
    const added = await app.call('post', '/exclusion', { token }, { chips: ['job:batch'], type: 'alerting' });
    const id = (added.data as { exclusion: { id: number } }).exclusion.id;
    await app.call('delete', `/exclusion/${String(id)}`, { token });
    await app.call('delete', `/exclusion/${String(id)}`, { token });
    const [deleted, created, ...others] = await acts('?action=exclusion');
    expect(others).toEqual([]);
    expect(created).toMatchObject({
      action: 'exclusion.add',
      object: { type: 'exclusion', id: String(id), name: 'job:batch' },
      changes: [
        { field: 'type', before: null, after: expect.any(String) as string },
        { field: 'chips', before: null, after: ['job:batch'] },
        { field: 'reason', before: null, after: '' },
      ],
    });
    expect(deleted).toMatchObject({ action: 'exclusion.delete', object: { id: String(id) } });
  });

  it('shows removed and erased metrics, but no dry runs', async () => {
    const id = await app.aMetric(orgId, 'web-1.cpu');
    await app.aMetric(orgId, 'web-2.cpu');
    await app.call('post', '/org/removequotametrics', { token }, { chips: 'web-2', dry_run: true });
    await app.call('delete', '/metric/web-1.cpu', { token }, { dry_run: true });
    await app.call('post', '/org/removequotametrics', { token }, { chips: 'nothing-like-this' });
    expect(await acts('?action=metric.')).toEqual([]);
    await app.call('post', '/org/removequotametrics', { token }, { chips: 'web-2' });
    await app.call('delete', '/metric/web-1.cpu', { token });
    expect(await acts('?action=metric.')).toMatchObject([
      { action: 'metric.erase', object: { type: 'metric', id: String(id), name: 'web-1.cpu' } },
      {
        action: 'metric.remove',
        object: { type: 'metrics', id: '', name: 'web-2' },
        changes: [
          { field: 'count', before: 1, after: 0 },
          { field: 'names', before: ['web-2.cpu'], after: [] },
        ],
      },
    ]);
  });

  it('filters by time, user, action and type of object, in pages', async () => {
    const trail = app.get(AuditTrailService);
    const ann = await anAdmin();
    const record = (action: string, type: string, actor = SYSTEM_ACTOR) =>
      trail.record({ orgId, actor, action, object: { type, id: '1', name: '' } });
    app.clock.seconds = START - 7200;
    await record('a_b.create', 'one');
    app.clock.seconds = START - 3600;
    await record('axb.create', 'two', { type: 'user', userId: ann.id });
    await record('axb.delete', 'two');
    app.clock.seconds = START;
    const found = async (query: string) =>
      ((await list(`${query}&until=${String(START - 60)}`)).data.entries as { action: string }[]).map(
        ({ action }) => action,
      );
    expect(await found('?')).toEqual(['axb.delete', 'axb.create', 'a_b.create']);
    expect(await found(`?from=${String(START - 3600)}`)).toEqual(['axb.delete', 'axb.create']);
    expect(await found(`?user_id=${String(ann.id)}`)).toEqual(['axb.create']);
    // The filter is not a pattern: an underscore matches only an underscore.
    expect(await found('?action=a_b')).toEqual(['a_b.create']);
    expect(await found('?object_type=two&limit=1&offset=1')).toEqual(['axb.create']);
    const { data } = await list(`?until=${String(START - 60)}&limit=1`);
    expect(data).toMatchObject({ total: 3, limit: 1, offset: 0, from: START - 60 - 86_400, until: START - 60 });
  });

  it('is for administrators only, and shows nothing of other organisations', async () => {
    const other = (await app.anOrg()).id;
    const trail = app.get(AuditTrailService);
    const object = { type: 'thing', id: '1', name: '' };
    await trail.record({ orgId: other, actor: SYSTEM_ACTOR, action: 'thing.change', object });
    expect((await list('?action=thing')).data.total).toBe(0);
    const user = await app.aUser(orgId, 'Bob');
    expect((await app.call('get', '/audit', { session: await app.aSession(user.id) })).status).toBe(403);
    const reader = await app.aToken(orgId, Permission.Read, Permission.Write);
    expect((await app.call('get', '/audit', { token: reader })).status).toBe(403);
  });
});
