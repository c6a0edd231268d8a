import { Logger } from '@nestjs/common';
import { parseJetStreamUrl, openJetStreamPointLog, type PointLog, PostgresPointLog } from '#libs/point-log';
import { ServerConfig } from '../../apps/server/src/common/config/server.config.js';
import { Transactions } from '../../apps/server/src/common/database/transactions.js';
import { ReadinessRegistry } from '../../apps/server/src/common/telemetry/readiness.js';
import { PointLogOpeningService } from '../../apps/server/src/platform/storage/point-log-opening.service.js';
import { PointLogPlaceRepository } from '../../apps/server/src/platform/storage/point-log-place.repository.js';
import { StorageConfig } from '../../apps/server/src/platform/storage/storage.config.js';
import { PointLogPlaceError } from '../../apps/server/src/platform/storage/storage.errors.js';
import { batch } from '../../libs/point-log/src/point-log.contract.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { HandClock, START } from '../support/hand-clock.js';
import { type NatsServer, natsServer } from '../support/nats.js';

const PARTITIONS = 2;

describe('PointLogOpeningService', () => {
  let server: NatsServer;
  let database: TestDatabase;
  let opened: PointLog[];
  let readiness: ReadinessRegistry;
  let streams = 0;
  let stream: string;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    server = await natsServer();
  });
  afterAll(() => server.dispose());

  beforeEach(async () => {
    database = await createTestDatabase();
    opened = [];
    stream = `place-${String(++streams)}`;
  });
  afterEach(async () => {
    await close();
    await database.drop();
  });

  const close = async (): Promise<void> => {
    await Promise.all(opened.splice(0).map((log) => log.close()));
  };

  const inStreams = (parameters = ''): string => `nats://${server.host}?stream=${stream}${parameters}`;

  async function open(pointLogUrl?: string, partitions = PARTITIONS): Promise<PointLog> {
    const config = Object.assign(new StorageConfig(), { pointLogUrl, partitions });
    readiness = new ReadinessRegistry();
    const opening = new PointLogOpeningService(
      config,
      new PointLogPlaceRepository(database.dataSource),
      new Transactions(database.dataSource),
      new HandClock(START, 0),
      readiness,
      new ServerConfig(),
    );
    const log = await opening.open(database.url);
    opened.push(log);
    return log;
  }

  async function refusal(pointLogUrl?: string): Promise<string> {
    const error: unknown = await open(pointLogUrl).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PointLogPlaceError);
    return (error as Error).message;
  }

  /** Records that detection has stored and saved everything up to this position. */
  const detected = async (position: number): Promise<void> => {
    await database.dataSource.query(
      `INSERT INTO detection_checkpoint ("partition", epoch, position, applied_position)
       SELECT p, 1, $1, $1 FROM generate_series(0, $2::integer - 1) AS p
       ON CONFLICT ("partition") DO UPDATE SET position = $1, applied_position = $1`,
      [position, PARTITIONS],
    );
  };
  const positionIn = async (log: PointLog, after = 0): Promise<number> => (await log.read(1, after, 100))[0]!.position;

  it('opens the point log in the database, or at POINT_LOG_URL', async () => {
    expect(await open()).toBeInstanceOf(PostgresPointLog);
    await close();

    await (await open(inStreams())).append(batch([1, 10, 1]), 'live');

    const [{ records }] = await database.dataSource.query('SELECT count(*)::integer AS records FROM point_log');
    expect(records).toBe(0);
    expect(await readiness.run()).toEqual([expect.objectContaining({ name: 'point log', ok: true })]);
  });

  it('moves to JetStream once detection has read the database, and continues the positions', async () => {
    const table = await open();
    await table.append(batch([0, 10, 1], [1, 10, 1]), 'live');
    const position = await positionIn(table);
    await close();
    expect(await refusal(inStreams())).toMatch(/the database still holds 2 points.*without POINT_LOG_URL.*SIGTERM/);
    await detected(position);

    const log = await open(inStreams());
    await log.append(batch([1, 20, 1]), 'live');

    expect(await positionIn(log, position)).toBe(position + 1);
  });

  it('rejects appends of processes that were not restarted after the move', async () => {
    const before = await open();
    await open(inStreams());

    await expect(before.append(batch([1, 10, 1]), 'live')).rejects.toMatchObject({
      message: expect.stringMatching(/restart this process with POINT_LOG_URL/) as string,
      code: '55000',
    });
  });

  it('moves once when several processes start together', async () => {
    const [first, second] = await Promise.all([open(inStreams()), open(inStreams())]);
    await first.append(batch([1, 10, 1]), 'live');
    expect(await positionIn(second)).toBe(1);
  });

  it('rejects the database while the log is in JetStream, and another number of partitions', async () => {
    await open(inStreams());

    expect(await refusal()).toMatch(/is in NATS JetStream, and POINT_LOG_URL is not set.*move=postgresql/);
    await expect(open(inStreams(), 3)).rejects.toThrow(/of this installation has 2 partitions and was opened for 3/);
  });

  it('rejects streams that are missing or belong to another installation', async () => {
    await open(inStreams());
    await detected(500);
    const whole = stream;
    stream = `${whole}-empty`;
    expect(await refusal(inStreams())).toMatch(/holds no point log\..*Correct POINT_LOG_URL.*accept_loss=true/);
    await (await openJetStreamPointLog({ address: parseJetStreamUrl(inStreams()), now: () => START })).close();
    await expect(open(inStreams('&accept_loss=true'))).rejects.toThrow(/belong to another installation/);

    stream = `${whole}-new`;
    const log = await open(inStreams('&accept_loss=true'));
    await log.append(batch([1, 10, 1]), 'live');
    expect(await positionIn(log, 500)).toBe(501);
  });

  it('moves back to the database once detection has read the streams, and continues the positions', async () => {
    const log = await open(inStreams());
    await detected(700);
    await close();
    const again = await open(inStreams());
    await again.append(batch([1, 10, 1]), 'live');
    await close();
    expect(await refusal(inStreams('&move=postgresql'))).toMatch(/still holds 1 points.*without "move=postgresql"/);
    await detected(701);

    expect(await open(inStreams('&move=postgresql'))).toBeInstanceOf(PostgresPointLog);
    await close();
    const table = await open();
    await table.append(batch([1, 20, 1]), 'live');

    expect(await positionIn(table, 701)).toBeGreaterThan(701);
    expect(log).not.toBe(table);
    await close();
    await detected(10_000);
    const back = await open(inStreams());
    await back.append(batch([1, 30, 1]), 'live');
    expect(await positionIn(back, 10_000)).toBe(10_001);
  });
});
