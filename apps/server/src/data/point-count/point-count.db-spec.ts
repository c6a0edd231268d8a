import { AreaApp } from '../../../../../test/support/area-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { OrgPointCountRepository } from './org-point-count.repository.js';
import { PointCountModule } from './point-count.module.js';
import { PointCountsService } from './point-counts.service.js';

const DAY = 86_400;
/** A full hour. */
const HOUR = Math.floor(START / 3600) * 3600;

class CountsApp extends AreaApp {
  static async create(): Promise<CountsApp> {
    const clock = new HandClock();
    return new CountsApp(await this.start([PointCountModule], { clock }), clock);
  }
}

let app: CountsApp;
let counts: PointCountsService;

beforeAll(async () => {
  app = await CountsApp.create();
  counts = app.get(PointCountsService);
});
afterAll(() => app.close());
beforeEach(() => {
  app.clock.seconds = HOUR;
});

const stored = (orgId: number) =>
  app.database.dataSource.query<{ timestamp: number; points: number }[]>(
    'SELECT timestamp, points FROM org_point_count WHERE org_id = $1 ORDER BY timestamp',
    [orgId],
  );

describe('PointCountsService', () => {
  it('stores sums per five minutes and organisation across several flushes', async () => {
    const [one, other] = [await app.anOrg(), await app.anOrg()];
    counts.record(one.id, 10);
    counts.record(one.id, 5);
    counts.record(other.id, 1);
    counts.record(other.id, 0);
    await counts.flush();
    app.clock.seconds = HOUR + 299;
    counts.record(one.id, 1);
    app.clock.seconds = HOUR + 300;
    counts.record(one.id, 100);
    await counts.flush();
    await counts.flush();
    expect(await stored(one.id)).toEqual([
      { timestamp: HOUR, points: 16 },
      { timestamp: HOUR + 300, points: 100 },
    ]);
    expect(await stored(other.id)).toEqual([{ timestamp: HOUR, points: 1 }]);
  });

  it('stores other counts when an organisation no longer exists', async () => {
    const { id } = await app.anOrg();
    counts.record(999_999, 7);
    counts.record(id, 3);
    await counts.flush();
    expect(await stored(id)).toEqual([{ timestamp: HOUR, points: 3 }]);
  });

  it('keeps counts while the database rejects them', async () => {
    const { id } = await app.anOrg();
    await app.database.dataSource.query('ALTER TABLE org_point_count RENAME TO elsewhere');
    counts.record(id, 4);
    await counts.flush();
    counts.record(id, 4);
    await app.database.dataSource.query('ALTER TABLE elsewhere RENAME TO org_point_count');
    await counts.flush();
    expect(await stored(id)).toEqual([{ timestamp: HOUR, points: 8 }]);
  });

  it('merges old counts into hours, and finally deletes them', async () => {
    const { id } = await app.anOrg();
    const repository = app.get(OrgPointCountRepository);
    const at = (timestamp: number, points: number) => repository.addCounts([{ orgId: id, timestamp, points }]);
    await at(HOUR - 1000 * DAY, 1);
    await at(HOUR - 10 * DAY, 2);
    await at(HOUR - 10 * DAY + 600, 3);
    await at(HOUR - 10 * DAY + 3300, 4);
    await at(HOUR - DAY + 300, 5);
    await app.get(PointCountsService).tidyUp(app.clock.now());
    const expected = [
      { timestamp: HOUR - 10 * DAY, points: 9 },
      { timestamp: HOUR - DAY + 300, points: 5 },
    ];
    expect(await stored(id)).toEqual(expected);
    app.clock.seconds = HOUR + 3600;
    await app.get(PointCountsService).tidyUp(app.clock.now());
    expect(await stored(id)).toEqual(expected);
  });
});
