import { Inject, Injectable, type Logger } from '@nestjs/common';
import { type SeriesDefinition, type ShardInput, type ShardOutput } from '#libs/detection';
import { type LogRecord } from '#libs/point-log';
import { type SeriesStore } from '#libs/series';
import { Clock } from '../../common/clock.js';
import { DAY } from '../../common/time.js';
import { messageOf } from '../../common/errors/message-of.js';
import { createExecutor, type Executor } from '../../common/workers/executor.js';
import { WorkerCallError } from '../../common/workers/worker-channel.js';
import { ShardFailedError, ShardGoneError } from './detection.errors.js';
import { SERIES_STORE } from '../../platform/storage/storage.types.js';
import { DetectionTelemetryService } from './detection-telemetry.service.js';
import { retry, type Warner } from './retry.js';
import { SeriesDirectoryService } from './series-directory.service.js';
import { readStoredHistory } from './stored-history.js';
import {
  movableRequestBuffers,
  PartitionNotOpenError,
  ShardHost,
  type ShardRequest,
  type ShardResponse,
} from './shard-host.js';

/** Output of the detector for successive records, and the last position. */
export interface Detected {
  outputs: ShardOutput[];
  lastPosition: number;
}

/** Runs the shards of partitions: partition p on thread p mod N. */
export class ShardExecutor {
  constructor(private readonly threads: readonly Executor<ShardRequest, ShardResponse>[]) {}

  /**
   * Calls for one partition are executed in their order.
   *
   * @throws WorkerGoneError when the thread died: its partitions must be opened again
   */
  call(request: ShardRequest): Promise<ShardResponse> {
    return this.threads[request.partition % this.threads.length]!.call(request, movableRequestBuffers(request));
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}

const WORKER_ENTRY = new URL('./detection-worker.js', import.meta.url);

export function createShardExecutor(threads: number): ShardExecutor {
  const handler = () => new ShardHost();
  return new ShardExecutor(
    Array.from({ length: threads }, (_, i) =>
      createExecutor({ entry: WORKER_ENTRY, name: `detection-${String(i)}`, handler }),
    ),
  );
}

/** Creates the shards of partitions, all on the same threads. */
@Injectable()
export class PartitionShards {
  constructor(
    readonly executor: ShardExecutor,
    readonly directory: SeriesDirectoryService,
    readonly telemetry: DetectionTelemetryService,
    readonly clock: Clock,
    @Inject(SERIES_STORE) readonly series: Pick<SeriesStore, 'readRaw' | 'read'>,
  ) {}

  create(partition: number, logger: Logger, warner: Warner): PartitionShard {
    return new PartitionShard(partition, this, logger, warner);
  }
}

/**
 * Between two reads of the log: number of series that are requested together to learn from their stored points, and
 * maximum age of these points.
 */
const HISTORIES_A_TURN = 4;
const HISTORIES_AT_ONCE = 256;
const HISTORY_SECONDS = 28 * DAY;
/**
 * A record that has failed once is tried alone; after this many failures series by series, then it is stored without
 * detection.
 */
const EACH_SERIES = 2;

/** The detector of one partition, as used by the thread of its consumer. Remembers which records failed. */
export class PartitionShard {
  private readonly failuresAt = new Map<number, number>();
  private busySince: number | null = null;
  private pendingHistories: SeriesDefinition[] = [];
  private isHistoryKnown = false;

  constructor(
    readonly partition: number,
    private readonly parts: PartitionShards,
    private readonly logger: Logger,
    private readonly warner: Warner,
  ) {}

  /** Unix seconds at which the detector received its current work; null while it waits for work. */
  get detectingSince(): number | null {
    return this.busySince;
  }

  /** Some series may be waiting for their stored points. */
  get mayAwaitHistory(): boolean {
    return !this.isHistoryKnown || this.pendingHistories.length > 0;
  }

  async call(request: ShardRequest): Promise<ShardResponse> {
    this.busySince = this.parts.clock.now();
    try {
      return await this.parts.executor.call(request);
    } finally {
      this.busySince = null;
    }
  }

  /** Opens the shard without series. */
  async open(position: number, appliedPosition: number): Promise<void> {
    this.parts.directory.clear(this.partition);
    this.pendingHistories = [];
    this.isHistoryKnown = false;
    await this.call({ type: 'open', partition: this.partition, position, appliedPosition });
  }

  /**
   * Teaches some of the waiting series their stored points, which must be all points that the shard has received so
   * far. Resolves with false if none waits.
   */
  async learnHistories(until: AbortSignal): Promise<boolean> {
    const { partition } = this;
    if (!this.mayAwaitHistory) return false;
    const { series, clock } = this.parts;
    if (this.pendingHistories.length === 0) {
      const { awaiting } = await this.call({ type: 'awaitingHistory', partition, most: HISTORIES_AT_ONCE });
      this.pendingHistories = awaiting;
      this.isHistoryKnown = awaiting.length === 0;
      if (this.isHistoryKnown) return false;
    }
    const turn = this.pendingHistories.slice(0, HISTORIES_A_TURN);
    const now = clock.now();
    const read = () => Promise.all(turn.map((one) => readStoredHistory(series, one, now - HISTORY_SECONDS, now + DAY)));
    const histories = await retry(read, until, this.warner('stored points cannot be read'));
    await this.call({ type: 'takeHistories', partition, histories });
    this.pendingHistories = this.pendingHistories.slice(turn.length);
    this.isHistoryKnown = false;
    return true;
  }

  /** Each record that failed before is a separate group; all others form one. */
  group(records: readonly LogRecord[]): LogRecord[][] {
    const groups: LogRecord[][] = [];
    let together: LogRecord[] | undefined;
    for (const record of records) {
      if (this.failuresAt.has(record.position)) {
        groups.push([record]);
        together = undefined;
      } else if (together) {
        together.push(record);
      } else {
        groups.push((together = [record]));
      }
    }
    return groups;
  }

  async detect(records: readonly LogRecord[], until: AbortSignal): Promise<Detected> {
    const { directory, telemetry } = this.parts;
    const warn = this.warner('metrics cannot be looked up');
    const prepared = await retry(() => directory.prepare(this.partition, records), until, warn);
    // A series with another type or period relearns from its stored points.
    if (records.some(({ kind }) => kind === 'define')) this.isHistoryKnown = false;
    const positions = records.map(({ position }) => position);
    const lastPosition = positions.at(-1)!;
    const failures = this.failuresAt.get(lastPosition) ?? 0;
    if (failures < EACH_SERIES) {
      const outputs = await this.detectTogether(prepared.inputs, prepared.definitions, positions);
      return { outputs, lastPosition };
    }
    const outputs = await this.detectApart(prepared.inputs[0]!, prepared.definitions, lastPosition, failures);
    telemetry.poisoned.inc();
    return { outputs, lastPosition };
  }

  recordFailure(positions: readonly number[]): void {
    for (const position of positions) this.failuresAt.set(position, (this.failuresAt.get(position) ?? 0) + 1);
  }

  /** Saved records are not read again. */
  forgetFailures(upTo: number): void {
    for (const known of this.failuresAt.keys()) if (known <= upTo) this.failuresAt.delete(known);
  }

  private async detectTogether(
    inputs: ShardInput[],
    definitions: SeriesDefinition[],
    positions: number[],
  ): Promise<ShardOutput[]> {
    const points = inputs.reduce((sum, { ids }) => sum + ids.length, 0);
    let response: ShardResponse;
    try {
      response = await this.call({ type: 'apply', partition: this.partition, definitions, inputs });
    } catch (error) {
      throw this.errorOf(error, positions);
    }
    const { failure, outputs } = response;
    if (failure) throw new ShardFailedError(this.partition, failure.positions, failure.message);
    const { telemetry } = this.parts;
    telemetry.analysed.inc(points);
    telemetry.scored.inc(outputs.reduce((sum, { scored }) => sum + scored, 0));
    return outputs;
  }

  /** Stores a record that failed twice without detection, so that no point is lost. */
  private async detectApart(
    input: ShardInput,
    definitions: SeriesDefinition[],
    position: number,
    failures: number,
  ): Promise<ShardOutput[]> {
    const { directory } = this.parts;
    const record = `Partition ${String(this.partition)}: record ${String(position)} is stored without detection`;
    if (failures > EACH_SERIES) {
      this.logger.error(record);
      // The shard continues after it.
      await this.call({ type: 'apply', partition: this.partition, definitions: [], inputs: [withoutPoints(input)] });
      return [directory.withoutDetection(this.partition, input)];
    }
    let response: ShardResponse;
    try {
      response = await this.call({ type: 'applyEachSeries', partition: this.partition, definitions, input });
    } catch (error) {
      throw this.errorOf(error, [position]);
    }
    const { outputs, failedSeries } = response;
    if (failedSeries.length === 0) return outputs;
    const shown = failedSeries.slice(0, 5).map(({ id, message }) => `metric ${String(id)}: ${message}`);
    this.logger.error(`${record} for ${String(failedSeries.length)} metrics: ${shown.join('; ')}`);
    const failed = new Set(failedSeries.map(({ id }) => id));
    return [...outputs, directory.withoutDetection(this.partition, input, (id) => failed.has(id))];
  }

  /** The effect of a failed call on its records; none if the thread had already died. */
  private errorOf(error: unknown, positions: readonly number[]): Error {
    const name = error instanceof WorkerCallError ? error.remoteName : error instanceof Error ? error.name : '';
    if (name === PartitionNotOpenError.name) return new ShardGoneError(this.partition, { cause: error });
    return new ShardFailedError(this.partition, positions, messageOf(error), { cause: error });
  }
}

const withoutPoints = (input: ShardInput): ShardInput => ({
  ...input,
  ids: new Uint32Array(0),
  timestamps: new Float64Array(0),
  values: new Float64Array(0),
});
