import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { Transactions } from '../../common/database/transactions.js';
import { currentRequest, RequestContext } from '../../common/http/request-context.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditTrailRepository } from './audit-trail.repository.js';
import { AuditTrailService } from './audit-trail.service.js';
import { type AuditAct, OPERATOR_ACTOR, SYSTEM_ACTOR } from './audit.types.js';

let database: TestDatabase;
let repository: AuditTrailRepository;
let trail: AuditTrailService;
let orgId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  repository = new AuditTrailRepository(database.dataSource.getRepository(AuditEntryEntity));
  trail = new AuditTrailService(repository, new HandClock());
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.dataSource.query('DELETE FROM org');
  orgId = (await query<{ id: number }>(`INSERT INTO org (name) VALUES ('Test') RETURNING id`))[0]!.id;
});

function query<T>(sql: string, parameters?: unknown[]): Promise<T[]> {
  return database.dataSource.query(sql, parameters);
}

function entries(): Promise<AuditEntryEntity[]> {
  return database.dataSource.getRepository(AuditEntryEntity).find({ order: { id: 'ASC' } });
}

const act = (given: Partial<AuditAct> = {}): AuditAct => ({
  orgId,
  actor: OPERATOR_ACTOR,
  action: 'thing.change',
  object: { type: 'thing', id: '7', name: 'Seven' },
  ...given,
});

describe('AuditTrailService', () => {
  it('stores the action with actor, address and request id', async () => {
    const [user] = await query<{ id: number }>(
      `INSERT INTO user_account (org_id, name, email, state) VALUES ($1, 'Ann', 'ann@example.org', 'active') RETURNING id`,
      [orgId],
    );
    const context = new RequestContext('request-1');
    context.address = '192.0.2.4';
    const changes = [{ field: 'name', before: null, after: 'Seven' }];
    await currentRequest.run(context, () => trail.record(act({ actor: { type: 'user', userId: user!.id }, changes })));
    expect(await entries()).toEqual([
      {
        id: expect.any(String) as string,
        orgId,
        happenedAt: new Date((START + 0.25) * 1000),
        actorType: 'user',
        actorUserId: user!.id,
        actorTokenRef: null,
        actorName: 'Ann',
        ip: '192.0.2.4',
        action: 'thing.change',
        objectType: 'thing',
        objectId: '7',
        objectName: 'Seven',
        changes,
        requestId: 'request-1',
      },
    ]);
  });

  it('stores the name of every kind of actor, with the e-mail address for a user without name', async () => {
    const [user] = await query<{ id: number }>(
      `INSERT INTO user_account (org_id, email, state) VALUES ($1, 'bob@example.org', 'active') RETURNING id`,
      [orgId],
    );
    const [token] = await query<{ ref: number }>(
      `INSERT INTO token (org_id, hash, sealed, name, permissions, created_at) VALUES ($1, '\\x00', '', 'deploy', 16, now()) RETURNING ref`,
      [orgId],
    );
    await trail.record(act({ actor: { type: 'user', userId: user!.id } }));
    await trail.record(act({ actor: { type: 'token', tokenRef: token!.ref } }));
    await trail.record(act({ actor: SYSTEM_ACTOR }));
    await trail.record(act());
    await query('DELETE FROM user_account WHERE id = $1', [user!.id]);
    const found = await entries();
    expect(found.map(({ actorName }) => actorName)).toEqual(['bob@example.org', 'deploy', 'Plumbline', 'Operator']);
    expect(found.map(({ ip, requestId }) => ip ?? requestId)).toEqual([null, null, null, null]);
  });

  it('stores nothing of an action that was rolled back', async () => {
    const transactions = new Transactions(database.dataSource);
    const failing = transactions.run(async (tx) => {
      await trail.record(act(), tx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await entries()).toEqual([]);
  });
});

describe('the table of audit entries', () => {
  const insertFrom = (age: string) =>
    query(
      `INSERT INTO audit_entry (org_id, happened_at, actor_type, actor_name, action, object_type, object_id, object_name, changes)
       VALUES ($1, now() - $2::interval, 'system', '', 'thing.change', 'thing', '1', '', '[]')`,
      [orgId, age],
    );

  it.each([
    ['UPDATE audit_entry SET action = action'],
    ['DELETE FROM audit_entry'],
    ['TRUNCATE audit_entry'],
    ['TRUNCATE org CASCADE'],
  ])('rejects %s', async (sql) => {
    await insertFrom('399 days');
    await expect(query(sql)).rejects.toThrow(/audit entries are/);
    expect(await entries()).toHaveLength(1);
  });

  it('is deleted with its organisation', async () => {
    await trail.record(act());
    await query('DELETE FROM org WHERE id = $1', [orgId]);
    expect(await entries()).toEqual([]);
  });

  it('deletes entries older than 400 days in batches', async () => {
    for (const age of ['500 days', '401 days', '400 days 1 second', '399 days 23 hours']) await insertFrom(age);
    expect(await repository.forgetExpired(0, 2)).toBe(2);
    expect(await repository.forgetExpired(0, 2)).toBe(1);
    expect(await repository.forgetExpired(0, 2)).toBe(0);
    expect(await entries()).toHaveLength(1);
  });
});
