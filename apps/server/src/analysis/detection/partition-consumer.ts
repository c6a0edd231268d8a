import { type Logger } from '@nestjs/common';
import { type SeriesDefinition, type ShardInput, type ShardOutput } from '#libs/detection';
import { type LogRecord, type PointLog } from '#libs/point-log';
import { type Clock } from '../../common/clock.js';
import { type AdvisoryLock } from '../../common/database/advisory-locks.js';
import { messageOf } from '../../common/errors/message-of.js';
import { WorkerCallError } from '../../common/workers/worker-channel.js';
import { type Checkpoint, type DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { type DetectionConfig } from './detection.config.js';
import { ShardFailedError, ShardGoneError } from './detection.errors.js';
import { type DetectionEffects } from './detection-effects.service.js';
import { type DetectionTelemetry } from './detection-telemetry.service.js';
import { type PartitionLocks } from './partition-locks.service.js';
import { backOffMilliseconds, doneOrAborted, pause, persist } from './patience.js';
import { type SeriesDirectory } from './series-directory.service.js';
import { type ShardExecutor } from './shard-executor.js';
import { PartitionNotOpenError, type ShardRequest, type ShardResponse } from './shard-host.js';
import { StateSaver } from './state-saver.js';

export interface ConsumerParts {
  log: PointLog;
  executor: ShardExecutor;
  effects: DetectionEffects;
  directory: SeriesDirectory;
  checkpoints: DetectionCheckpointRepository;
  locks: PartitionLocks;
  telemetry: DetectionTelemetry;
  clock: Clock;
  config: DetectionConfig;
  logger: Logger;
}

/** A record that failed once is tried alone, after this many failures series by series, then stored without detection. */
const EACH_SERIES = 2;

const IDLE_WAIT_MS = 1000;
/** A stop waits so long for a database that is away; the log still holds everything. */
const STOP_PATIENCE_MS = 10_000;
const PAGES_AT_ONCE = 4;

/** Work of the detector on records that follow each other, and where it ends. */
interface Detected {
  outputs: ShardOutput[];
  lastPosition: number;
}

/**
 * Takes one partition of the point log through the detector: read, detect, store effects, save, trim. While the effects
 * of one batch are being stored the next one is detected, never more. Whatever fails is done again from what was saved
 * last; effects are stored once, because each transaction of effects notes how far it went.
 */
export class PartitionConsumer {
  private readonly failuresAt = new Map<number, number>();
  private busySince: number | null = null;
  private replayBehind: number | null = null;
  private isOwner = false;

  constructor(
    readonly partition: number,
    private readonly parts: ConsumerParts,
  ) {}

  /** True while this process owns the partition. */
  get owns(): boolean {
    return this.isOwner;
  }

  /** While what came after the checkpoint is read again: how far behind the present, in seconds. Else null. */
  get replayingBehindSeconds(): number | null {
    return this.replayBehind;
  }

  /** Unix seconds at which the detector was given what it is working on; null while it waits for work. */
  get detectingSince(): number | null {
    return this.busySince;
  }

  /** Resolves when `stop` was raised and the state is safe. Never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    const giveUp = after(stop, STOP_PATIENCE_MS);
    for (let failures = 0; !stop.aborted;) {
      const lease = await this.acquire(stop);
      if (!lease) return;
      try {
        this.isOwner = true;
        await this.consume(stop, AbortSignal.any([lease.lost, giveUp]), () => (failures = 0));
      } catch (error) {
        this.noteFailure(error, stop, lease.lost);
      } finally {
        this.isOwner = false;
        this.parts.telemetry.forget(this.partition);
        await lease.release();
      }
      await pause(backOffMilliseconds(failures++), stop);
    }
  }

  /** Undefined when `stop` was raised. */
  private acquire(stop: AbortSignal): Promise<AdvisoryLock | undefined> {
    const { locks } = this.parts;
    const warn = this.warn('its lock cannot be acquired');
    return persist(() => locks.acquire(this.partition, stop), stop, warn).catch(() => undefined);
  }

  /** @param lost raised when nothing more may or can be written */
  private async consume(stop: AbortSignal, lost: AbortSignal, onProgress: () => void): Promise<void> {
    const { log, config, telemetry, clock } = this.parts;
    const until = AbortSignal.any([stop, lost]);
    const checkpoint = await this.open(until);
    const owner = { partition: this.partition, epoch: checkpoint.epoch };
    const saver = new StateSaver(
      owner,
      this.parts,
      (request) => this.call(request),
      lost,
      (position) => {
        for (const known of this.failuresAt.keys()) if (known <= position) this.failuresAt.delete(known);
      },
    );
    let effects: Promise<void> = Promise.resolve();
    let read = checkpoint.position;
    // One after the other. Looked at before the next step; until then a failure is not unhandled.
    const next = (work: () => Promise<void>): void => {
      effects = effects.then(work);
      effects.catch(() => undefined);
    };

    try {
      while (!until.aborted) {
        // Taken before reading, so that no append falls between the two.
        const nextAppend = log.waitForAppend(IDLE_WAIT_MS);
        const records = await persist(
          () => log.read(this.partition, read, config.batchPoints),
          until,
          this.warn('the point log cannot be read'),
        );
        const lag = records[0] ? clock.now() - records[0].appendedAt : 0;
        telemetry.setLag(this.partition, lag);
        const points = records.reduce((sum, { batch }) => sum + batch.ids.length, 0);
        for (const group of this.groups(records)) {
          const detected = await this.detect(group, until);
          await effects;
          next(() => this.store(detected, checkpoint, lost));
          saver.recordOutputs(detected.outputs);
          read = detected.lastPosition;
        }
        if (records.length > 0) this.noteReplay(read < checkpoint.appliedPosition ? lag : null);
        // What is saved must not be older than the pages it was restored from.
        if (read >= checkpoint.appliedPosition) for (const work of await saver.due()) next(work);
        if (records.length === 0) {
          await effects;
          await doneOrAborted(nextAppend, until);
        } else {
          onProgress();
        }
        // Also after an append that woke everyone: it may be the first of many, and in another partition.
        if (points < config.batchPoints / 2) await pause(config.gatherMilliseconds, until);
      }
      await effects;
      if (!lost.aborted && read >= checkpoint.appliedPosition) await saver.finish();
    } finally {
      this.noteReplay(null);
      // The next owner must not meet effects that are still on their way.
      await effects.catch(() => undefined);
    }
  }

  /** Takes the partition over and restores what was saved of it. */
  private async open(until: AbortSignal): Promise<Checkpoint> {
    const { checkpoints, directory, logger, clock } = this.parts;
    const { partition } = this;
    const started = clock.now();
    const warn = this.warn('the checkpoint cannot be read');
    const checkpoint = await persist(() => checkpoints.takeOver(partition), until, warn);
    directory.clear(partition);
    const { position, appliedPosition } = checkpoint;
    await this.call({ type: 'open', partition, position, appliedPosition });
    let series = 0;
    for (let last = -1; ;) {
      const pages = await persist(() => checkpoints.pagesAfter(partition, last, PAGES_AT_ONCE), until, warn);
      if (pages.length === 0) break;
      last = pages.at(-1)!.page;
      const restored = await this.call({ type: 'restore', partition, pages });
      series = restored.series;
      for (const { page, message } of restored.unreadable) {
        logger.error(
          `Partition ${String(partition)}: page ${String(page)} of the checkpoint cannot be read, its series relearn: ${message}`,
        );
      }
    }
    if (series > 0) {
      const seconds = (clock.now() - started).toFixed(1);
      logger.log(`Partition ${String(partition)}: ${String(series)} series restored in ${seconds} s`);
    }
    return checkpoint;
  }

  private noteReplay(behindSeconds: number | null): void {
    const { logger } = this.parts;
    const partition = `Partition ${String(this.partition)}`;
    if (behindSeconds !== null && this.replayBehind === null) {
      logger.log(`${partition}: replaying what came after its checkpoint, ${behindSeconds.toFixed(0)} s behind`);
    }
    if (behindSeconds === null && this.replayBehind !== null) logger.log(`${partition}: the replay is over`);
    this.replayBehind = behindSeconds;
  }

  /** Records that failed before go alone, all others together. */
  private groups(records: readonly LogRecord[]): LogRecord[][] {
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

  private async detect(records: readonly LogRecord[], until: AbortSignal): Promise<Detected> {
    const { directory, telemetry } = this.parts;
    const prepared = await persist(
      () => directory.prepare(this.partition, records),
      until,
      this.warn('metrics cannot be looked up'),
    );
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
      throw this.shardError(error, positions);
    }
    const { failure, outputs } = response;
    if (failure) throw new ShardFailedError(this.partition, failure.positions, failure.message);
    const { telemetry } = this.parts;
    telemetry.analysed.inc(points);
    telemetry.scored.inc(outputs.reduce((sum, { scored }) => sum + scored, 0));
    return outputs;
  }

  /** A record that failed twice: what no detector takes is stored all the same, so that no point is lost. */
  private async detectApart(
    input: ShardInput,
    definitions: SeriesDefinition[],
    position: number,
    failures: number,
  ): Promise<ShardOutput[]> {
    const { directory, logger } = this.parts;
    if (failures > EACH_SERIES) {
      logger.error(`Partition ${String(this.partition)}: record ${String(position)} is stored without detection`);
      // The shard goes on behind it.
      await this.call({ type: 'apply', partition: this.partition, definitions: [], inputs: [withoutPoints(input)] });
      return [directory.withoutDetection(this.partition, input)];
    }
    let response: ShardResponse;
    try {
      response = await this.call({ type: 'applyEachSeries', partition: this.partition, definitions, input });
    } catch (error) {
      throw this.shardError(error, [position]);
    }
    const { outputs, failedSeries } = response;
    if (failedSeries.length === 0) return outputs;
    const shown = failedSeries.slice(0, 5).map(({ id, message }) => `metric ${String(id)}: ${message}`);
    logger.error(
      `Partition ${String(this.partition)}: record ${String(position)} is stored without detection for ` +
        `${String(failedSeries.length)} metrics: ${shown.join('; ')}`,
    );
    const failed = new Set(failedSeries.map(({ id }) => id));
    return [...outputs, directory.withoutDetection(this.partition, input, (id) => failed.has(id))];
  }

  /** Effects up to the checkpoint's `appliedPosition` were stored before a restart: they are not repeated. */
  private async store({ outputs, lastPosition }: Detected, checkpoint: Checkpoint, lost: AbortSignal): Promise<void> {
    const { effects, telemetry } = this.parts;
    const { epoch, appliedPosition } = checkpoint;
    if (lastPosition <= appliedPosition) {
      telemetry.replayed.inc(outputs.reduce((sum, { slots }) => sum + slots.ids.length, 0));
      return;
    }
    const fresh = outputs.filter(({ position = 0 }) => position > appliedPosition);
    await effects.store({ partition: this.partition, epoch, position: lastPosition, outputs: fresh }, lost);
  }

  private async call(request: ShardRequest): Promise<ShardResponse> {
    this.busySince = this.parts.clock.now();
    try {
      return await this.parts.executor.call(request);
    } finally {
      this.busySince = null;
    }
  }

  /** What a failed call means for the records in it: nothing when the thread had died before. */
  private shardError(error: unknown, positions: readonly number[]): Error {
    const name = error instanceof WorkerCallError ? error.remoteName : error instanceof Error ? error.name : '';
    if (name === PartitionNotOpenError.name) return new ShardGoneError(this.partition, { cause: error });
    return new ShardFailedError(this.partition, positions, messageOf(error), { cause: error });
  }

  private noteFailure(error: unknown, stop: AbortSignal, lost: AbortSignal): void {
    const { logger, telemetry } = this.parts;
    const partition = `Partition ${String(this.partition)}`;
    telemetry.failures.inc();
    if (error instanceof ShardFailedError) {
      for (const position of error.positions) {
        this.failuresAt.set(position, (this.failuresAt.get(position) ?? 0) + 1);
      }
    } else if (lost.aborted || stop.aborted) {
      // The database is away, which is no mistake of ours; the log holds what comes after the last checkpoint.
      const what = stop.aborted ? 'stopped without a last checkpoint' : 'released, its connection was lost';
      logger.warn(`${partition}: ${what}: ${messageOf(error)}`);
      return;
    }
    logger.error(`${partition} is reopened: ${messageOf(error)}`, error instanceof Error ? error.stack : undefined);
  }

  private warn(what: string): (error: unknown, failures: number) => void {
    return (error, failures) => {
      // The first failure may be a passing one; after that, once in a while.
      if (failures === 2 || failures % 20 === 0) {
        this.parts.logger.warn(`Partition ${String(this.partition)}: ${what}: ${messageOf(error)}`);
      }
    };
  }
}

const withoutPoints = (input: ShardInput): ShardInput => ({
  ...input,
  ids: new Uint32Array(0),
  timestamps: new Float64Array(0),
  values: new Float64Array(0),
});

/** Raised a while after `signal`. */
function after(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => controller.abort(), milliseconds).unref(), { once: true });
  return controller.signal;
}
