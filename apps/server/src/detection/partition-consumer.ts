import { type Logger } from '@nestjs/common';
import { type SeriesDefinition, type ShardInput, type ShardOutput } from '#libs/detection';
import { type LogRecord, type PointLog } from '#libs/point-log';
import { type Clock } from '../common/clock.js';
import { type AdvisoryLock } from '../common/database/advisory-locks.js';
import { messageOf } from '../common/errors/message-of.js';
import { type Checkpoint, type DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { type DetectionConfig } from './detection.config.js';
import { PartitionLostError, ShardFailedError } from './detection.errors.js';
import { type DetectionEffects } from './detection-effects.service.js';
import { type DetectionTelemetry } from './detection-telemetry.service.js';
import { type PartitionLocks } from './partition-locks.service.js';
import { backOffMilliseconds, doneOrAborted, pause, persist } from './patience.js';
import { type SeriesDirectory } from './series-directory.service.js';
import { type ShardExecutor } from './shard-executor.js';
import { type ShardRequest, type ShardResponse } from './shard-host.js';

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
/** A checkpoint may cost at most this share of the time. */
const CHECKPOINT_SHARE = 0.1;

/** Work of the detector on records that follow each other, and where it ends. */
interface Detected {
  outputs: ShardOutput[];
  /** Log position of each output's record. */
  positions: number[];
  lastPosition: number;
}

/**
 * Takes one partition of the point log through the detector: read, detect, store effects, checkpoint, trim. While the
 * effects of one batch are being stored the next one is detected, never more. Whatever fails is done again from the
 * last checkpoint; effects are stored once, because each transaction of effects notes how far it went.
 */
export class PartitionConsumer {
  private readonly failuresAt = new Map<number, number>();
  private busySince: number | null = null;
  private isOwner = false;

  constructor(
    readonly partition: number,
    private readonly parts: ConsumerParts,
  ) {}

  /** True while this process owns the partition. */
  get owns(): boolean {
    return this.isOwner;
  }

  /** Unix seconds at which the batch in the detector was handed over; null while it waits for work. */
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
    const warn = this.warn('its lock cannot be asked for');
    return persist(() => locks.acquire(this.partition, stop), stop, warn).catch(() => undefined);
  }

  /** @param lost raised when nothing more may or can be written */
  private async consume(stop: AbortSignal, lost: AbortSignal, onProgress: () => void): Promise<void> {
    const { log, config, telemetry, clock } = this.parts;
    const until = AbortSignal.any([stop, lost]);
    const checkpoint = await this.open(until);
    let effects: Promise<void> = Promise.resolve();
    let read = checkpoint.position;
    let saved = checkpoint.position;
    let checkpointDue = clock.now() + config.checkpointSeconds;
    const save = async () => {
      const started = clock.now();
      const position = read;
      const { state } = await this.call({ type: 'snapshot', partition: this.partition });
      await effects;
      await this.save(checkpoint.epoch, position, state!, lost);
      saved = position;
      const cost = clock.now() - started;
      checkpointDue = clock.now() + Math.max(config.checkpointSeconds, cost / CHECKPOINT_SHARE);
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
        telemetry.setLag(this.partition, records[0] ? clock.now() - records[0].appendedAt : 0);
        const points = records.reduce((sum, { batch }) => sum + batch.ids.length, 0);
        for (const group of this.groups(records)) {
          const detected = await this.detect(group, until);
          await effects;
          effects = this.store(detected, checkpoint, lost);
          // Looked at before the next step; until then a failure is not unhandled.
          effects.catch(() => undefined);
          read = detected.lastPosition;
        }
        if (read > saved && clock.now() >= checkpointDue) await save();
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
      if (!lost.aborted && read > saved) await save();
    } finally {
      // The next owner must not meet effects that are still on their way.
      await effects.catch(() => undefined);
    }
  }

  private async open(until: AbortSignal): Promise<Checkpoint> {
    const { checkpoints, directory, logger } = this.parts;
    const checkpoint = await persist(
      () => checkpoints.takeOver(this.partition),
      until,
      this.warn('the checkpoint cannot be read'),
    );
    directory.clear(this.partition);
    const { restoreError } = await this.call({ type: 'open', partition: this.partition, state: checkpoint.state });
    if (restoreError !== null) {
      logger.error(
        `Partition ${String(this.partition)}: the checkpoint cannot be read, learning starts anew: ${restoreError}`,
      );
    }
    return checkpoint;
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
    const { directory, clock, telemetry } = this.parts;
    const prepared = await persist(
      () => directory.prepare(this.partition, records),
      until,
      this.warn('metrics cannot be looked up'),
    );
    const positions = records.map(({ position }) => position);
    const lastPosition = positions.at(-1)!;
    const failures = this.failuresAt.get(lastPosition) ?? 0;
    this.busySince = clock.now();
    try {
      if (failures < EACH_SERIES) {
        const outputs = await this.detectTogether(prepared.inputs, prepared.definitions, positions);
        return { outputs, positions, lastPosition };
      }
      const outputs = await this.detectApart(prepared.inputs[0]!, prepared.definitions, lastPosition, failures);
      telemetry.poisoned.inc();
      return { outputs, positions: outputs.map(() => lastPosition), lastPosition };
    } finally {
      this.busySince = null;
    }
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
      throw new ShardFailedError(this.partition, positions, messageOf(error), { cause: error });
    }
    const { failure, outputs } = response;
    if (failure) throw new ShardFailedError(this.partition, [positions[failure.index]!], failure.message);
    this.parts.telemetry.analysed.inc(points);
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
      return [directory.withoutDetection(this.partition, input)];
    }
    let response: ShardResponse;
    try {
      response = await this.call({ type: 'applyEachSeries', partition: this.partition, definitions, input });
    } catch (error) {
      throw new ShardFailedError(this.partition, [position], messageOf(error), { cause: error });
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
  private async store({ outputs, positions, lastPosition }: Detected, checkpoint: Checkpoint, lost: AbortSignal) {
    const fresh = outputs.filter((_, index) => positions[index]! > checkpoint.appliedPosition);
    if (lastPosition <= checkpoint.appliedPosition) return;
    await this.parts.effects.store(
      { partition: this.partition, epoch: checkpoint.epoch, position: lastPosition, outputs: fresh },
      lost,
    );
  }

  private async save(epoch: number, position: number, state: Uint8Array, lost: AbortSignal): Promise<void> {
    const { checkpoints, log, telemetry } = this.parts;
    const isOurs = await persist(
      () => checkpoints.save(this.partition, epoch, position, state),
      lost,
      this.warn('the checkpoint cannot be written'),
    );
    if (!isOurs) throw new PartitionLostError(this.partition);
    for (const known of this.failuresAt.keys()) if (known <= position) this.failuresAt.delete(known);
    telemetry.checkpointBytes.set({ partition: String(this.partition) }, state.byteLength);
    await log.trim(this.partition, position);
  }

  private call(request: ShardRequest): Promise<ShardResponse> {
    return this.parts.executor.call(request);
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
      const what = stop.aborted ? 'stopped without a last checkpoint' : 'let go, its connection broke';
      logger.warn(`${partition}: ${what}: ${messageOf(error)}`);
      return;
    }
    logger.error(`${partition} is opened anew: ${messageOf(error)}`, error instanceof Error ? error.stack : undefined);
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

/** Raised a while after `signal`. */
function after(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => controller.abort(), milliseconds).unref(), { once: true });
  return controller.signal;
}
