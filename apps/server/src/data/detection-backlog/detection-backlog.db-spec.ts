import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { batch } from '../../../../../libs/point-log/src/point-log.contract.js';
import { type PointLog, PostgresPointLog } from '#libs/point-log';
import { ServerConfig } from '../../common/config/server.config.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { DetectionBacklogRepository } from './detection-backlog.repository.js';
import { DetectionBacklogService } from './detection-backlog.service.js';

describe('the detection backlog', () => {
  let database: TestDatabase;
  let clock: HandClock;
  let backlog: DetectionBacklogService;
  let log: PointLog;

  beforeEach(async () => {
    database = await createTestDatabase();
    clock = new HandClock(START, 0);
    log = await PostgresPointLog.open({ connectionString: database.url, now: () => clock.now(), partitions: 2 });
    const repository = new DetectionBacklogRepository(database.dataSource);
    backlog = new DetectionBacklogService(repository, log, clock, new ServerConfig(), new MetricsRegistry());
  });

  afterEach(async () => {
    await log.close();
    await database.drop();
  });

  const applied = async (partition: number, position: number) =>
    database.dataSource.query(
      `INSERT INTO detection_checkpoint ("partition", epoch, applied_position) VALUES ($1, 1, $2)
       ON CONFLICT ("partition") DO UPDATE SET applied_position = $2`,
      [partition, position],
    );

  it('is empty before the first append', async () => {
    await backlog.refresh();
    expect([backlog.points, backlog.lagSeconds]).toEqual([0, 0]);
  });

  it('counts unapplied points of all partitions, and the age of the oldest', async () => {
    await log.append(batch([1, 10, 1], [2, 10, 1], [3, 10, 1]), 'live');
    clock.seconds += 5;
    await log.append(batch([1, 20, 1]), 'live');
    clock.seconds += 2;
    await backlog.refresh();
    expect([backlog.points, backlog.lagSeconds]).toEqual([4, 7]);

    const [first, second] = await log.read(1, 0, 100);
    await applied(1, first!.position);
    await applied(0, (await log.read(0, 0, 100))[0]!.position);
    await backlog.refresh();
    expect([backlog.points, backlog.lagSeconds]).toEqual([1, 2]);
    await applied(1, second!.position);
    await backlog.refresh();
    expect([backlog.points, backlog.lagSeconds]).toEqual([0, 0]);
  });

  it('does not count ticks', async () => {
    await log.append(batch(), 'tick');
    clock.seconds += 60;
    await backlog.refresh();
    expect(backlog.lagSeconds).toBe(0);
  });

  it('keeps its figures while the database is unreachable', async () => {
    await log.append(batch([1, 10, 1]), 'live');
    await backlog.refresh();
    await database.dataSource.query('ALTER TABLE point_log RENAME TO point_log_away');
    await backlog.refresh();
    expect(backlog.points).toBe(1);
  });
});
