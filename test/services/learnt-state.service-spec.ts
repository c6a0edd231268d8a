import { Logger } from '@nestjs/common';
import { parseJetStreamUrl } from '#libs/jetstream';
import { BUCKET_IN_URL, openStateObjects, type StateObjects, StateObjectsUnavailableError } from '#libs/state-objects';
import { DetectionCheckpointRepository } from '../../apps/server/src/analysis/detection/detection-checkpoint.repository.js';
import { DetectionStateOpeningService } from '../../apps/server/src/analysis/detection/detection-state-opening.service.js';
import { DetectionConfig } from '../../apps/server/src/analysis/detection/detection.config.js';
import { DetectionStateError, StateElsewhereError } from '../../apps/server/src/analysis/detection/detection.errors.js';
import { aPage, pageBytesContract, PageSaver } from '../../apps/server/src/analysis/detection/page-bytes.contract.js';
import { PageBytesInObjects } from '../../apps/server/src/analysis/detection/page-bytes-in-objects.js';
import { PageBytesInRows } from '../../apps/server/src/analysis/detection/page-bytes-in-rows.js';
import { ServerConfig } from '../../apps/server/src/common/config/server.config.js';
import { ReadinessRegistry } from '../../apps/server/src/common/telemetry/readiness.js';
import { InstallationLayoutService } from '../../apps/server/src/platform/storage/installation-layout.service.js';
import { PointLogPlaceRepository } from '../../apps/server/src/platform/storage/point-log-place.repository.js';
import { StorageConfig } from '../../apps/server/src/platform/storage/storage.config.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type NatsServer, natsServer } from '../support/nats.js';
import { until } from '../support/product.js';
import { smallDisk } from '../support/small-disk.js';

const PARTITIONS = 2;
let buckets = 0;
/** A bucket name that no other test uses. */
const newBuckets = (): string => `state-${String(++buckets)}`;

describe('learnt state in the object store of JetStream', () => {
  let server: NatsServer;
  let database: TestDatabase;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    server = await natsServer();
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await server.dispose();
    await database.drop();
  });
  beforeEach(() => database.dataSource.query('TRUNCATE detection_checkpoint, detection_checkpoint_page'));

  const openAt = (bucket: string, host = server.host): Promise<StateObjects> =>
    openStateObjects({
      address: parseJetStreamUrl(`nats://${host}?bucket=${bucket}`, BUCKET_IN_URL),
      partitions: PARTITIONS,
      ownerId: 'test',
      mayCreate: true,
    });

  pageBytesContract(async () => {
    const bucket = newBuckets();
    return {
      dataSource: database.dataSource,
      open: async (checkpoints) => new PageBytesInObjects(await openAt(bucket), checkpoints, { warn: () => undefined }),
      dispose: async () => undefined,
    };
  });

  describe('on a server', () => {
    let objects: StateObjects;
    let bucket: string;
    beforeEach(async () => {
      bucket = newBuckets();
      objects = await openAt(bucket);
    });
    afterEach(() => objects.close());

    it('survives a kill of the server, and reconnects automatically', async () => {
      const { bytes } = aPage(0, 1, 1);
      await objects.put(0, 'a', bytes);
      await server.stop('SIGKILL');
      await expect(objects.ping()).rejects.toThrow(/NATS JetStream at .*, buckets state-.* does not answer/);
      await server.start();

      const found = await until('an answer', () => objects.get(0, 'a'));

      expect(Buffer.from(found!).equals(bytes)).toBe(true);
      await until('the objects to be taken', () => objects.put(0, 'b', bytes).then(() => true));
    }, 120_000);

    it('distinguishes an object that is missing or incomplete from a stopped server', async () => {
      expect(await objects.get(0, 'none')).toBeNull();
      await objects.put(0, 'a', aPage(0, 1, 1).bytes);
      const { connect } = await import('@nats-io/transport-node');
      const { jetstreamManager } = await import('@nats-io/jetstream');
      const connection = await connect({ servers: server.host });
      const { streams } = await jetstreamManager(connection);
      await streams.deleteMessage(`OBJ_${bucket}-0`, 2);
      expect(await objects.get(0, 'a')).toBeNull();
      await streams.purge(`OBJ_${bucket}-0`, { filter: `$O.${bucket}-0.C.>` });
      expect(await objects.get(0, 'a')).toBeNull();
      // A message of an object whose upload was never completed.
      await connection.request(`$O.${bucket}-0.C.half`, aPage(0, 1, 2, 1000).bytes);
      expect(await objects.keepOnly(0, new Set(['a']))).toBe(1);
      expect((await streams.info(`OBJ_${bucket}-0`)).state.messages).toBe(1);
      await connection.close();
    });

    it('uses no more space than the kept pages, however often pages are saved', async () => {
      for (let round = 0; round < 30; round++) {
        await objects.put(0, `a-${String(round)}`, aPage(0, round, round).bytes);
        if (round > 0) await objects.remove(0, `a-${String(round - 1)}`);
      }
      expect(await objects.keepOnly(0, new Set(['a-29']))).toBe(0);
      expect((await objects.get(0, 'a-29'))!.byteLength).toBe(300_000);
    });

    it('rejects a page with a temporary error while the disk is full, and keeps the stored pages', async () => {
      const disk = await smallDisk(40);
      const small = await natsServer({ folder: disk.folder });
      const there = await openAt('full', small.host);
      try {
        const { bytes } = aPage(0, 1, 1);
        await there.put(0, 'a', bytes);
        await disk.fill();
        await expect(there.put(0, 'b', aPage(0, 2, 2, 4_000_000).bytes)).rejects.toThrow(StateObjectsUnavailableError);
        await disk.free();
        // JetStream stays disabled until the server is restarted.
        await small.stop('SIGKILL');
        await small.start();
        const found = await until('an answer', () => there.get(0, 'a'));
        expect(Buffer.from(found!).equals(bytes)).toBe(true);
        await until('room', () => there.put(0, 'c', bytes).then(() => true));
      } finally {
        await there.close();
        await small.dispose();
        await disk.dispose();
      }
    }, 120_000);
  });

  describe('when it is opened', () => {
    let bucket: string;
    let closing: (() => Promise<void>)[];
    beforeEach(() => {
      bucket = newBuckets();
      closing = [];
    });
    afterEach(async () => {
      for (const close of closing) await close();
    });

    const url = (parameters = ''): string => `nats://${server.host}?bucket=${bucket}${parameters}`;

    async function open(stateUrl?: string) {
      const readiness = new ReadinessRegistry();
      const layout = new InstallationLayoutService(
        new PointLogPlaceRepository(database.dataSource),
        Object.assign(new StorageConfig(), { partitions: PARTITIONS }),
      );
      const opening = new DetectionStateOpeningService(
        Object.assign(new DetectionConfig(), { stateUrl }),
        Object.assign(new ServerConfig(), { roles: ['detect'] }),
        new DetectionCheckpointRepository(database.dataSource),
        layout,
        readiness,
      );
      const bytes = await opening.open();
      closing.push(() => bytes.close());
      return { bytes, readiness };
    }

    async function saverAt(stateUrl?: string): Promise<PageSaver> {
      const { dataSource } = database;
      return PageSaver.open({ dataSource, open: async () => (await open(stateUrl)).bytes });
    }

    async function refusal(stateUrl?: string): Promise<string> {
      const error: unknown = await open(stateUrl).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DetectionStateError);
      return (error as Error).message;
    }

    const seeds = (pages: Awaited<ReturnType<PageSaver['read']>>) =>
      pages.map(({ page, bytes }) => [
        page,
        [1, 2, 3].find((seed) => aPage(0, 0, seed).bytes.every((b, i) => b === bytes[i])),
      ]);

    it('stays in the database by default, moves to objects page by page, and moves back immediately', async () => {
      expect((await open()).bytes).toBeInstanceOf(PageBytesInRows);
      const before = await saverAt();
      const first = await before.takeOver(0);
      for (const page of [0, 1]) await before.save(first, aPage(page, 1, 1));

      const after = await saverAt(url());
      const second = await after.takeOver(0);
      await after.save(second, aPage(1, 2, 2));
      await after.save(second, aPage(2, 2, 3));
      const all = [
        [0, 1],
        [1, 2],
        [2, 3],
      ];
      expect(seeds(await after.read(0))).toEqual(all);
      expect(await refusal()).toMatch(/DETECTION_STATE_URL is not set. Set it as it was.*move=postgresql/);
      // A process that was started before the move.
      await expect(before.read(0)).rejects.toThrow(StateElsewhereError);

      const back = await saverAt(url('&move=postgresql'));
      expect(seeds(await back.read(0))).toEqual(all);
      expect(seeds(await (await saverAt()).read(0))).toEqual(all);
    });

    it('rejects buckets that are empty or belong to another installation, except with accept_loss', async () => {
      const saver = await saverAt(url());
      await saver.save(await saver.takeOver(0), aPage(0, 1, 1));
      await database.dataSource.query('UPDATE point_log_layout SET log_id = gen_random_uuid()');
      await expect(open(url())).rejects.toThrow(/belongs to another installation\. Choose another name by "bucket="/);

      bucket = newBuckets();
      expect(await refusal(url())).toMatch(/there is no bucket .*Correct DETECTION_STATE_URL.*accept_loss=true/);
      const [page] = await (await saverAt(url('&accept_loss=true'))).read(0);
      expect(page).toMatchObject({ lost: expect.stringMatching(/has lost its object 0-1-/) as string });
      expect([...page!.bytes]).toEqual([1]);
    });

    it('reports a stopped server in /readyz, and stays ready', async () => {
      const { readiness } = await open(url());
      expect(await readiness.run()).toEqual([
        expect.objectContaining({ name: 'learnt state', ok: true, message: null }),
      ]);
      await server.stop('SIGKILL');
      expect(await readiness.run()).toEqual([
        expect.objectContaining({ ok: true, message: expect.stringMatching(/does not answer/) as string }),
      ]);
      await server.start();
    });

    it('explains what to do about more replicas than servers', async () => {
      await expect(open(url('&replicas=3'))).rejects.toThrow(/replicas=3 needs a cluster/);
    });
  });
});
