import { type Logger } from '@nestjs/common';
import { type LogRecord, type PointLog } from '#libs/point-log';
import { type Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { beginSpan, runToEndOfSpan, runInSpan, LINKS } from '../../common/telemetry/tracing.js';
import { type Checkpoint } from './detection-checkpoint.repository.js';
import { type DetectionConfig } from './detection.config.js';
import { ShardFailedError } from './detection.errors.js';
import { type DetectionEffectsService } from './detection-effects.service.js';
import { type DetectionTelemetryService } from './detection-telemetry.service.js';
import { type PartitionOwnershipService } from './partition-ownership.service.js';
import { type Detected, type PartitionShard, type PartitionShards } from './partition-shard.js';
import { backOffMilliseconds, doneOrAborted, pause, retry, type Warner } from './retry.js';
import { StateSaver } from './state-saver.js';

export interface ConsumerParts {
  log: PointLog;
  shards: PartitionShards;
  ownership: PartitionOwnershipService;
  effects: DetectionEffectsService;
  telemetry: DetectionTelemetryService;
  clock: Clock;
  config: DetectionConfig;
  logger: Logger;
}

const IDLE_WAIT_MS = 1500;
/** Time that a stop waits for an unavailable database; the log still contains all records. */
const STOP_TIMEOUT_MS = 10_000;

/**
 * Processes one partition of the point log with the detector: read, detect, store effects, save, trim. While the
 * effects of one batch are stored, the next one is detected, but not more. After a failure, work is repeated from the
 * last saved state; effects are stored once, because each transaction of effects records its position.
 */
export class PartitionConsumer {
  private readonly shard: PartitionShard;
  private replayBehind: number | null = null;
  private isOwner = false;
  private readonly warner: Warner = (what) => (error, failures) => {
    // The first failure may be temporary; later ones are logged occasionally.
    if (failures === 2 || failures % 20 === 0) {
      this.parts.logger.warn(`Partition ${String(this.partition)}: ${what}: ${messageOf(error)}`);
    }
  };

  constructor(
    readonly partition: number,
    private readonly parts: ConsumerParts,
  ) {
    this.shard = parts.shards.create(partition, parts.logger, this.warner);
  }

  /** True while this process owns the partition. */
  get owns(): boolean {
    return this.isOwner;
  }

  /** While records after the checkpoint are read again: the lag in seconds. Otherwise null. */
  get replayingBehindSeconds(): number | null {
    return this.replayBehind;
  }

  /** Unix seconds at which the detector received its current work; null while it waits for work. */
  get detectingSince(): number | null {
    return this.shard.detectingSince;
  }

  /** Resolves when `stop` was raised and the state is saved. Never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    for (let failures = 0; !stop.aborted;) {
      const ownership = await this.parts.ownership.acquire(this.partition, stop, this.warner);
      if (!ownership) return;
      const end = AbortSignal.any([stop, ownership.handOver]);
      try {
        this.isOwner = true;
        this.parts.telemetry.partitions.inc();
        const lost = AbortSignal.any([ownership.lost, after(end, STOP_TIMEOUT_MS)]);
        await this.consume(end, lost, () => (failures = 0));
      } catch (error) {
        this.recordFailure(error, end, ownership.lost);
      } finally {
        this.isOwner = false;
        this.parts.telemetry.partitions.dec();
        this.parts.telemetry.forget(this.partition);
        await ownership.release();
      }
      if (ownership.handOver.aborted) failures = 0;
      else await pause(backOffMilliseconds(failures++), stop);
    }
  }

  /** @param lost raised when writing is no longer allowed or possible */
  private async consume(stop: AbortSignal, lost: AbortSignal, onProgress: () => void): Promise<void> {
    const { log, config, telemetry, clock } = this.parts;
    const until = AbortSignal.any([stop, lost]);
    const checkpoint = await this.open(until);
    const owner = { partition: this.partition, epoch: checkpoint.epoch };
    const saver = new StateSaver(
      owner,
      this.parts,
      (request) => this.shard.call(request),
      lost,
      (position) => this.shard.forgetFailures(position),
    );
    let effects: Promise<void> = Promise.resolve();
    let read = checkpoint.position;
    // True if an append caused this read.
    let isPrompted = false;
    // One after the other. Awaited before the next step; until then, a failure must not count as unhandled.
    const next = (work: () => Promise<void>): void => {
      effects = effects.then(work);
      effects.catch(() => undefined);
    };

    try {
      while (!until.aborted) {
        const began = performance.now();
        // Registered before reading, so that no append falls between the two.
        const nextAppend = log.waitForAppend(IDLE_WAIT_MS);
        const records = await retry(
          () => log.read(this.partition, read, config.batchPoints),
          until,
          this.warner('the point log cannot be read'),
        );
        const lag = records[0] ? clock.now() - records[0].appendedAt : 0;
        telemetry.setLag(this.partition, lag);
        const points = records.reduce((sum, { batch }) => sum + batch.ids.length, 0);
        for (const group of this.shard.group(records)) {
          const span = points === 0 ? undefined : this.beginBatch(points);
          const detected = await runInSpan(span, () => this.detectBeside(effects, group, until));
          next(() => runToEndOfSpan(span, () => this.store(detected, checkpoint, lost)));
          saver.recordOutputs(detected.outputs);
          read = detected.lastPosition;
        }
        if (records.length > 0) this.logReplay(read < checkpoint.appliedPosition ? lag : null);
        // Saved pages must not be older than the pages they were restored from.
        if (read >= checkpoint.appliedPosition) for (const work of await saver.takeWork()) next(work);
        if (records.length === 0 || this.shard.mayAwaitHistory) await effects;
        const isRelearning = read >= checkpoint.appliedPosition && (await this.shard.learnHistories(until));
        if (records.length > 0) onProgress();
        // An append that wakes all consumers may be the first of many, and may be in another partition: it is read
        // immediately. Appends that follow shortly after it are read together.
        const isFollowed = records.length > 0 ? points < config.batchPoints / 2 : isPrompted;
        isPrompted = records.length === 0 && !isRelearning && ((await doneOrAborted(nextAppend, until)) ?? false);
        if (isRelearning) await pause(config.gatherMilliseconds, until);
        else if (isFollowed) await pause(began + config.gatherMilliseconds - performance.now(), until);
      }
      await effects;
      if (!lost.aborted && read >= checkpoint.appliedPosition) await saver.finish();
    } finally {
      saver.end();
      this.logReplay(null);
      // The next owner must not start while effects are still being stored.
      await effects.catch(() => undefined);
    }
  }

  /** Detects while the effects of the previous batch are stored, and waits for both. */
  private async detectBeside(
    effects: Promise<void>,
    group: readonly LogRecord[],
    until: AbortSignal,
  ): Promise<Detected> {
    const detected = await this.shard.detect(group, until);
    await effects;
    return detected;
  }

  /** Links to the appends whose points it may contain. */
  private beginBatch(points: number) {
    return beginSpan('detection batch', () => ({
      kind: 'consumer',
      linkedTo: LINKS.append(this.partition),
      takesLinks: true,
      attributes: { 'plumbline.partition': this.partition, 'plumbline.points': points },
    }));
  }

  private async open(until: AbortSignal): Promise<Checkpoint> {
    const { ownership, logger, clock } = this.parts;
    const started = clock.now();
    const { checkpoint, series } = await ownership.restore(this.shard, until, logger, this.warner);
    if (series > 0) {
      const seconds = (clock.now() - started).toFixed(1);
      logger.log(`Partition ${String(this.partition)}: ${String(series)} series restored in ${seconds} s`);
    }
    return checkpoint;
  }

  private logReplay(behindSeconds: number | null): void {
    const { logger } = this.parts;
    const partition = `Partition ${String(this.partition)}`;
    if (behindSeconds !== null && this.replayBehind === null) {
      logger.log(`${partition}: replaying what came after its checkpoint, ${behindSeconds.toFixed(0)} s behind`);
    }
    if (behindSeconds === null && this.replayBehind !== null) logger.log(`${partition}: the replay is over`);
    this.replayBehind = behindSeconds;
  }

  /** Effects up to `appliedPosition` of the checkpoint were stored before a restart: they are not repeated. */
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

  private recordFailure(error: unknown, stop: AbortSignal, lost: AbortSignal): void {
    const { logger, telemetry } = this.parts;
    const partition = `Partition ${String(this.partition)}`;
    telemetry.failures.inc();
    if (error instanceof ShardFailedError) {
      this.shard.recordFailure(error.positions);
    } else if (lost.aborted || stop.aborted) {
      // The database is unavailable, which is not an error of this program; the log contains all records after the last
      // checkpoint.
      const what = stop.aborted ? 'stopped without a last checkpoint' : 'released, its connection was lost';
      logger.warn(`${partition}: ${what}: ${messageOf(error)}`);
      return;
    }
    logger.error(`${partition} is reopened: ${messageOf(error)}`, error instanceof Error ? error.stack : undefined);
  }
}

/** Raised a while after `signal`. */
function after(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => controller.abort(), milliseconds).unref(), { once: true });
  return controller.signal;
}
