import { Logger } from '@nestjs/common';
import { compressSync, uncompressSync } from 'snappy';
import { DetectionShard, type ProgressColumns, type ShardOutput } from '#libs/detection';
import { type LogRecord, type PointLog, type PointLogStats, type WaitingPoints } from '#libs/point-log';
import { type SeriesQuery } from '#libs/series';
import { type StateObjects } from '#libs/state-objects';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { until } from '../../../../../test/support/product.js';
import { type AdvisoryLock, type AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { InlineExecutor } from '../../common/workers/executor.js';
import { WorkerGoneError } from '../../common/workers/worker-channel.js';
import { type MetricRegistryService, type RegisteredSeries } from '../../data/metric/metric-registry.service.js';
import {
  type Checkpoint,
  type DetectionCheckpointRepository,
  type StoredPageRow,
} from './detection-checkpoint.repository.js';
import { DetectionCheckpointsService } from './detection-checkpoints.service.js';
import { type DetectionEffectsService, type Effects, type SavedState } from './detection-effects.service.js';
import { DetectionTelemetryService } from './detection-telemetry.service.js';
import { DetectionConfig } from './detection.config.js';
import { PartitionLostError } from './detection.errors.js';
import { type PartitionOwner } from './detection.types.js';
import { type PageBytes } from './page-bytes.js';
import { PageBytesInObjects } from './page-bytes-in-objects.js';
import { PageBytesInRows } from './page-bytes-in-rows.js';
import { retry } from './retry.js';
import { PartitionConsumer } from './partition-consumer.js';
import { PartitionOwnershipService } from './partition-ownership.service.js';
import { PartitionShards, ShardExecutor } from './partition-shard.js';
import { type PartitionSharesService } from './partition-shares.service.js';
import { SeriesDirectoryService } from './series-directory.service.js';
import { ShardHost, type ShardRequest, type ShardResponse, type TakenPage } from './shard-host.js';

/** A point log in memory. */
class MemoryLog implements PointLog {
  readonly partitions = 1;
  readonly records: LogRecord[] = [];
  trimmedTo = 0;
  readFailures = 0;
  reads = 0;
  /** If true, only `wake` ends a wait. */
  waitsForWake = false;
  private readonly waiters = new Set<() => void>();

  add(...points: [id: number, value: number][]): void {
    const position = this.records.length + 1;
    this.records.push({
      partition: 0,
      position,
      kind: 'live',
      appendedAt: START + position,
      batch: {
        ids: Uint32Array.from(points, ([id]) => id),
        timestamps: Float64Array.from(points, () => START + position * 60),
        values: Float64Array.from(points, ([, value]) => value),
      },
    });
  }

  async append(): Promise<void> {
    throw new Error('not used');
  }

  async read(_partition: number, after: number): Promise<LogRecord[]> {
    this.reads++;
    if (this.readFailures-- > 0) throw new Error('Connection terminated unexpectedly');
    return this.records
      .filter(({ position }) => position > after)
      .slice(0, 3)
      .map((record) => structuredClone(record));
  }

  waitForAppend(): Promise<boolean> {
    if (!this.waitsForWake) return new Promise((resolve) => setTimeout(resolve, 2, false));
    return new Promise((resolve) => this.waiters.add(() => resolve(true)));
  }

  wake(): void {
    for (const resolve of this.waiters) resolve();
    this.waiters.clear();
  }

  async trim(_partition: number, upTo: number): Promise<void> {
    this.trimmedTo = upTo;
  }

  async waiting(): Promise<WaitingPoints> {
    return { points: 0, oldestAppendedAt: null };
  }

  stats(): PointLogStats {
    return { queuedAppends: 0, queuedPoints: 0 };
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}

/** Throws WorkerGoneError for every input with the value 666, as if its thread had died; reports a failure at 13. */
class FragileExecutor extends ShardExecutor {
  calls: ShardRequest['type'][] = [];

  constructor() {
    super([new InlineExecutor(new ShardHost())]);
  }

  override async call(request: ShardRequest): Promise<ShardResponse> {
    this.calls.push(request.type);
    const inputs =
      request.type === 'apply' ? request.inputs : request.type === 'applyEachSeries' ? [request.input] : [];
    if (inputs.some(({ values }) => values.includes(666))) throw new WorkerGoneError('the thread ran out of memory');
    const index = inputs.findIndex(({ values }) => values.includes(13));
    if (index < 0) return super.call(request);
    if (request.type === 'applyEachSeries') {
      const sane = request.input.values.map((value) => (value === 13 ? Number.NaN : value));
      const response = await super.call({ ...request, input: { ...request.input, values: sane } });
      return { ...response, failedSeries: [{ id: 13, message: 'unlucky' }] };
    }
    const response = await super.call({
      type: 'drainProgress',
      partition: request.partition,
      most: Infinity,
      mostNew: Infinity,
    });
    const positions = inputs.map(({ position }) => position!);
    return { ...response, progress: null, failure: { positions, message: 'unlucky', stack: undefined } };
  }
}

class MemoryCheckpoints {
  saved: Checkpoint = { epoch: 0, position: 0, appliedPosition: 0 };
  readonly pages = new Map<number, StoredPageRow>();

  async takeOver(): Promise<Checkpoint> {
    this.saved = { ...this.saved, epoch: this.saved.epoch + 1 };
    return this.saved;
  }

  async pagesAfter(_partition: number, page: number): Promise<StoredPageRow[]> {
    return [...this.pages.values()].filter((one) => one.page > page).map((one) => structuredClone(one));
  }
}

/** Stores objects in memory. */
class MemoryObjects implements StateObjects {
  readonly place = 'memory';
  readonly all = new Map<string, Uint8Array>();
  isUnavailable = false;

  async put(_partition: number, name: string, bytes: Uint8Array): Promise<void> {
    if (this.isUnavailable) throw new Error('no answer within 5000 ms');
    this.all.set(name, structuredClone(bytes));
  }

  async get(_partition: number, name: string): Promise<Uint8Array | null> {
    return structuredClone(this.all.get(name) ?? null);
  }

  async remove(_partition: number, name: string): Promise<void> {
    this.all.delete(name);
  }

  async keepOnly(): Promise<number> {
    return 0;
  }

  async ping(): Promise<void> {
    if (this.isUnavailable) throw new Error('no answer within 1500 ms');
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}

describe('the consumer of a partition', () => {
  let log: MemoryLog;
  let executor: FragileExecutor;
  let pageBytes: PageBytes;
  let checkpoints: MemoryCheckpoints;
  let telemetry: DetectionTelemetryService;
  let clock: HandClock;
  let stored: Map<string, number>;
  /** Metrics whose stored points were read. */
  let read: number[];
  const series = {
    // There is no data before the slots.
    read: async ({ resolutionSeconds }: SeriesQuery) => ({
      timestamps: new Float64Array(0),
      values: new Float64Array(0),
      min: null,
      max: null,
      resolutionSeconds,
      tier: 2 as const,
      aggregated: true,
      longestSlotSeconds: 600,
    }),
    readRaw: async (id: number) => {
      read.push(id);
      const own = [...stored].filter(([key]) => key.startsWith(`${String(id)}@`));
      return {
        timestamps: Float64Array.from(own, ([key]) => Number(key.split('@')[1])),
        values: Float64Array.from(own, ([, value]) => value),
      };
    },
  };
  let batches: Effects[];
  let progressed: number[];
  let lost: AbortController;
  let handOver: AbortController;
  /** Number of times that the lock, and then the checkpoint, cannot be read. */
  let databaseFailures: number;
  let gatherMilliseconds: number;
  let stop: AbortController;
  let running: Promise<void> | undefined;

  beforeEach(() => {
    log = new MemoryLog();
    executor = new FragileExecutor();
    pageBytes = new PageBytesInRows();
    checkpoints = new MemoryCheckpoints();
    telemetry = new DetectionTelemetryService(new MetricsRegistry());
    clock = new HandClock();
    databaseFailures = 0;
    gatherMilliseconds = 0;
    stored = new Map();
    read = [];
    batches = [];
    progressed = [];
    stop = new AbortController();
    running = undefined;
  });

  afterEach(async () => {
    stop.abort();
    await running;
  });

  function start(): void {
    const effects = {
      placesApart: pageBytes.isApart,
      placePage: (owner: PartitionOwner, page: TakenPage, until: AbortSignal) =>
        retry(
          () => pageBytes.place(owner, page),
          until,
          () => undefined,
        ),
      storeProgress: async (_owner: PartitionOwner, { progress }: { progress: ProgressColumns }) => {
        progressed.push(...progress.ids);
      },
      storePage: async (owner: PartitionOwner, { page, replayAfter }: SavedState) => {
        if (owner.epoch !== checkpoints.saved.epoch) throw new PartitionLostError(0);
        if (page) checkpoints.pages.set(page.page, page);
        checkpoints.saved = { ...checkpoints.saved, position: replayAfter };
      },
      store: async (effect: Effects) => {
        batches.push(effect);
        for (const output of effect.outputs) keep(output);
        checkpoints.saved = { ...checkpoints.saved, appliedPosition: effect.position };
      },
    };
    const directory = new SeriesDirectoryService({
      definitions: async (ids: readonly number[]) => ids.filter((id) => id !== 404).map(aSeries),
    } as MetricRegistryService);
    const locks = {
      tryAcquire: async (): Promise<AdvisoryLock> => {
        if (databaseFailures-- > 0) throw new Error('connect ECONNREFUSED');
        lost = new AbortController();
        return { lost: lost.signal, release: async () => undefined };
      },
    };
    const consumer = new PartitionConsumer(0, {
      log,
      shards: new PartitionShards(executor, directory, telemetry, clock, series),
      ownership: new PartitionOwnershipService(
        locks as unknown as AdvisoryLocks,
        new DetectionCheckpointsService(checkpoints as unknown as DetectionCheckpointRepository, pageBytes),
        {
          take: () => {
            handOver = new AbortController();
            return { handOver: handOver.signal, end: () => undefined };
          },
        } as unknown as PartitionSharesService,
      ),
      effects: effects as unknown as DetectionEffectsService,
      telemetry,
      clock,
      config: Object.assign(new DetectionConfig(), { gatherMilliseconds }),
      logger: new Logger('test', { timestamp: false }),
    });
    Logger.overrideLogger(false);
    running = consumer.run(stop.signal);
  }

  function keep({ slots }: ShardOutput): void {
    slots.ids.forEach((id, row) => {
      stored.set(`${String(id)}@${String(slots.timestamps[row])}`, slots.values[row]!);
    });
  }

  const slots = (count: number) =>
    until(`${String(count)} slots`, async () => (stored.size >= count ? true : undefined), {
      timeoutMs: 10_000,
      everyMs: 2,
    });
  const count = async (counter: DetectionTelemetryService['poisoned']) => (await counter.get()).values[0]?.value;

  it('stores the points of every record in order', async () => {
    for (let i = 0; i < 10; i++) log.add([1, i], [2, -i]);
    start();
    await slots(20);
    expect(batches.map(({ position }) => position)).toEqual([3, 6, 9, 10]);
  });

  it('reads the first append after a silence immediately, and gathers the following ones', async () => {
    gatherMilliseconds = 3_600_000;
    log.waitsForWake = true;
    start();
    await until('the log to be read', async () => (log.reads === 1 ? true : undefined), { everyMs: 2 });
    log.add([1, 1]);
    log.wake();
    await slots(1);
    for (let i = 2; i < 6; i++) log.add([1, i]);
    log.wake();
    stop.abort();
    await running;
    expect(log.reads).toBe(2);
    expect(batches.map(({ position }) => position)).toEqual([1]);
  });

  it('reads once for many appends to other partitions', async () => {
    gatherMilliseconds = 3_600_000;
    log.waitsForWake = true;
    start();
    for (const reads of [1, 2]) {
      await until('the log to be read', async () => (log.reads === reads ? true : undefined), { everyMs: 2 });
      log.wake();
    }
    log.wake();
    stop.abort();
    await running;
    expect(log.reads).toBe(2);
  });

  it('waits for an unreachable database without counting a failure', async () => {
    log.add([1, 1]);
    databaseFailures = 2;
    let refusals = 2;
    const takeOver = checkpoints.takeOver.bind(checkpoints);
    checkpoints.takeOver = () => (refusals-- > 0 ? Promise.reject(new Error('connect ECONNREFUSED')) : takeOver());
    start();
    await slots(1);
    expect(refusals).toBe(-1);
    expect(await count(telemetry.failures)).toBe(0);
  });

  it('stops while the database is unreachable', async () => {
    databaseFailures = Infinity;
    start();
    stop.abort();
    await running;
    expect(await count(telemetry.failures)).toBe(0);
  });

  it('skips the series that the detector fails on, and still stores its points', async () => {
    log.add([1, 1]);
    log.add([1, 2], [13, 13]);
    log.add([1, 3]);
    start();
    await slots(4);
    expect(stored.get(`13@${String(slotAt(2))}`)).toBe(13);
    expect(stored.get(`1@${String(slotAt(2))}`)).toBe(2);
    expect(await count(telemetry.poisoned)).toBe(1);
    expect(executor.calls).toContain('applyEachSeries');
  });

  it('stores a record without detection when it kills the detector thread', async () => {
    log.add([1, 1]);
    log.add([1, 666]);
    log.add([1, 3]);
    start();
    await slots(3);
    expect([...stored.values()].sort((a, b) => a - b)).toEqual([1, 3, 666]);
    expect(executor.calls.filter((type) => type === 'open')).toHaveLength(4);
  });

  it('does not store the effects of a record again when the partition is reopened', async () => {
    for (let i = 0; i < 6; i++) log.add([1, i]);
    start();
    await slots(6);
    const before = batches.length;
    lost.abort();
    await until('the partition to be reopened', async () => (checkpoints.saved.epoch === 2 ? true : undefined), {
      everyMs: 2,
    });
    log.add([1, 6]);
    await slots(7);
    expect(batches.slice(before).map(({ position, outputs }) => [position, outputs.length])).toEqual([[7, 1]]);
  });

  it('hands over a partition with its learnt state, and continues without a replay after getting it back', async () => {
    for (let i = 0; i < 6; i++) log.add([1, i]);
    start();
    await slots(6);
    handOver.abort();
    await until('the partition to be taken again', async () => checkpoints.saved.epoch === 2, { everyMs: 2 });
    log.add([1, 6]);
    await slots(7);
    expect(checkpoints.saved.position).toBeGreaterThanOrEqual(6);
    expect((await telemetry.replayed.get()).values[0]?.value).toBe(0);
    expect((await telemetry.failures.get()).values[0]?.value).toBe(0);
    expect((await telemetry.partitions.get()).values[0]?.value).toBe(1);
  });

  it('skips metrics that no longer exist', async () => {
    log.add([404, 1], [1, 1]);
    start();
    await slots(1);
    expect([...stored.keys()]).toEqual([`1@${String(slotAt(1))}`]);
  });

  it('waits for a log that cannot be read', async () => {
    log.readFailures = 2;
    log.add([1, 1]);
    start();
    await slots(1);
  });

  it('saves a page after its interval and all pages when stopped, and trims the log', async () => {
    log.add([1, 1]);
    start();
    await slots(1);
    expect(checkpoints.pages.size).toBe(0);
    clock.seconds += 31;
    await until('a page', async () => (log.trimmedTo > 0 ? true : undefined), { everyMs: 2 });
    expect(checkpoints.pages.get(0)).toMatchObject({ position: 1, series: 1 });
    expect([checkpoints.saved.position, log.trimmedTo]).toEqual([1, 1]);
    log.add([1, 2]);
    await slots(2);
    stop.abort();
    await running;
    expect(checkpoints.pages.get(0)).toMatchObject({ position: 2 });
    expect([checkpoints.saved.position, log.trimmedTo]).toEqual([2, 2]);
  });

  it('relearns the series of a page of an older version from stored points, once', async () => {
    for (let i = 0; i < 12; i++) log.add([1, i], [2, -i]);
    start();
    await slots(24);
    stop.abort();
    await running;
    const page = checkpoints.pages.get(0)!;
    const bytes = uncompressSync(Buffer.from(page.bytes)) as Buffer;
    bytes.writeUInt32LE(1, 4);
    checkpoints.pages.set(0, { ...page, bytes: compressSync(bytes) });
    stop = new AbortController();
    start();
    await until('the stored points to be read', async () => (read.length >= 2 ? true : undefined), { everyMs: 2 });
    log.add([1, 12], [2, -12]);
    await slots(26);
    stop.abort();
    await running;
    expect(read.sort()).toEqual([1, 2]);
    const shard = new DetectionShard();
    const saved = checkpoints.pages.get(0)!;
    shard.restorePage(0, saved.position, uncompressSync(Buffer.from(saved.bytes)) as Buffer);
    expect(shard.awaitingHistory(10)).toEqual([]);
    expect(shard.progress(1)).toMatchObject({ points: 13, firstTimestamp: slotAt(1) });
  });

  describe('with pages in object storage', () => {
    let objects: MemoryObjects;

    beforeEach(() => {
      objects = new MemoryObjects();
      const objectsOf = async () => [...checkpoints.pages.values()].flatMap(({ object }) => object ?? []);
      pageBytes = new PageBytesInObjects(objects, { objectsOf }, { warn: () => undefined });
    });

    it('continues detection while the objects are unreachable, and saves the page afterwards', async () => {
      objects.isUnavailable = true;
      log.add([1, 1]);
      start();
      await slots(1);
      clock.seconds += 31;
      await until('the page to be taken', async () => executor.calls.includes('savePage'), { everyMs: 2 });
      for (let i = 2; i < 6; i++) log.add([1, i]);
      await slots(5);
      expect([checkpoints.pages.size, log.trimmedTo]).toEqual([0, 0]);

      objects.isUnavailable = false;
      await until('the page', async () => checkpoints.pages.size === 1, { everyMs: 2 });

      const row = checkpoints.pages.get(0)!;
      expect(row).toMatchObject({ position: 1, object: expect.stringMatching(/^0-1-[0-9a-f]{24}$/) as string });
      expect(row.bytes.byteLength).toBeLessThan(objects.all.get(row.object!)!.byteLength);
      stop.abort();
      await running;
      expect(checkpoints.pages.get(0)).toMatchObject({ position: 5 });
    });

    it('restores pages from its objects', async () => {
      log.add([1, 1]);
      start();
      await slots(1);
      stop.abort();
      await running;
      stop = new AbortController();
      start();
      log.add([1, 2]);
      await slots(2);
      stop.abort();
      await running;
      expect(read).toEqual([]);
      const { object, position } = checkpoints.pages.get(0)!;
      const shard = new DetectionShard();
      shard.restorePage(0, position, uncompressSync(Buffer.from(objects.all.get(object!)!)) as Buffer);
      expect(shard.progress(1)).toMatchObject({ points: 2 });
    });

    it('relearns the series of a lost object from stored points', async () => {
      log.add([1, 1], [2, 1]);
      start();
      await slots(2);
      stop.abort();
      await running;
      objects.all.clear();
      stop = new AbortController();
      start();
      await until('the stored points to be read', async () => read.length >= 2, { everyMs: 2 });
      expect(read.sort()).toEqual([1, 2]);
    });
  });

  it('writes progress after its interval, soon after news, and when stopped', async () => {
    log.add([1, 1]);
    start();
    await slots(1);
    expect(progressed).toEqual([]);
    clock.seconds += 2;
    await until('the news', async () => (progressed.length > 0 ? true : undefined), { everyMs: 2 });
    log.add([1, 2]);
    await slots(2);
    clock.seconds += 2;
    log.add([1, 3]);
    await slots(3);
    expect(progressed).toEqual([1]);
    clock.seconds += 10;
    await until('the progress', async () => (progressed.length > 1 ? true : undefined), { everyMs: 2 });
    log.add([1, 4]);
    await slots(4);
    stop.abort();
    await running;
    expect(progressed).toEqual([1, 1, 1]);
  });

  it('replays records after the saved pages without storing their effects again', async () => {
    for (let i = 0; i < 5; i++) log.add([1, i], [2, i]);
    start();
    await slots(10);
    clock.seconds += 31;
    await until('a page', async () => (checkpoints.pages.size > 0 ? true : undefined), { everyMs: 2 });
    for (let i = 5; i < 8; i++) log.add([1, i], [3, i]);
    await slots(16);
    lost.abort();
    await until('the partition to be reopened', async () => (checkpoints.saved.epoch === 2 ? true : undefined), {
      everyMs: 2,
    });
    log.add([1, 8], [3, 8]);
    await slots(18);
    stop.abort();
    await running;
    expect(executor.calls).toContain('restore');
    expect((await telemetry.replayed.get()).values[0]?.value).toBe(6);
    const { page, position, bytes } = checkpoints.pages.get(0)!;
    const shard = new DetectionShard();
    shard.restorePage(page, position, uncompressSync(Buffer.from(bytes)) as Buffer);
    expect([1, 2, 3].map((id) => shard.progress(id)?.points)).toEqual([9, 5, 4]);
  });

  it('reopens a partition after its thread has died, and blames no record', async () => {
    log.add([1, 1]);
    start();
    await slots(1);
    await executor.call({ type: 'close', partition: 0 });
    log.add([1, 2]);
    await slots(2);
    expect(executor.calls.filter((type) => type === 'open')).toHaveLength(2);
    expect(executor.calls).not.toContain('applyEachSeries');
  });

  it('starts without learnt state when a page cannot be read', async () => {
    checkpoints.saved = { epoch: 1, position: 1, appliedPosition: 1 };
    checkpoints.pages.set(0, { page: 0, position: 1, series: 1, bytes: new Uint8Array([1, 2, 3]), object: null });
    log.add([1, 1]);
    log.add([1, 2]);
    start();
    await slots(1);
    expect(stored.get(`1@${String(slotAt(2))}`)).toBe(2);
  });
});

const slotAt = (position: number): number => Math.floor((START + position * 60) / 60) * 60;

const aSeries = (id: number): RegisteredSeries => ({
  id,
  orgId: 1,
  type: 'gauge',
  aggregation: 'last',
  slotSeconds: 60,
  timezone: 'UTC',
  mayBeCounter: false,
});
