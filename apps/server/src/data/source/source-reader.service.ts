import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { AppError } from '../../common/errors/app-error.js';
import { messageOf } from '../../common/errors/message-of.js';
import { FairQueue } from '../../common/fair-share/fair-queue.js';
import { OutboxDelivery } from '../../common/outbox/outbox-delivery.js';
import { type QueueSettings } from '../../common/outbox/outbox.types.js';
import { pauseAfter } from '../../common/outbox/pause-after.js';
import { whileHeld } from '../../common/outbox/while-held.js';
import { OutgoingError } from '../../platform/outgoing/outgoing.errors.js';
import { OrgService } from '../../people/org/org.service.js';
import { SourceFailure } from './reading/driver.errors.js';
import { type SourceAnswer } from './reading/driver.types.js';
import { namesWindow } from './reading/placeholders.js';
import {
  FIRST_INTERVALS,
  newestInstant,
  nextChunk,
  nextReadTime,
  planPresent,
  planRead,
  type ReadPlan,
  smallerChunk,
} from './reading/plan-read.js';
import { SourceActsService } from './source-acts.service.js';
import { type ReadOutcome, SourceClaimsRepository } from './source-claims.repository.js';
import { SourceDriversService } from './source-drivers.service.js';
import { SourceIntakeService } from './source-intake.service.js';
import { SourceTelemetryService } from './source-telemetry.service.js';
import { type ClaimedSource, FAILURES_TO_REPORT } from './source.types.js';

/** Maximum number of concurrent reads of a process, and of one organisation. */
const AT_ONCE = 16;
const AT_ONCE_PER_ORG = 4;
/** A killed process delays its sources by at most this time. */
const CLAIM_SECONDS = 10;
const RENEW_EVERY_MS = 3000;
const MAX_ERROR_LENGTH = 500;

/**
 * Fetches the next windows of sources: one window of one source at a time, each source by one process, organisations in
 * rotation. Runs with the role `ingest`.
 */
@Injectable()
export class SourceReaderService extends OutboxDelivery<ClaimedSource> {
  private readonly turns = new FairQueue({
    slots: AT_ONCE,
    slotsPerParty: AT_ONCE_PER_ORG,
    waiting: 0,
    waitingPerParty: 0,
  });

  constructor(
    private readonly claims: SourceClaimsRepository,
    private readonly drivers: SourceDriversService,
    private readonly intake: SourceIntakeService,
    private readonly orgs: OrgService,
    private readonly acts: SourceActsService,
    private readonly telemetry: SourceTelemetryService,
    clock: Clock,
  ) {
    super(claims, clock, { failure: 'Sources could not be read', leaseSeconds: CLAIM_SECONDS, role: 'ingest' });
  }

  protected override turnsOf(queue: string): QueueSettings {
    return { turns: this.turns, party: `org:${queue}`, atOnce: AT_ONCE_PER_ORG };
  }

  protected override async deliver(source: ClaimedSource): Promise<void> {
    const { orgId, id, tries } = source;
    const renew = () => this.claims.renew(orgId, id, tries, this.clock.now() + CLAIM_SECONDS);
    await whileHeld({ renew, everyMs: RENEW_EVERY_MS, stopped: this.stopped.signal }, async (signal) => {
      const outcome = await this.read(source, signal);
      const isTaken = await this.claims.finish(orgId, id, tries, outcome);
      if (isTaken) this.report(source, outcome);
      else this.telemetry.count(source.type, 'superseded');
    });
  }

  /** Reads one window and stores it; never rejects because of the source or the storage. */
  private async read(source: ClaimedSource, signal: AbortSignal): Promise<ReadOutcome> {
    const now = this.clock.now();
    try {
      if (source.watermark === null && namesWindowOf(source)) return await this.begin(source, signal, now);
      const plan = await this.planOf(source, now);
      // The clock was set back, or the interval has changed.
      if (plan === null)
        return { nextReadAt: Math.max(now + 1, nextReadTime(source.id, newestInstant(now, source), source)) };
      const answer = await this.drivers.readStored(source, plan.window, signal);
      const points = await this.intake.store(source, answer, plan.window, now);
      this.telemetry.count(source.type, 'read', points);
      return this.progressed(source, plan, answer, now);
    } catch (error) {
      // The process stops, or the source was changed or claimed by another process: its state is unknown.
      return signal.aborted ? { nextReadAt: now } : this.failed(source, error, now);
    }
  }

  /**
   * Before the past is read: measures how much one interval returns, so that no read of the past returns too much.
   * Nothing is stored.
   */
  private async begin(source: ClaimedSource, signal: AbortSignal, now: number): Promise<ReadOutcome> {
    const newest = newestInstant(now, source);
    const window = { from: newest - source.intervalSeconds, until: newest, stepSeconds: source.intervalSeconds };
    const answer = await this.drivers.readStored(source, window, signal);
    const points = pointsOf(answer);
    this.telemetry.count(source.type, 'read');
    const watermark = newestInstant(source.createdAt, source) - source.backfillSeconds;
    return {
      nextReadAt: now,
      watermark: Math.floor(watermark / source.intervalSeconds) * source.intervalSeconds,
      chunkIntervals: nextChunk(FIRST_INTERVALS, points, 1, null),
      seriesCount: answer.series.length,
      pointsPerInterval: points,
      failures: 0,
      lastError: null,
    };
  }

  private async planOf(source: ClaimedSource, now: number): Promise<ReadPlan | null> {
    if (!namesWindowOf(source)) return planPresent({ ...source, watermark: source.watermark ?? 0 }, now);
    const { retention2PeriodSeconds } = await this.orgs.getAnalysisVariables(source.orgId);
    // The oldest slots expire while they are being read.
    const oldest = now - retention2PeriodSeconds + source.intervalSeconds;
    return planRead({ ...source, watermark: source.watermark! }, now, oldest);
  }

  private progressed(
    source: ClaimedSource,
    { window, isLast }: ReadPlan,
    answer: SourceAnswer,
    now: number,
  ): ReadOutcome {
    const intervals = (window.until - window.from) / window.stepSeconds;
    const points = pointsOf(answer);
    return {
      nextReadAt: isLast ? Math.max(now, nextReadTime(source.id, window.until, source)) : now,
      watermark: window.until,
      isBackfilling: source.isBackfilling && !isLast,
      chunkIntervals: nextChunk(source.chunkIntervals, points, intervals, source.pointsPerInterval),
      // The past may have had fewer.
      ...(isLast ? { seriesCount: answer.series.length, pointsPerInterval: points / intervals } : {}),
      failures: 0,
      lastError: null,
      lastSuccessAt: now,
    };
  }

  private failed(source: ClaimedSource, error: unknown, now: number): ReadOutcome {
    if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
      // The source works; this installation makes the points wait.
      this.telemetry.count(source.type, 'waited');
      return { nextReadAt: now + error.retryAfterSeconds };
    }
    this.intake.forget(source.id);
    this.telemetry.count(source.type, 'failed');
    const isKnown = error instanceof SourceFailure || error instanceof OutgoingError;
    if (!isKnown) this.logger.warn(`The source ${String(source.id)} could not be read: ${messageOf(error)}`, error);
    const canShrink = error instanceof SourceFailure && error.kind !== 'too_many_series' && source.chunkIntervals > 1;
    const chunkIntervals = canShrink ? smallerChunk(source.chunkIntervals) : source.chunkIntervals;
    // Retried in smaller parts: not a failure of the source.
    if (canShrink && error.kind === 'too_large') return { nextReadAt: now, chunkIntervals };
    const failures = source.failures + 1;
    return {
      nextReadAt: now + pauseAfter(failures, Math.random()),
      chunkIntervals,
      failures,
      lastError: messageOf(isKnown ? error : new Error('internal error; the log of the server has more')).slice(
        0,
        MAX_ERROR_LENGTH,
      ),
    };
  }

  private report(source: ClaimedSource, { failures, lastError }: ReadOutcome): void {
    if (failures === undefined) return;
    if (failures === 1) {
      this.logger.warn(
        `The source ${String(source.id)} of organisation ${String(source.orgId)} fails: ${lastError ?? ''}`,
      );
    }
    if (failures === 0 && source.failures > 0) {
      this.logger.log(`The source ${String(source.id)} of organisation ${String(source.orgId)} works again`);
    }
    if (failures === FAILURES_TO_REPORT) this.acts.reportFailing(source, lastError ?? '');
    if (failures === 0 && source.failures >= FAILURES_TO_REPORT) this.acts.reportRecovered(source);
  }
}

const namesWindowOf = ({ type, query }: ClaimedSource): boolean => type !== 'sql' || namesWindow(query);

const pointsOf = ({ series }: SourceAnswer): number =>
  series.reduce((sum, { timestamps }) => sum + timestamps.length, 0);
