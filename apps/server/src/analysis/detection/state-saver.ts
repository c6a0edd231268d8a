import { type Logger } from '@nestjs/common';
import { PAGE_SERIES, type ShardOutput } from '#libs/detection';
import { type PointLog } from '#libs/point-log';
import { type Clock } from '../../common/clock.js';
import { type DetectionConfig } from './detection.config.js';
import { type DetectionEffectsService } from './detection-effects.service.js';
import { type PartitionOwner } from './detection.types.js';
import { type DetectionTelemetryService } from './detection-telemetry.service.js';
import { MAX_PROGRESS_LAG_SECONDS } from '../../data/chips/metric-state-sql.js';
import { messageOf } from '../../common/errors/message-of.js';
import { type ShardRequest, type ShardResponse } from './shard-host.js';

export interface SaverParts {
  log: PointLog;
  effects: DetectionEffectsService;
  telemetry: DetectionTelemetryService;
  clock: Clock;
  config: DetectionConfig;
  logger: Logger;
}

interface TakenWork {
  first: (() => Promise<void>) | undefined;
  place: () => Promise<() => Promise<void>>;
  bytes: number;
  unsaved: number;
  series: number;
}

/** Maximum delay of the first values of a series. */
const URGENT_SECONDS = 1;
/**
 * Maximum number of rows of progress that all partitions together write per second: a row costs many times as much as
 * its point. If more series send, their newest values are written in rotation; the same applies to the first values of
 * new series.
 */
const PROGRESS_ROWS_PER_SECOND = 5000;
/** Minimum interval of trimming the log: the cost of a trim hardly depends on how much is dropped. */
const TRIM_SECONDS = 5;
/** Time for which a stop saves as much as possible; the log contains the rest. */
const FINISH_MS = 8000;

/**
 * Decides when the state of a partition is saved: its pages in rotation, each with a separate log position, at a rate
 * that spreads the writes; and the progress of its series. Created again with each ownership of the partition.
 */
export class StateSaver {
  private nextProgressAt: number;
  private nextUrgentAt = Infinity;
  private nextPageAt: number;
  /** Seconds between two pages. */
  private pageSeconds: number;
  private nextTrimAt = 0;
  private trimmedTo = 0;
  private savedTo = 0;
  private hasProgress = false;
  /**
   * Number of series whose progress was not written yet when some was last taken: those with a newer value, and new
   * ones.
   */
  private waiting = 0;
  private waitingNew = 0;
  /** Urgent progress since progress was last taken, or of series that still wait. */
  private hasUrgentProgress = false;
  private readonly ended = new AbortController();
  /** Resolves when the page that is being placed is stored, with the remaining work. */
  private placing: Promise<() => Promise<void>> | null = null;
  /** Remaining work for the placed page. */
  private placed: (() => Promise<void>) | null = null;

  /**
   * @param call into the shard of the partition
   * @param lost raised when writing is no longer allowed or possible
   * @param onSaved called with the log position up to which nothing will be read again
   */
  constructor(
    private readonly owner: PartitionOwner,
    private readonly parts: SaverParts,
    private readonly call: (request: ShardRequest) => Promise<ShardResponse>,
    private readonly lost: AbortSignal,
    private readonly onSaved: (position: number) => void,
  ) {
    const now = parts.clock.now();
    this.nextProgressAt = now + parts.config.progressSeconds;
    this.pageSeconds = parts.config.checkpointSeconds;
    this.nextPageAt = now + this.pageSeconds;
  }

  /** Records the pages that the shard has changed. */
  recordOutputs(outputs: readonly ShardOutput[]): void {
    this.hasProgress = true;
    const { clock } = this.parts;
    if (outputs.some(({ hasUrgentProgress }) => hasUrgentProgress)) {
      this.hasUrgentProgress = true;
      this.nextUrgentAt = Math.min(this.nextUrgentAt, clock.now() + URGENT_SECONDS);
    }
  }

  /**
   * The pending writes, from the current state of the shard. They must run after the effects of all records that the
   * shard has received so far. Not to be called during a replay.
   */
  async takeWork(): Promise<(() => Promise<void>)[]> {
    const now = this.parts.clock.now();
    const work: (() => Promise<void>)[] = [];
    // If the clock is set back, planned work must not wait for it to catch up.
    this.nextProgressAt = Math.min(this.nextProgressAt, now + this.parts.config.progressSeconds);
    if (this.nextUrgentAt < Infinity) this.nextUrgentAt = Math.min(this.nextUrgentAt, now + URGENT_SECONDS);
    this.nextPageAt = Math.min(this.nextPageAt, now + this.pageSeconds);
    this.nextTrimAt = Math.min(this.nextTrimAt, now + TRIM_SECONDS);
    if (this.hasProgress && now >= this.nextProgressAt)
      work.push(await this.takeProgress(this.rowsOfRound(), this.newRowsOfRound()));
    else if (now >= this.nextUrgentAt) work.push(await this.takeProgress(0, this.newRowsOfRound()));
    if (this.placed) {
      work.push(this.placed);
      this.placed = this.placing = null;
    }
    if (now >= this.nextPageAt && this.placing === null) {
      const { first, place, bytes, series } = await this.takePage();
      if (first) work.push(first);
      if (this.parts.effects.placesApart) this.placeMeanwhile(place);
      else work.push(async () => (await place())());
      this.pageSeconds = this.secondsPerPage(bytes, series);
      this.nextPageAt = now + this.pageSeconds;
    }
    return work;
  }

  /** Saves everything, or as much as possible in a few seconds. Effects must already be stored. */
  async finish(): Promise<void> {
    const { logger } = this.parts;
    await (
      await this.takeProgress(Infinity, Infinity)
    )();
    const deadline = performance.now() + FINISH_MS;
    this.nextTrimAt = Infinity;
    const store = this.placing && (await this.placing);
    await store?.();
    this.placed = this.placing = null;
    let left: number;
    do {
      const { first, place, unsaved } = await this.takePage();
      await first?.();
      await (
        await place()
      )();
      left = unsaved;
    } while (left > 0 && performance.now() < deadline && !this.lost.aborted);
    this.nextTrimAt = 0;
    await this.trim();
    if (left > 0) {
      const partition = `Partition ${String(this.owner.partition)}`;
      logger.log(`${partition} stops with ${String(left)} pages not saved; the next start replays the log`);
    }
  }

  /**
   * @param most series that have only a new value
   * @param mostNew series with their first point
   */
  private async takeProgress(most: number, mostNew: number): Promise<() => Promise<void>> {
    const { effects, clock, config } = this.parts;
    const { partition } = this.owner;
    const { progress, waiting, waitingNew } = await this.call({ type: 'drainProgress', partition, most, mostNew });
    const { hasUrgentProgress } = this;
    this.hasUrgentProgress = waitingNew > 0;
    this.nextUrgentAt = waitingNew > 0 ? clock.now() + URGENT_SECONDS : Infinity;
    this.waiting = waiting - waitingNew;
    this.waitingNew = waitingNew;
    this.hasProgress = waiting > 0;
    if (most > 0) this.nextProgressAt = clock.now() + config.progressSeconds;
    return () => effects.storeProgress(this.owner, { progress: progress!, hasUrgentProgress }, this.lost);
  }

  private rowsOfRound(): number {
    return this.rowsIn(this.parts.config.progressSeconds, this.waiting);
  }

  private newRowsOfRound(): number {
    return this.rowsIn(URGENT_SECONDS, this.waitingNew);
  }

  /** Number of rows that the rate allows, or more if a series would otherwise wait too long. */
  private rowsIn(seconds: number, waiting: number): number {
    const { log, config } = this.parts;
    if (config.progressSeconds === 0) return Infinity;
    const byRate = (PROGRESS_ROWS_PER_SECOND * seconds) / log.partitions;
    return Math.ceil(Math.max(byRate, (waiting * seconds) / MAX_PROGRESS_LAG_SECONDS));
  }

  /** No row will refer to a page that is still being placed. Call it when the partition is released. */
  end(): void {
    this.ended.abort();
  }

  /**
   * The next page; `unsaved`: remaining pages, `series`: number of series of the whole partition. `place` stores its
   * bytes and resolves with the remaining work, in the order of effects; `first` must run before that, in the same
   * order.
   */
  private async takePage(): Promise<TakenWork> {
    const { effects, telemetry } = this.parts;
    const { owner, lost } = this;
    const { partition } = owner;
    const { page, progress, replayAfter, unsaved, series } = await this.call({ type: 'savePage', partition });
    const { hasUrgentProgress } = this;
    const bytes = page?.bytes.byteLength ?? 0;
    // Progress is stored in the order in which it was taken, and does not wait for the bytes of a page.
    const isApart = effects.placesApart;
    const first =
      isApart && progress !== null
        ? () => effects.storeProgress(owner, { progress, hasUrgentProgress }, lost)
        : undefined;
    const place = async (): Promise<() => Promise<void>> => {
      // Nothing to save, and nothing new in the log.
      if (!page && replayAfter <= this.savedTo) return async () => undefined;
      const row = page && (await effects.placePage(owner, page, AbortSignal.any([lost, this.ended.signal])));
      return async () => {
        await effects.storePage(
          owner,
          { page: row, progress: isApart ? null : progress, hasUrgentProgress, replayAfter },
          lost,
        );
        this.savedTo = replayAfter;
        telemetry.checkpointBytes.inc(bytes);
        telemetry.checkpointPages.set({ partition: String(partition) }, unsaved);
        this.onSaved(replayAfter);
        await this.trim();
      };
    };
    return { first, place, bytes, unsaved, series };
  }

  private placeMeanwhile(place: TakenWork['place']): void {
    const placing = place();
    this.placing = placing;
    placing.then(
      (store) => (this.placed = store),
      // Given up: the partition is released, or stops, which `finish` reports.
      () => undefined,
    );
  }

  /**
   * Seconds until the next page: a round over all pages must take at least its minimum time, and all partitions
   * together must stay below the rate.
   */
  private secondsPerPage(bytes: number, series: number): number {
    const { config, log } = this.parts;
    const byRate = (bytes * log.partitions) / config.checkpointBytesPerSecond;
    return Math.max(config.checkpointSeconds / Math.max(1, Math.ceil(series / PAGE_SERIES)), byRate);
  }

  /** If trimming the log fails, the next trim includes it. */
  private async trim(): Promise<void> {
    const { log, clock, logger } = this.parts;
    if (this.savedTo <= this.trimmedTo || clock.now() < this.nextTrimAt) return;
    const position = this.savedTo;
    try {
      await log.trim(this.owner.partition, position);
      this.trimmedTo = position;
      this.nextTrimAt = clock.now() + TRIM_SECONDS;
    } catch (error) {
      logger.warn(`Partition ${String(this.owner.partition)}: the log cannot be trimmed: ${messageOf(error)}`);
    }
  }
}
