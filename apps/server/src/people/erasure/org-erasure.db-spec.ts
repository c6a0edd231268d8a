import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { OrgService } from '../org/org.service.js';
import { ErasureModule } from './erasure.module.js';
import { OrgErasureService } from './org-erasure.service.js';
import { OrgErasureWorkerService } from './org-erasure-worker.service.js';

const MINUTE = 60;

let app: MetricApp;
let worker: OrgErasureWorkerService;

beforeAll(async () => {
  app = await MetricApp.create({}, [ErasureModule]);
  worker = await app.byHand(OrgErasureWorkerService);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  await app.database.dataSource.query('DELETE FROM leaving_series');
});

/** An organisation with data in every area; returns its id and those of its metrics. */
async function anActiveOrg(metrics = 3): Promise<{ orgId: number; metricIds: number[] }> {
  const orgId = (await app.anOrg()).id;
  const user = await app.aUser(orgId, 'Ann');
  await app.aSession(user.id);
  await app.get(OrgService).addRecipient(orgId, user.id, ['email']);
  const token = await app.aToken(orgId, Permission.Write, Permission.Read);
  await app.call('post', '/exclusion', { token }, { type_id: 3, chips: 'web-1' });
  const metricIds: number[] = [];
  for (let i = 0; i < metrics; i++) {
    const id = await app.aMetric(orgId, `web-${String(i)}.cpu`);
    await app.anAnomaly(orgId, id, START - MINUTE);
    metricIds.push(id);
    await write(id);
  }
  app.get(EventRecorderService).record({ orgId, type: 'custom', level: 'info', message: 'Something happened.' });
  await app.get(EventRecorderService).flush();
  return { orgId, metricIds };
}

const write = (id: number): Promise<void> =>
  app.series.write({
    ids: Uint32Array.of(id),
    timestamps: Float64Array.of(START - MINUTE),
    values: Float64Array.of(1),
  });

const points = async (id: number): Promise<number> => (await app.series.readRaw(id, 0, START)).timestamps.length;

const begin = (orgId: number): Promise<void> => app.get(OrgErasureService).begin(orgId, SYSTEM_ACTOR);

/** Number of rows of an organisation by table, in all tables with an organisation. */
async function rowsOf(orgId: number): Promise<Record<string, number>> {
  const { dataSource } = app.database;
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT DISTINCT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'org_id'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of [...tables, { name: 'org' }]) {
    const column = name === 'org' ? 'id' : 'org_id';
    const [row] = await dataSource.query<{ n: number }[]>(
      `SELECT count(*)::integer AS n FROM "${name}" WHERE ${column} = $1`,
      [orgId],
    );
    if (row!.n > 0) counts[name] = row!.n;
  }
  return counts;
}

describe('the erasure of a deleted organisation', () => {
  it('removes all its rows and points, and nothing of other organisations', async () => {
    const deleted = await anActiveOrg();
    const staying = await anActiveOrg();
    const before = await rowsOf(staying.orgId);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        'org',
        'user_account',
        'token',
        'metric',
        'anomaly',
        'exclusion',
        'org_event',
        'org_recipient',
      ]),
    );
    await begin(deleted.orgId);
    // Processes with a cached token still accept its points for a while.
    await worker.run();
    expect(await points(deleted.metricIds[0]!)).toBe(1);

    app.clock.seconds = START + 30;
    expect(await worker.run()).toBe(true);
    expect(await rowsOf(deleted.orgId)).toEqual({});
    expect(await rowsOf(staying.orgId)).toEqual(before);
    for (const id of deleted.metricIds) expect(await points(id)).toBe(0);
    for (const id of staying.metricIds) expect(await points(id)).toBe(1);
  });

  it('also removes points that arrived after the deletion', async () => {
    const { orgId, metricIds } = await anActiveOrg(1);
    await begin(orgId);
    app.clock.seconds = START + 30;
    await worker.run();
    await write(metricIds[0]!);
    app.clock.seconds += 3599;
    await worker.run();
    expect(await points(metricIds[0]!)).toBe(1);
    app.clock.seconds += 1;
    await worker.run();
    expect(await points(metricIds[0]!)).toBe(0);
    expect(await app.database.dataSource.query('SELECT 1 FROM leaving_series')).toEqual([]);
  });

  it('is completed by a later run after a failure', async () => {
    const { orgId, metricIds } = await anActiveOrg(2);
    await begin(orgId);
    app.clock.seconds = START + 30;
    const erase = app.series.erase.bind(app.series);
    app.series.erase = () => Promise.reject(new Error('The disk is away'));
    await expect(worker.run()).rejects.toThrow('The disk is away');
    app.series.erase = erase;
    expect(await rowsOf(orgId)).toHaveProperty('org');
    await worker.run();
    expect(await rowsOf(orgId)).toEqual({});
    for (const id of metricIds) expect(await points(id)).toBe(0);
  });

  it('runs in one process at a time', async () => {
    const lock = await app.get(AdvisoryLocks).tryAcquire(0x706c_0012, 0);
    expect(await worker.run()).toBe(false);
    await lock!.release();
    expect(await worker.run()).toBe(true);
  });

  it('covers more metrics than one step', async () => {
    const orgId = (await app.anOrg()).id;
    await app.database.dataSource.query(
      `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source)
       SELECT $1, 'm' || i, sha256(('m' || i)::bytea), 'm' || i, '{}', 'gauge', 'last', 'http' FROM generate_series(1, 401) i`,
      [orgId],
    );
    await begin(orgId);
    app.clock.seconds = START + 30;
    await worker.run();
    expect(await rowsOf(orgId)).toEqual({});
  });
});

describe('a trial organisation', () => {
  it('is deleted when its time has expired', async () => {
    const { orgId } = await anActiveOrg(1);
    await app.get(OrgService).setWipe(orgId, START + 100);
    app.clock.seconds = START + 99;
    await worker.run();
    expect(await app.get(OrgService).find(orgId)).not.toBeNull();
    app.clock.seconds = START + 100;
    await worker.run();
    expect(await app.get(OrgService).find(orgId)).toBeNull();
    app.clock.seconds = START + 131;
    await worker.run();
    expect(await rowsOf(orgId)).toEqual({});
  });
});
