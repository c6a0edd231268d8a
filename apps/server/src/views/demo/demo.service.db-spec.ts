import { DemoApp } from '../../../../../test/support/demo-app.js';
import { until } from '../../../../../test/support/product.js';
import { FirstStartService } from '../../people/setup/first-start.service.js';
import { PointCountsService } from '../../data/point-count/point-counts.service.js';
import { DemoService } from './demo.service.js';

const LOCK_SPACE = 0x706c_0005;

let app: DemoApp;
let orgId: number;
let logLines: string[];

beforeEach(async () => {
  app = await DemoApp.create();
  orgId = (await app.get(FirstStartService).run())!.orgId;
  logLines = [];
});
afterEach(() => app.close());

const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
  app.database.dataSource.query<T[]>(sql, parameters);
const waitFor = (what: string, holds: () => boolean | Promise<boolean>): Promise<true> =>
  until(what, async () => ((await holds()) ? true : undefined));
const start = (): Promise<void> => app.get(DemoService).start((line) => void logLines.push(line));
const hasLogged = (text: string) => (): boolean => logLines.some((line) => line.includes(text));

/** Whether this process holds the lock of the demo. */
async function isFed(): Promise<boolean> {
  const [found] = await rows<{ held: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $2 AND objid = $1 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS held`,
    orgId,
    LOCK_SPACE,
  );
  return found!.held;
}

async function countedPoints(): Promise<number> {
  await app.get(PointCountsService).flush();
  const [found] = await rows<{ points: number }>(
    'SELECT coalesce(sum(points), 0)::float8 AS points FROM org_point_count WHERE org_id = $1',
    orgId,
  );
  return found!.points;
}

describe('the points of a demo', () => {
  it('are counted for the organisation, like those of other senders', async () => {
    await start();
    await waitFor('the history to be sent', hasLogged('learning the history'));
    const { series } = /of (?<series>\d+) series/.exec(logLines.join('\n'))!.groups!;
    const day = 86_400 / 60;
    const points = await countedPoints();
    // Series that fall silent send fewer points.
    expect(points).toBeGreaterThan(9 * day * Number(series));
    // Ten days, and some more hours if a job would run in the first ones.
    expect(points).toBeLessThan(10.5 * day * Number(series));
  });

  it('stop during the history when the organisation is deleted', async () => {
    await start();
    await waitFor('a part of the history to be sent', hasLogged('10 %'));
    expect(await isFed()).toBe(true);
    await rows('UPDATE org SET deleted_at = now() WHERE id = $1', orgId);
    await waitFor('the demo to end', async () => !(await isFed()));
    expect(hasLogged('100 %')()).toBe(false);
    expect(hasLogged('ready')()).toBe(false);
  });

  it('are no longer awaited when the organisation is deleted while they are being learnt', async () => {
    await start();
    await waitFor('the history to be sent', hasLogged('learning the history'));
    await rows('UPDATE org SET deleted_at = now() WHERE id = $1', orgId);
    await waitFor('the demo to end', async () => !(await isFed()));
    expect(hasLogged('Demo: ready')()).toBe(false);
  });
});
