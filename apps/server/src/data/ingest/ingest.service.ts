import { Injectable, Logger } from '@nestjs/common';
import { type ParseLimits } from '#libs/protocols';
import { inSpan } from '../../common/telemetry/tracing.js';
import { OnboardingService } from '../../people/progress/onboarding.service.js';
import { PointCountsService } from '../point-count/point-counts.service.js';
import { BodyParserService } from './body-parser.service.js';
import { type Admitted, type Found, IngestAdmissionService, type Taken } from './ingest-admission.service.js';
import { IngestLimitsService } from './ingest-limits.service.js';
import { type IngestProtocol, IngestTelemetryService } from './ingest-telemetry.service.js';
import { type PointSender, type ReceivedBody, type Sender } from './ingest.types.js';
import { type FoundIn, type ParseWork } from './parse-body.js';
import { PointWriterService } from './point-writer.service.js';
import { RefusalEventsService } from './refusal-events.service.js';

/** Work that follows stored points: figures, events about refused points, the first step of the onboarding. */
@Injectable()
export class StoredPointsService {
  private readonly logger = new Logger(StoredPointsService.name);
  private readonly onboarded = new Set<number>();

  constructor(
    private readonly telemetry: IngestTelemetryService,
    private readonly refusalEvents: RefusalEventsService,
    private readonly pointCounts: PointCountsService,
    private readonly onboarding: OnboardingService,
  ) {}

  /** Never rejects. */
  async note({ caller }: PointSender, protocol: IngestProtocol, { orgId, batch, refusals }: Admitted): Promise<void> {
    this.telemetry.count(protocol, batch.count, refusals);
    this.refusalEvents.recordRefusals(orgId, protocol, refusals);
    this.pointCounts.record(orgId, batch.count);
    if (batch.count > 0 && caller.org.onboardingStatusId === 1) await this.noteFirstData(orgId);
  }

  /** Once per organisation and process; the points are stored, so nothing here may fail the request. */
  private async noteFirstData(orgId: number): Promise<void> {
    if (this.onboarded.has(orgId)) return;
    this.onboarded.add(orgId);
    try {
      await this.onboarding.advance(orgId, 100);
    } catch (error) {
      this.onboarded.delete(orgId);
      this.logger.warn(`The onboarding status of organisation ${String(orgId)} could not be raised`, error);
    }
  }
}

/** Accepts the points of a body: limits, names to metrics, and the log. Resolves when they are durable. */
@Injectable()
export class IngestService {
  constructor(
    private readonly limits: IngestLimitsService,
    private readonly parser: BodyParserService,
    private readonly admission: IngestAdmissionService,
    private readonly writer: PointWriterService,
    private readonly stored: StoredPointsService,
  ) {}

  /**
   * Parses and stores a body; in test mode it only reports the outcome.
   * @throws AppError the whole body is refused: it is malformed, too large, over a limit, or cannot be stored at the
   *   moment
   */
  async take<Work extends ParseWork>(received: ReceivedBody, work: Work): Promise<Taken & { found: FoundIn<Work> }> {
    const { protocol } = work;
    const orgId = received.caller.org.id;
    const limits = await this.limits.ofBody(orgId, received);
    const { found, end } = await inSpan(
      'ingest parse',
      () => ({ attributes: { 'plumbline.protocol': protocol } }),
      () => this.parser.parse(received, work, limits),
    );
    received.release();
    let isStored = false;
    try {
      // The request only checks its key.
      if (received.validateKey) return { ...found, found };
      if (received.test) return { ...(await this.admission.tryOut(orgId, protocol, found)), found };
      await this.limits.charge(received, found.batch.count);
      await received.recheck();
      const admitted = await inSpan(
        'ingest admit',
        () => ({ attributes: { 'plumbline.points': found.batch.count } }),
        () => this.admission.admit(orgId, protocol, found),
      );
      await this.writer.commit(admitted);
      isStored = true;
      await this.stored.note(received, protocol, admitted);
      return { ...admitted, found };
    } finally {
      end(isStored);
    }
  }

  /**
   * For streaming protocols: no body, no history, and any number of points.
   * @param orgId organisation of the stream, once that is known
   */
  streamLimits(orgId?: number): ParseLimits {
    return this.limits.ofStream(orgId);
  }

  /** Counts points for the limit of the sender. @throws RateLimitedError */
  charge(sender: Sender, points: number): Promise<void> {
    return this.limits.charge(sender, points);
  }

  /**
   * The ids of the found series, without the points of metrics that are not allowed. May be called again after a
   * failure.
   * @throws PointsNotStoredError
   */
  admit(orgId: number, protocol: IngestProtocol, found: Found): Promise<Admitted> {
    return this.admission.admit(orgId, protocol, found);
  }

  /**
   * Writes points and ends of series to the log; resolves when they are durable. May be called again after a failure:
   * the same point twice is one point.
   * @throws IngestBusyError, PointsNotStoredError
   */
  commit(admitted: Admitted): Promise<void> {
    return this.writer.commit(admitted);
  }

  /** Runs the work that follows stored points; never rejects. */
  noteStored(sender: Sender, protocol: IngestProtocol, admitted: Admitted): Promise<void> {
    return this.stored.note(sender, protocol, admitted);
  }
}
