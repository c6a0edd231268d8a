import { Inject, Injectable, Logger } from '@nestjs/common';
import { type OnboardingStatusId } from '#libs/contracts';
import { type AnomalyEvent, type SeriesProgress, type ShardOutput } from '#libs/detection';
import { type SeriesBatch, type SeriesStore } from '#libs/series';
import { AnomalyRecorder } from '../anomaly/anomaly-recording.service.js';
import { sqlState, Transactions, type Tx } from '../common/database/transactions.js';
import { messageOf } from '../common/errors/message-of.js';
import { MetricRegistry } from '../metric/metric-registry.service.js';
import { OrgService } from '../org/org.service.js';
import { SERIES_STORE } from '../storage/storage.types.js';
import { DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { DetectionTelemetry } from './detection-telemetry.service.js';
import { PartitionLostError } from './detection.errors.js';
import { persist } from './patience.js';
import { SeriesDirectory } from './series-directory.service.js';

/** What the detector made of the records of a partition up to and including `position`. */
export interface Effects {
  partition: number;
  epoch: number;
  position: number;
  outputs: readonly ShardOutput[];
}

/** So often rows that the database refuses are tried together before they are tried one by one. */
const REFUSALS_BEFORE_SPLIT = 3;
/** data_exception, integrity_constraint_violation: the same rows would be refused for ever. */
const REFUSED = /^2[23]/;

const POINTS_OF_LEARNING = 100;
const SECONDS_OF_LIVE = 86_400;

/** Puts the work of the detector where others see it: points, anomalies, the progress of metrics. */
@Injectable()
export class DetectionEffects {
  private readonly logger = new Logger(DetectionEffects.name);
  private readonly statusOfOrg = new Map<number, OnboardingStatusId>();

  constructor(
    @Inject(SERIES_STORE) private readonly series: SeriesStore,
    private readonly transactions: Transactions,
    private readonly checkpoints: DetectionCheckpointRepository,
    private readonly metrics: MetricRegistry,
    private readonly orgs: OrgService,
    private readonly anomalies: AnomalyRecorder,
    private readonly directory: SeriesDirectory,
    private readonly telemetry: DetectionTelemetry,
  ) {}

  /**
   * Tries until everything is stored, however long the database is away. Rows that the database refuses for what they are
   * go to the log, one by one, and do not hold up the others.
   * @param lost raised when the caller may or can not write any more: rejects then
   * @throws PartitionLostError when another process owns the partition
   */
  async store(effects: Effects, lost: AbortSignal): Promise<void> {
    const slots = joinSlots(effects.outputs);
    const events = effects.outputs.flatMap((output) => output.events);
    const progress = latestProgress(effects.outputs);
    if (slots.ids.length > 0) await this.storeSlots(slots, lost);
    await this.storeRows(effects, events, progress, lost);
    await this.persist('onboarding', () => this.advanceOnboarding(effects.partition, progress), lost);
  }

  private async storeSlots(slots: SeriesBatch, lost: AbortSignal): Promise<void> {
    try {
      await this.persist('points', () => this.series.write(slots), lost, isMisshapen);
    } catch (error) {
      if (!isMisshapen(error)) throw error;
      this.telemetry.refusedRows.inc();
      this.logger.error(`A batch of points cannot be stored: ${messageOf(error)}`);
    }
  }

  private async storeRows(
    effects: Effects,
    events: AnomalyEvent[],
    progress: SeriesProgress[],
    lost: AbortSignal,
  ): Promise<void> {
    const changes = await this.persist(
      'anomalies',
      () =>
        this.transactions.run(async (tx) => {
          await this.markApplied(effects, tx);
          await this.metrics.recordProgress(progress, tx);
          return this.anomalies.record(events, tx);
        }),
      lost,
      isRefused,
    ).catch((error: unknown) => {
      if (!isRefused(error, REFUSALS_BEFORE_SPLIT)) throw error;
      return undefined;
    });
    if (changes) this.anomalies.publish(changes);
    else await this.storeOneByOne(effects, events, progress, lost);
  }

  private async storeOneByOne(
    effects: Effects,
    events: AnomalyEvent[],
    progress: SeriesProgress[],
    lost: AbortSignal,
  ): Promise<void> {
    const rows = [
      ...progress.map((row) => ({
        id: row.id,
        write: async (tx: Tx) => {
          await this.metrics.recordProgress([row], tx);
          return [];
        },
      })),
      ...events.map((event) => ({ id: event.seriesId, write: (tx: Tx) => this.anomalies.record([event], tx) })),
    ];
    for (const { id, write } of rows) {
      try {
        this.anomalies.publish(await this.persist('a row', () => this.transactions.run(write), lost, isRefused));
      } catch (error) {
        if (!isRefused(error, REFUSALS_BEFORE_SPLIT)) throw error;
        this.telemetry.refusedRows.inc();
        this.logger.error(`The database refuses what detection found on metric ${String(id)}: ${messageOf(error)}`);
      }
    }
    await this.persist('the position', () => this.transactions.run((tx) => this.markApplied(effects, tx)), lost);
  }

  private async markApplied({ partition, epoch, position }: Effects, tx: Tx): Promise<void> {
    if (!(await this.checkpoints.markApplied(partition, epoch, position, tx))) throw new PartitionLostError(partition);
  }

  /** Asked in memory first: an organisation's status rises three times in its life. */
  private async advanceOnboarding(partition: number, progress: readonly SeriesProgress[]): Promise<void> {
    for (const { id, points, firstTimestamp, lastTimestamp } of progress) {
      const orgId = this.directory.get(partition, id)?.orgId;
      if (orgId === undefined) continue;
      const isLive = lastTimestamp - firstTimestamp >= SECONDS_OF_LIVE;
      const status = isLive && points >= POINTS_OF_LEARNING ? 300 : points >= POINTS_OF_LEARNING ? 200 : 100;
      if ((this.statusOfOrg.get(orgId) ?? 1) >= status) continue;
      await this.orgs.advanceOnboarding(orgId, status);
      this.statusOfOrg.set(orgId, status);
    }
  }

  private persist<T>(
    what: string,
    work: () => Promise<T>,
    lost: AbortSignal,
    isHopeless: (error: unknown, failures: number) => boolean = () => false,
  ): Promise<T> {
    return persist(
      work,
      lost,
      (error, failures) => {
        if (failures === 2 || failures % 20 === 0) this.logger.warn(`Storing ${what} failed: ${messageOf(error)}`);
      },
      (error, failures) => error instanceof PartitionLostError || isHopeless(error, failures),
    );
  }
}

/** The store says that what it was given is no batch; trying again would not change that. */
const isMisshapen = (error: unknown): boolean => error instanceof RangeError;

function isRefused(error: unknown, failures: number): boolean {
  return failures >= REFUSALS_BEFORE_SPLIT && REFUSED.test(sqlState(error) ?? '');
}

/** All slots in order; a slot that comes again follows its earlier value. */
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

function latestProgress(outputs: readonly ShardOutput[]): SeriesProgress[] {
  const latest = new Map<number, SeriesProgress>();
  for (const { progress } of outputs) for (const row of progress) latest.set(row.id, row);
  return [...latest.values()];
}
