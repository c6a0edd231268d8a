import { Inject, Injectable, Logger } from '@nestjs/common';
import { type AnomalyEvent, type ProgressColumns, type ShardOutput } from '#libs/detection';
import { type SeriesBatch, type SeriesStore } from '#libs/series';
import { afterCommit, sqlState, Transactions, type Tx } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { inSpan, LINKS } from '../../common/telemetry/tracing.js';
import { AnomalyRecordingService } from '../anomaly/anomaly-recording.service.js';
import { MetricRegistryService } from '../../data/metric/metric-registry.service.js';
import { SERIES_STORE } from '../../platform/storage/storage.types.js';
import { type StoredPageRow } from './detection-checkpoint.repository.js';
import { DetectionCheckpointsService } from './detection-checkpoints.service.js';
import { DetectionFollowersService } from './detection-followers.service.js';
import { DetectionTelemetryService } from './detection-telemetry.service.js';
import { PartitionLostError } from './detection.errors.js';
import { type FollowedChanges, type PartitionOwner } from './detection.types.js';
import { retry } from './retry.js';
import { type TakenPage } from './shard-host.js';

/** Results of the detector for the records of a partition up to and including `position`. */
export interface Effects extends PartitionOwner {
  position: number;
  outputs: readonly ShardOutput[];
}

/** A part of the state of the detector; null if nothing has changed. */
export interface SavedState {
  page: StoredPageRow | null;
  progress: ProgressColumns | null;
  /** A series of the partition recently got its first point, or the first one after a silence. */
  hasUrgentProgress: boolean;
  /** Once this is stored, a restart reads the log after this position. */
  replayAfter: number;
}

/** Number of attempts with all refused rows together before they are tried one by one. */
const REFUSALS_BEFORE_SPLIT = 3;
/** data_exception, integrity_constraint_violation: the same rows would always be refused. */
const REFUSED = /^2[23]/;

/** Stores the results of the detector for other areas: points, anomalies, the progress of metrics. */
@Injectable()
export class DetectionEffectsService {
  private readonly logger = new Logger(DetectionEffectsService.name);

  constructor(
    @Inject(SERIES_STORE) private readonly series: SeriesStore,
    private readonly transactions: Transactions,
    private readonly checkpoints: DetectionCheckpointsService,
    private readonly metrics: MetricRegistryService,
    private readonly followers: DetectionFollowersService,
    private readonly anomalies: AnomalyRecordingService,
    private readonly telemetry: DetectionTelemetryService,
  ) {}

  /**
   * Retries until everything is stored, however long the database is unavailable. Rows that the database refuses
   * because of their content are logged one by one, and do not delay the others.
   * @param lost raised when the caller may not or cannot write any more: the call then rejects
   * @throws PartitionLostError when another process owns the partition
   */
  async store(effects: Effects, lost: AbortSignal): Promise<void> {
    const slots = joinSlots(effects.outputs);
    const events = effects.outputs.flatMap((output) => output.events);
    const counters = effects.outputs.flatMap((output) => output.counters);
    if (slots.ids.length > 0) {
      const attributes = () => ({ attributes: { 'plumbline.slots': slots.ids.length } });
      await inSpan('detection store points', attributes, () => this.storeSlots(slots, lost));
    }
    if (counters.length > 0) await this.retry('counters', () => this.metrics.noteCounter(counters), lost);
    const followed = await this.retry('what follows', () => this.followers.followSlots(effects, effects.outputs), lost);
    if (events.length > 0 || followed !== null) {
      const attributes = () => ({ attributes: { 'plumbline.anomaly_events': events.length } });
      await inSpan('detection store findings', attributes, (span) => {
        // Before the write: other processes see the findings as soon as they are stored.
        span?.remember(LINKS.findings);
        return this.storeFindings(effects, events, followed, lost);
      });
    } else await this.retry('the position', () => this.markApplied(effects), lost);
  }

  /**
   * Stores the learning progress of series: absolute values of a time at which every earlier effect is stored. Call it
   * in the order in which they were reported.
   * @throws PartitionLostError when another process owns the partition
   */
  async storeProgress(
    owner: PartitionOwner,
    { progress, hasUrgentProgress }: { progress: ProgressColumns; hasUrgentProgress: boolean },
    lost: AbortSignal,
  ): Promise<void> {
    if (progress.ids.length === 0) return;
    const write = (): Promise<void> =>
      this.transactions.run(async (tx) => {
        await this.checkpoints.lockOwnership(owner, tx);
        await this.metrics.recordProgress(progress, tx);
      });
    await this.retry('progress', write, lost);
    await this.follow(owner, progress, hasUrgentProgress, lost);
  }

  /** True: placing a page may take a long time, and must not delay effects. */
  get placesApart(): boolean {
    return this.checkpoints.placesApart;
  }

  /** Stores the bytes of a page so that its row can refer to them. Retries until this succeeds. */
  placePage(owner: PartitionOwner, page: TakenPage, until: AbortSignal): Promise<StoredPageRow> {
    return this.retry('a page of learnt state', () => this.checkpoints.place(owner, page), until);
  }

  /**
   * Stores a page of learnt state, its progress, and the position from which a restart reads, in one transaction. Every
   * effect up to the position of the page must already be stored.
   * @throws PartitionLostError when another process owns the partition
   */
  async storePage(owner: PartitionOwner, saved: SavedState, lost: AbortSignal): Promise<void> {
    const { progress, hasUrgentProgress } = saved;
    const write = (): Promise<void> =>
      this.transactions.run(async (tx) => {
        const replaced = await this.checkpoints.save(owner, saved, tx);
        if (progress) await this.metrics.recordProgress(progress, tx);
        if (replaced !== null) afterCommit(tx, () => this.checkpoints.forget(owner.partition, replaced));
      });
    await this.retry('a checkpoint', write, lost);
    if (progress) await this.follow(owner, progress, hasUrgentProgress, lost);
  }

  private follow(
    { partition }: PartitionOwner,
    progress: ProgressColumns,
    hasUrgentProgress: boolean,
    lost: AbortSignal,
  ): Promise<void> {
    return this.retry(
      'what follows from progress',
      () => this.followers.followProgress(partition, progress, hasUrgentProgress),
      lost,
    );
  }

  private async storeSlots(slots: SeriesBatch, lost: AbortSignal): Promise<void> {
    try {
      await this.retry('points', () => this.series.write(slots), lost, isMisshapen);
    } catch (error) {
      if (!isMisshapen(error)) throw error;
      this.telemetry.refusedRows.inc();
      this.logger.error(`A batch of points cannot be stored: ${messageOf(error)}`);
    }
  }

  private async storeFindings(
    effects: Effects,
    events: AnomalyEvent[],
    followed: FollowedChanges | null,
    lost: AbortSignal,
  ): Promise<void> {
    const isStored = await this.tryFindings(effects, events, followed, lost);
    if (!isStored) await this.storeOneByOne(effects, events, followed, lost);
  }

  /** False if the database refuses the rows because of their content. */
  private tryFindings(
    effects: Effects,
    events: AnomalyEvent[],
    followed: FollowedChanges | null,
    lost: AbortSignal,
  ): Promise<boolean> {
    return this.retry(
      'findings',
      () =>
        this.transactions.run(async (tx) => {
          await this.markApplied(effects, tx);
          await followed?.write(tx);
          await this.anomalies.record(events, tx);
          return true;
        }),
      lost,
      isRefused,
    ).catch((error: unknown) => {
      if (!isRefused(error, REFUSALS_BEFORE_SPLIT)) throw error;
      return false;
    });
  }

  private async storeOneByOne(
    effects: Effects,
    events: AnomalyEvent[],
    followed: FollowedChanges | null,
    lost: AbortSignal,
  ): Promise<void> {
    for (const event of events) {
      const write = (tx: Tx) => this.anomalies.record([event], tx);
      try {
        await this.retry('a row', () => this.transactions.run(write), lost, isRefused);
      } catch (error) {
        if (!isRefused(error, REFUSALS_BEFORE_SPLIT)) throw error;
        this.telemetry.refusedRows.inc();
        this.logger.error(
          `The database refuses what detection found on metric ${String(event.seriesId)}: ${messageOf(error)}`,
        );
      }
    }
    if (await this.tryFindings(effects, [], followed, lost)) return;
    this.telemetry.refusedRows.inc();
    this.logger.error('The database refuses what follows from points; it is left out');
    await this.retry('the position', () => this.markApplied(effects), lost);
  }

  private markApplied(effects: Effects, tx?: Tx): Promise<void> {
    return this.checkpoints.markApplied(effects, effects.position, tx);
  }

  private retry<T>(
    what: string,
    work: () => Promise<T>,
    lost: AbortSignal,
    isPermanent: (error: unknown, failures: number) => boolean = () => false,
  ): Promise<T> {
    return retry(
      work,
      lost,
      (error, failures) => {
        if (failures === 2 || failures % 20 === 0) this.logger.warn(`Storing ${what} failed: ${messageOf(error)}`);
      },
      (error, failures) => error instanceof PartitionLostError || isPermanent(error, failures),
    );
  }
}

/** The store reports that its input is not a valid batch; a retry would not change that. */
const isMisshapen = (error: unknown): boolean => error instanceof RangeError;

function isRefused(error: unknown, failures: number): boolean {
  return failures >= REFUSALS_BEFORE_SPLIT && REFUSED.test(sqlState(error) ?? '');
}

/** All slots in order; a repeated slot comes after its earlier value. */
function joinSlots(outputs: readonly ShardOutput[]): SeriesBatch {
  if (outputs.length === 1) return outputs[0]!.slots;
  const count = outputs.reduce((sum, { slots }) => sum + slots.ids.length, 0);
  const joined = {
    ids: new Uint32Array(count),
    timestamps: new Float64Array(count),
    values: new Float64Array(count),
  };
  let row = 0;
  for (const { slots } of outputs) {
    joined.ids.set(slots.ids, row);
    joined.timestamps.set(slots.timestamps, row);
    joined.values.set(slots.values, row);
    row += slots.ids.length;
  }
  return joined;
}
