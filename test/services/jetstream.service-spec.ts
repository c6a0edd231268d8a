import { cp, rm } from 'node:fs/promises';
import {
  JetStreamUnusableError,
  openJetStreamPointLog,
  parseJetStreamUrl,
  type PointBatch,
  type PointLog,
  PointLogUnavailableError,
  PointLogLostError,
} from '#libs/point-log';
import { batch, type PointLogFixture, pointLogContract } from '../../libs/point-log/src/point-log.contract.js';
import { AppendingSender, timesFrom } from '../support/appending-sender.js';
import { type NatsServer, natsServer } from '../support/nats.js';
import { until } from '../support/product.js';

type Options = Partial<Parameters<typeof openJetStreamPointLog>[0]>;

let logs = 0;
/** A stream name that no other test uses. */
const newStream = (): string => `log-${String(++logs)}`;
const now = (): number => Date.now() / 1000;
const at = (hosts: readonly string[], parameters: string) =>
  parseJetStreamUrl(`${hosts.map((host) => `nats://${host}`).join(',')}?${parameters}`);

describe('JetStreamPointLog', () => {
  let server: NatsServer;
  let opened: PointLog[];

  beforeAll(async () => {
    server = await natsServer();
  });
  afterAll(() => server.dispose());
  beforeEach(() => {
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((log) => log.close()));
  });

  const open = async (stream: string, options: Options = {}, parameters = ''): Promise<PointLog> => {
    const address = at([server.host], `stream=${stream}${parameters}`);
    const log = await openJetStreamPointLog({ address, now, partitions: 2, ...options });
    opened.push(log);
    return log;
  };

  pointLogContract(async (): Promise<PointLogFixture> => {
    const address = at([server.host], `stream=${newStream()}`);
    return {
      open: (opening) => openJetStreamPointLog({ address, now, ...opening }),
      dispose: async () => undefined,
    };
  });

  describe('on a server', () => {
    it('splits large batches into messages that the server accepts, and returns all points', async () => {
      const log = await open(newStream());
      const count = 150_000;

      await log.append(manyPoints(count), 'backfill');

      const [first] = await log.read(1, 0, 1);
      expect(first!.batch.ids.length).toBeLessThan(20_000);
      expect(await timesFrom(log, 1)).toEqual(Array.from({ length: count }, (_, i) => i));
    });

    it('keeps each acknowledged append once and in order when the server is killed', async () => {
      const stream = newStream();
      const log = await open(stream);
      const sender = new AppendingSender(log);
      for (let kill = 0; kill < 3; kill++) {
        await sender.progress(20);
        await server.stop('SIGKILL');
        await server.start();
      }
      await sender.progress(20);
      const { acknowledged, sent } = await sender.finish();

      const stored = await timesFrom(await open(stream), 1);
      expect(stored.filter((time) => !sent.includes(time))).toEqual([]);
      expect(acknowledged.filter((time) => !stored.includes(time))).toEqual([]);
      expect(stored).toEqual([...new Set(stored)].sort((a, b) => a - b));
      expect(await timesFrom(log, 1)).toEqual(stored);
    }, 120_000);

    it('does not reuse a position when an empty log is killed', async () => {
      const stream = newStream();
      const log = await open(stream, { after: [500, 500] });
      await log.append(batch([1, 10, 1]), 'live');
      const [record] = await log.read(1, 500, 10);
      expect(record!.position).toBe(501);
      await log.trim(1, 501);
      await server.stop('SIGKILL');
      await server.start();

      await until('the log to take points', () => log.append(batch([0, 20, 1], [1, 20, 1]), 'live').then(() => true));

      expect(await timesFrom(await open(stream), 1, 501)).toEqual([20]);
      expect(await timesFrom(log, 0, 500)).toEqual([20]);
    });

    it('skips positions whose records the server has lost', async () => {
      const stream = newStream();
      const [log, reader] = [await open(stream), await open(stream)];
      await log.append(batch([1, 10, 1]), 'live');
      await server.stop();
      await cp(server.folder, `${server.folder}-before`, { recursive: true });
      await server.start();
      const later = [20, 30, 40];
      for (const time of later) {
        await until('an append', () => log.append(batch([1, time, 1]), 'live').then(() => true));
      }
      const position = (await reader.read(1, 0, 100)).at(-1)!.position;
      await server.stop('SIGKILL');
      await rm(server.folder, { recursive: true });
      await cp(`${server.folder}-before`, server.folder, { recursive: true });
      await server.start();

      await until('an append', () => log.append(batch([1, 50, 1]), 'live').then(() => true));

      // The reader has its own connection, which may recover later than that of the log.
      expect(await until('the reader to be answered', () => timesFrom(reader, 1, position))).toEqual([50]);
      // A process that starts later gets the positions of readers from its caller.
      const afterRestart = await open(stream, { after: [0, position + 1000] });
      await afterRestart.append(batch([1, 60, 1]), 'live');
      expect(await timesFrom(afterRestart, 1, position + 1000)).toEqual([60]);
    }, 120_000);

    it('rejects appends with a temporary error when full, loses nothing, and recovers after trimming', async () => {
      const log = await open(newStream(), {}, '&max_bytes=2097152');
      const accepted: number[] = [];
      const fill = async (): Promise<void> => {
        for (let time = 0; ; time += 10_000) {
          await log.append(manyPoints(10_000, time), 'backfill');
          accepted.push(time);
        }
      };
      await expect(fill()).rejects.toThrow(/maximum bytes exceeded/);
      await expect(log.append(manyPoints(10_000), 'backfill')).rejects.toThrow(PointLogUnavailableError);
      expect(log.stats()).toEqual({ queuedAppends: 0, queuedPoints: 0 });

      const records = await log.read(1, 0, 1_000_000);
      expect(records.map(({ batch: { timestamps } }) => timestamps[0])).toEqual(accepted);
      await log.trim(1, records[1]!.position);
      await log.append(manyPoints(10_000), 'backfill');
    });

    it('rejects appends in time while the server is stopped, and continues after its restart', async () => {
      const log = await open(newStream());
      await log.append(batch([1, 10, 1]), 'live');
      const notified = log.waitForAppend(600_000);
      await server.stop('SIGKILL');

      await expect(log.append(batch([1, 20, 1]), 'live')).rejects.toThrow(PointLogUnavailableError);
      await server.start();
      // The wait ends because records may have been missed.
      await expect(notified).resolves.toBe(true);
      await until('an append', () => log.append(batch([1, 30, 1]), 'live').then(() => true));

      const times = await timesFrom(log, 1);
      expect([times[0], times.at(-1)]).toEqual([10, 30]);
    }, 120_000);
  });

  describe('that cannot be opened', () => {
    it.each([
      ['more replicas than servers', '&replicas=3', /replicas=3 needs a cluster/],
      ['a missing credentials file', '&creds=/nowhere/x.creds', /creds=.*cannot be read/],
    ])('explains what to do with %s', async (_, parameters, message) => {
      const opening = open(newStream(), {}, parameters);
      await expect(opening).rejects.toThrow(JetStreamUnusableError);
      await expect(opening).rejects.toThrow(message);
    });

    it('reports a log of another installation, and a missing log', async () => {
      const stream = newStream();
      await open(stream, { logId: 'a' });
      await expect(open(stream, { logId: 'b' })).rejects.toThrow(/belong to another installation.*stream=/);
      await expect(open(newStream(), { mayCreate: false })).rejects.toThrow(PointLogLostError);
    });

    it('reports a server without JetStream', async () => {
      const plain = await natsServer({ jetStream: false });
      const opening = openJetStreamPointLog({ address: at([plain.host], 'stream=x'), now });
      await expect(opening).rejects.toThrow(/JetStream is not enabled.*nats-server with -js/);
      await plain.dispose();
    });

    it('reports that the server refuses the credentials, without revealing them', async () => {
      const closed = await natsServer({ config: 'authorization { user: ann, password: "right" }' });
      const openAs = (user: string) =>
        openJetStreamPointLog({ address: parseJetStreamUrl(`nats://${user}@${closed.host}`), now });
      await expect(openAs('ann:s3cret')).rejects.toThrow(/refuses the credentials of POINT_LOG_URL/);
      await expect(openAs('ann:s3cret')).rejects.not.toThrow(/s3cret/);
      await (await openAs('ann:right')).close();
      await closed.dispose();
    });
  });
});

/** Points of series 1, in partition 1, a second apart. */
function manyPoints(count: number, from = 0): PointBatch {
  return {
    ids: new Uint32Array(count).fill(1),
    timestamps: Float64Array.from({ length: count }, (_, i) => from + i),
    values: new Float64Array(count).fill(1.5),
  };
}
