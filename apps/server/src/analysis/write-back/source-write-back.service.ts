import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { AppError } from '../../common/errors/app-error.js';
import { messageOf } from '../../common/errors/message-of.js';
import { FairQueue } from '../../common/fair-share/fair-queue.js';
import { OutboxDelivery } from '../../common/outbox/outbox-delivery.js';
import { type QueueSettings } from '../../common/outbox/outbox.types.js';
import { pauseAfter } from '../../common/outbox/pause-after.js';
import { whileHeld } from '../../common/outbox/while-held.js';
import { MINUTE } from '../../common/time.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { SourceFailure } from '../../data/source/reading/driver.errors.js';
import { SourceActsService } from '../../data/source/source-acts.service.js';
import { SourceDriversService } from '../../data/source/source-drivers.service.js';
import { SourceTelemetryService } from '../../data/source/source-telemetry.service.js';
import { SourceWriteError } from '../../data/source/source.errors.js';
import { SourceWriterService } from '../../data/source/source-writer.service.js';
import { FAILURES_TO_REPORT } from '../../data/source/source.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { OutgoingError } from '../../platform/outgoing/outgoing.errors.js';
import { pauseWithoutSlots, planWriteBack, restAfter, type WriteBackPlan } from './plan-write-back.js';
import {
  type ClaimedWriteBack,
  WriteBackClaimsRepository,
  type WriteBackOutcome,
} from './write-back-claims.repository.js';
import { MAX_METRICS, WriteBackSamplesService } from './write-back-samples.service.js';

/** Reports on writing back for people and operators: events, lines of the log, figures. */
@Injectable()
export class WriteBackReportsService {
  private readonly logger = new Logger(WriteBackReportsService.name);

  constructor(
    private readonly acts: SourceActsService,
    private readonly telemetry: SourceTelemetryService,
  ) {}

  count(result: 'written' | 'failed', samples: number): void {
    this.telemetry.countWritten(result, samples);
  }

  /** The reason for a failed turn, for people. Errors of the program go to the log only. */
  reasonOf({ id }: ClaimedWriteBack, error: unknown): string {
    const isKnown =
      error instanceof SourceWriteError || error instanceof SourceFailure || error instanceof OutgoingError;
    if (isKnown) return messageOf(error);
    this.logger.warn(`The source ${String(id)} could not be written back to: ${messageOf(error)}`, error);
    return 'internal error; the log of the server has more';
  }

  report(source: ClaimedWriteBack, { failures, lastError, isStopped }: WriteBackOutcome): void {
    if (failures === undefined) return;
    const wasReported = source.failures >= FAILURES_TO_REPORT;
    if (failures === 0 && wasReported) this.acts.reportWrittenBackAgain(source);
    if ((isStopped === true && !wasReported) || failures === FAILURES_TO_REPORT) {
      this.acts.reportNotWrittenBack(source, lastError ?? '');
    }
  }
}

/** Maximum number of sources written to at the same time: by a process, and of one organisation. */
const AT_ONCE = 2;
const AT_ONCE_PER_ORG = 1;
/** A killed process delays its sources by at most this time. */
const CLAIM_SECONDS = 10;
const RENEW_EVERY_MS = 3000;
const MAX_ERROR_LENGTH = 500;
/**
 * A point of a source is stored within seconds; a point that is missing for longer (over the quota, for example) will
 * not arrive.
 */
const TIMEOUT_SECONDS = 10 * MINUTE;
const PATIENCE_PAUSE_SECONDS = 5;
/** Instants and points of a query that shows which series a source has. */
const MAX_INSTANTS = 10;
const MAX_POINTS = 100_000;

/**
 * Writes the expected range and the score of closed slots to the stores of sources: one source after the other, each by
 * one process at a time. Writing a slot again has the same result. Runs with the role `api`, which replays detectors.
 */
@Injectable()
export class SourceWriteBackService extends OutboxDelivery<ClaimedWriteBack> {
  private readonly turns = new FairQueue({
    slots: AT_ONCE,
    slotsPerParty: AT_ONCE_PER_ORG,
    waiting: 0,
    waitingPerParty: 0,
  });

  constructor(
    private readonly claims: WriteBackClaimsRepository,
    private readonly drivers: SourceDriversService,
    private readonly writer: SourceWriterService,
    private readonly samples: WriteBackSamplesService,
    private readonly orgs: OrgService,
    private readonly reports: WriteBackReportsService,
    clock: Clock,
  ) {
    super(claims, clock, { failure: 'Sources could not be written back to', leaseSeconds: CLAIM_SECONDS, role: 'api' });
  }

  protected override turnsOf(queue: string): QueueSettings {
    return { turns: this.turns, party: `org:${queue}`, atOnce: AT_ONCE_PER_ORG };
  }

  protected override async deliver(source: ClaimedWriteBack): Promise<void> {
    const { orgId, id, tries } = source;
    const renew = () => this.claims.renew(orgId, id, tries, this.clock.now() + CLAIM_SECONDS);
    await whileHeld({ renew, everyMs: RENEW_EVERY_MS, stopped: this.stopped.signal }, async (signal) => {
      const outcome = await this.outcomeOf(source, signal);
      const isTaken = await this.claims.finish(orgId, id, tries, outcome);
      if (isTaken) this.reports.report(source, outcome);
    });
  }

  /** Never rejects because of the source or the store. */
  private async outcomeOf(source: ClaimedWriteBack, signal: AbortSignal): Promise<WriteBackOutcome> {
    const now = this.clock.now();
    try {
      const settings = await this.orgs.getById(source.orgId);
      const slot = settings.retention1ResolutionSeconds;
      const plan = planWriteBack({ ...source, slotSeconds: slot });
      if (plan === null) return { nextWriteAt: now + pauseWithoutSlots(source.intervalSeconds) };
      const newest = await this.drivers.listNewest(source, windowOf(source, plan), signal);
      const metrics = await this.samples.find(source.orgId, newest);
      if (now - plan.until < TIMEOUT_SECONDS && metrics.some((metric) => isAwaited(metric, newest, plan, slot))) {
        return { nextWriteAt: now + Math.min(PATIENCE_PAUSE_SECONDS, source.intervalSeconds) };
      }
      await this.write(source, await this.samples.make(metrics, settings, plan, signal), signal);
      const ended = this.clock.now();
      return {
        nextWriteAt: ended + restAfter(ended - now, plan, source.intervalSeconds),
        watermark: plan.until,
        failures: 0,
        lastError: newest.size > MAX_METRICS ? tooMany(newest.size) : null,
      };
    } catch (error) {
      // The process stops, or the source was changed or claimed by another process: its state is unknown.
      return signal.aborted ? { nextWriteAt: now } : this.failed(source, error, now);
    }
  }

  /** A request for each slot, oldest first: stores accept the samples of a series in chronological order. */
  private async write(
    source: ClaimedWriteBack,
    slots: Awaited<ReturnType<WriteBackSamplesService['make']>>,
    signal: AbortSignal,
  ): Promise<void> {
    for (const [, samples] of [...slots].sort(([one], [other]) => one - other)) {
      try {
        await this.writer.write(source, samples, signal);
      } catch (error) {
        this.reports.count('failed', samples.length);
        throw error;
      }
      this.reports.count('written', samples.length);
    }
  }

  private failed(source: ClaimedWriteBack, error: unknown, now: number): WriteBackOutcome {
    if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
      // The store works; replays have to wait in this process.
      return { nextWriteAt: now + error.retryAfterSeconds };
    }
    const failures = source.failures + 1;
    const isWrite = error instanceof SourceWriteError;
    const wanted = isWrite ? (error.retryAfterSeconds ?? 0) : 0;
    return {
      nextWriteAt: now + Math.max(wanted, pauseAfter(failures, Math.random())),
      failures,
      ...(isWrite && error.isFinal ? { isStopped: true } : {}),
      lastError: this.reports.reasonOf(source, error).slice(0, MAX_ERROR_LENGTH),
    };
  }
}

/** Some instants of the slots: enough to know which series there are. */
function windowOf(source: ClaimedWriteBack, { from }: WriteBackPlan) {
  const { intervalSeconds, readUntil, seriesCount, maxSeries } = source;
  const most = Math.max(1, Math.min(MAX_INSTANTS, Math.floor(MAX_POINTS / (seriesCount ?? maxSeries))));
  const intervals = Math.max(1, Math.ceil((readUntil - from) / intervalSeconds) + 1);
  const stepSeconds = Math.ceil(intervals / most) * intervalSeconds;
  const instants = Math.ceil((intervals * intervalSeconds) / stepSeconds);
  return { from: readUntil - instants * stepSeconds, until: readUntil, stepSeconds };
}

/** True if a point of the source has not been stored in the series yet. */
function isAwaited(
  { name, lastTimestamp, excludedTimestamp }: MetricRecord,
  newest: ReadonlyMap<string, number>,
  { settledFrom }: WriteBackPlan,
  slot: number,
): boolean {
  if (excludedTimestamp !== null) return false;
  const newestSlot = Math.floor((newest.get(name) ?? 0) / slot) * slot;
  return (lastTimestamp ?? 0) < Math.min(newestSlot, settledFrom);
}

const tooMany = (count: number): string =>
  `the query gives ${String(count)} series; the first ${String(MAX_METRICS)} by their names are written back`;
