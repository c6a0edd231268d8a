import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';
import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { DemoApp } from '../../../../../test/support/demo-app.js';
import { OrgService } from '../../people/org/org.service.js';
import { ProgressService } from '../../people/progress/progress.service.js';
import { UserService } from '../../people/user/user.service.js';
import { DemoResetService } from './demo-reset.service.js';
import { CLEARED_TABLES, KEPT_TABLES } from './demo.repository.js';

const DAY = 86_400;

let app: DemoApp;
let orgId: number;
let adminsOrgId: number;

beforeAll(async () => {
  app = await DemoApp.create();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  await app.database.dataSource.query('DELETE FROM org');
  const { first, demos } = await app.begin();
  adminsOrgId = first.orgId;
  orgId = demos.find(([theme]) => theme === 'factory')![1];
});

const run = (id = orgId): Promise<boolean> => app.get(DemoResetService).runIfScheduled(id);
const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
  app.database.dataSource.query<T[]>(sql, parameters);
/** Unix seconds of a time of day in Berlin, `days` after the start. */
const berlin = (days: number, hour: number, minute = 0): number =>
  DateTime.fromSeconds(START, { zone: 'Europe/Berlin' })
    .plus({ days })
    .set({ hour, minute, second: 0 })
    .toUnixInteger();

async function aMetric(name: string): Promise<void> {
  await rows(
    `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source, created_at)
     VALUES ($1, $2, $3, $2, '{}', 'gauge', 'last', 'http', now())`,
    orgId,
    name,
    createHash('sha256').update(name).digest(),
  );
}

describe('the nightly reset of a demo', () => {
  it('runs once a night, at four in the time zone of the theme', async () => {
    expect(await run()).toBe(false);
    app.clock.seconds = berlin(1, 3, 59);
    expect(await run()).toBe(false);
    app.clock.seconds = berlin(1, 4, 1);
    expect(await run()).toBe(true);
    expect(await run()).toBe(false);
    app.clock.seconds = berlin(2, 3, 59);
    expect(await run()).toBe(false);
    // No process ran at that night, so the reset runs late.
    app.clock.seconds = berlin(4, 15);
    expect(await run()).toBe(true);
  });

  it('restores settings, and deletes everything that people have created', async () => {
    const before = (await rows('SELECT * FROM org WHERE id = $1', orgId))[0];
    await app.aToken(orgId, Permission.Ingest);
    const person = await app
      .get(UserService)
      .create({ orgId, email: 'op@example.org', password: 'correct horse battery', admin: true });
    await app.get(OrgService).addRecipient(orgId, person.id, ['email']);
    await app.get(ProgressService).create({ orgId, type: 'backfill', title: 'Sending' });
    await rows(
      `UPDATE org SET name = 'Mine', timezone = 'Asia/Tokyo', alerts_muted_until = now(), chat_api_token_sealed = 'x',
              metric_limit = 3, retention_1_period_seconds = 86400 WHERE id = $1`,
      orgId,
    );
    await rows(`INSERT INTO exclusion (org_id, type_id, chips) VALUES ($1, 2, '{cpu}')`, orgId);
    await aMetric('something.else');
    await aMetric('press.2.cycle_seconds');
    const visitor = await app.http().post('/api/signup/demo').send({ demo_org_id: orgId });
    expect(visitor.status).toBe(200);

    app.clock.seconds = START + DAY;
    expect(await run()).toBe(true);

    expect((await rows('SELECT * FROM org WHERE id = $1', orgId))[0]).toEqual(before);
    for (const table of CLEARED_TABLES)
      expect(await rows(`SELECT * FROM ${table} WHERE org_id = $1`, orgId)).toEqual([]);
    expect(await rows('SELECT name FROM metric WHERE org_id = $1', orgId)).toEqual([{ name: 'press.2.cycle_seconds' }]);
    expect(await rows(`SELECT 1 FROM progress WHERE org_id = $1 AND type = 'backfill'`, orgId)).toEqual([]);
    // A visitor is kept for seven days.
    expect(await rows('SELECT demo FROM user_account WHERE org_id = $1', orgId)).toEqual([{ demo: true }]);
    expect(
      await rows(`SELECT actor_type, changes FROM audit_entry WHERE org_id = $1 AND action = 'org.demo_reset'`, orgId),
    ).toMatchObject([
      { actor_type: 'system', changes: expect.arrayContaining([{ field: 'token', before: 1, after: 'put back' }]) },
    ]);
  });

  it('changes nothing in an unchanged organisation', async () => {
    app.clock.seconds = START + DAY;
    expect(await run()).toBe(true);
    expect(await rows('SELECT 1 FROM audit_entry WHERE org_id = $1', orgId)).toEqual([]);
  });

  it('never changes the organisation of the administrator or any other', async () => {
    const other = await app.anOrg();
    await rows(
      `INSERT INTO exclusion (org_id, type_id, chips) VALUES ($1, 2, '{cpu}'), ($2, 2, '{cpu}')`,
      adminsOrgId,
      other.id,
    );
    app.clock.seconds = START + 2 * DAY;
    for (const id of [adminsOrgId, other.id]) expect(await run(id)).toBe(false);
    await run();
    expect(await rows('SELECT 1 FROM exclusion')).toHaveLength(2);
    expect(await rows('SELECT 1 FROM token WHERE org_id = $1', adminsOrgId)).toHaveLength(2);
    expect(await rows('SELECT 1 FROM user_account WHERE org_id = $1', adminsOrgId)).toHaveLength(1);
  });

  it('lists every table with an organisation as cleared or kept', async () => {
    const tables = await rows<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'org_id' ORDER BY 1`,
    );
    const known = [...CLEARED_TABLES, ...Object.keys(KEPT_TABLES)].sort();
    expect(tables.map(({ name }) => name).sort()).toEqual(known);
  });
});
