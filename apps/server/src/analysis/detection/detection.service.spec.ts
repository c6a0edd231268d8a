import { Logger } from '@nestjs/common';
import { type LogRecord, type PointLog } from '#libs/point-log';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { until } from '../../../../../test/support/product.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { type AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { ComponentReports } from '../../common/telemetry/component-reports.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { type DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { DetectionConfig } from './detection.config.js';
import { DetectionCheckpointsService } from './detection-checkpoints.service.js';
import { type DetectionEffectsService, type Effects } from './detection-effects.service.js';
import { DetectionService } from './detection.service.js';
import { DetectionTelemetryService } from './detection-telemetry.service.js';
import { DetectionWatchService } from './detection-watch.service.js';
import { PageBytesInRows } from './page-bytes-in-rows.js';
import { PartitionConsumersService } from './partition-consumers.service.js';
import { PartitionOwnershipService } from './partition-ownership.service.js';
import { PartitionShards, ShardExecutor } from './partition-shard.js';
import { PartitionSharesService } from './partition-shares.service.js';
import { type DetectionMembersRepository } from './detection-members.repository.js';
import { type SeriesDirectoryService } from './series-directory.service.js';
import { WorkerChannel } from '../../common/workers/worker-channel.js';

/**
 * A thread without a detector: it loops forever at the value 1, exits at 2, and accepts only partitions that were
 * opened in it.
 */
const ENTRY = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    const open = new Set();
    parentPort.on('message', ({ call, request }) => {
      if (request.type === 'open') open.add(request.partition);
      if (!open.has(request.partition)) {
        const error = { name: 'PartitionNotOpenError', message: 'not open', stack: '' };
        return parentPort.postMessage({ call, error });
      }
      const inputs = request.type === 'apply' ? request.inputs : request.type === 'applyEachSeries' ? [request.input] : [];
      for (const { values } of inputs) {
        while (values[0] === 1);
        if (values[0] === 2) process.exit(1);
      }
      const outputs = inputs.map(({ position, ids, timestamps, values }) => (
        { position, slots: { ids, timestamps, values }, events: [], counters: [], hasUrgentProgress: false, scored: 0 }));
      parentPort.postMessage({ call, response: {
        outputs, unreadable: [], failure: null, failedSeries: [], page: null, replayAfter: 0, unsaved: 0, series: 0,
        progress: { ids: new Uint32Array(0) } } });
    });`)}`,
);

describe('DetectionWatchService', () => {
  let clock: HandClock;
  let records: LogRecord[];
  let stored: number[];
  let appliedPosition: number;
  let readiness: ReadinessRegistry;
  let telemetry: DetectionTelemetryService;
  let service: DetectionService;
  let watch: DetectionWatchService;

  beforeEach(() => {
    Logger.overrideLogger(false);
    clock = new HandClock();
    records = [];
    stored = [];
    appliedPosition = 0;
    readiness = new ReadinessRegistry();
    telemetry = new DetectionTelemetryService(new MetricsRegistry());
  });

  afterEach(async () => {
    await watch.beforeApplicationShutdown();
    await service.beforeApplicationShutdown();
  });

  function start(): void {
    const log = {
      partitions: 1,
      read: async (_partition: number, after: number) =>
        records.filter(({ position }) => position > after).map((record) => structuredClone(record)),
      waitForAppend: () => new Promise<boolean>((resolve) => setTimeout(resolve, 2, false)),
    } as unknown as PointLog;
    const effects = {
      store: async ({ outputs }: Effects) => {
        stored.push(...outputs.flatMap(({ slots }) => [...slots.values]));
      },
      storeProgress: async () => undefined,
    } as unknown as DetectionEffectsService;
    const directory = {
      clear: () => undefined,
      prepare: async (_partition: number, some: LogRecord[]) => ({
        definitions: [],
        inputs: some.map(({ position, batch }) => ({ kind: 'live', position, now: START, ...batch })),
      }),
      withoutDetection: (
        _partition: number,
        { position, ids, timestamps, values }: { position: number } & LogRecord['batch'],
      ) => ({
        position,
        slots: { ids, timestamps, values },
        events: [],
        counters: [],
        hasUrgentProgress: false,
        scored: 0,
      }),
    } as unknown as SeriesDirectoryService;
    const checkpoints = {
      takeOver: async () => ({ epoch: 1, position: 0, appliedPosition }),
      pagesAfter: async () => [],
    } as unknown as DetectionCheckpointRepository;
    const locks = {
      tryAcquire: async () => ({ lost: new AbortController().signal, release: async () => undefined }),
    } as unknown as AdvisoryLocks;
    const executor = new ShardExecutor([new WorkerChannel(ENTRY, 'detection-0')]);
    const config = Object.assign(new DetectionConfig(), { gatherMilliseconds: 0 });
    const noHistory = {
      readRaw: async () => ({ timestamps: new Float64Array(0), values: new Float64Array(0) }),
      read: async () => Promise.reject(new Error('nothing is older than no slots')),
    };
    const shards = new PartitionShards(executor, directory, telemetry, clock, noHistory);
    const members = { report: async (id: string) => [id], remove: async () => undefined };
    const shares = new PartitionSharesService(members as unknown as DetectionMembersRepository, log);
    const ownership = new PartitionOwnershipService(
      locks,
      new DetectionCheckpointsService(checkpoints, new PageBytesInRows()),
      shares,
    );
    const consumers = new PartitionConsumersService(log, shards, ownership, effects, telemetry, clock, config);
    service = new DetectionService(consumers, executor, Object.assign(new ServerConfig(), { roles: ['detect'] }));
    watch = new DetectionWatchService(consumers, readiness, new ComponentReports(readiness), telemetry, config);
    watch.onApplicationBootstrap();
    service.onApplicationBootstrap();
  }

  const add = (value: number): void => {
    const position = records.length + 1;
    const batch = { ids: Uint32Array.of(1), timestamps: Float64Array.of(START), values: Float64Array.of(value) };
    records.push({ partition: 0, position, kind: 'live', appendedAt: START - 100, batch });
  };
  const report = async () => (await readiness.run()).find(({ name }) => name === 'detection')!;
  const has = (value: number) =>
    until('the value', async () => (stored.includes(value) ? true : undefined), { everyMs: 5 });

  it('reports a thread in an endless loop, and the shutdown does not wait for the thread', async () => {
    start();
    add(5);
    await has(5);
    add(1);
    await until('the loop', async () => (telemetry.longestLagSeconds() > 0 ? true : undefined), { everyMs: 5 });
    expect((await report()).ok).toBe(true);
    await until(
      'the report',
      async () => {
        clock.seconds += 61;
        const { ok, message } = await report();
        return !ok && message === 'partitions 0 are stuck in the detector' ? true : undefined;
      },
      { everyMs: 20 },
    );
  }, 30_000);

  it('stays ready while a thread that died is replaced', async () => {
    start();
    add(5);
    await has(5);
    add(2);
    add(7);
    await has(7);
    expect(stored).toContain(2);
    expect((await report()).ok).toBe(true);
    expect((await telemetry.failures.get()).values[0]?.value).toBeGreaterThan(0);
  }, 30_000);

  it('reports that records after a checkpoint are being replayed, and the lag in seconds', async () => {
    appliedPosition = 2;
    add(5);
    start();
    const message = await until('the report', async () => (await report()).message ?? undefined, { everyMs: 2 });
    expect(message).toBe('replaying, 100 s behind');
    expect((await report()).ok).toBe(true);
    add(6);
    add(7);
    await has(7);
    expect(stored).toEqual([7]);
    await until('the end', async () => ((await report()).message === null ? true : undefined), { everyMs: 2 });
  });
});
