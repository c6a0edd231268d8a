import { Injectable, Logger } from '@nestjs/common';
import { PointLogFullError } from '#libs/point-log';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { ComponentReports } from '../../common/telemetry/component-reports.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { IngestGateService } from './ingest-gate.service.js';
import { IngestTelemetryService } from './ingest-telemetry.service.js';
import { isPassing, PointsNotStoredError } from './ingest.errors.js';

/** Time after a failure of the storage for which ingest is reported as not working. */
const FAILURE_SHOWN_SECONDS = 60;
/**
 * Time after a failure for which the process is not ready. A process that is not ready gets no bodies, so it cannot
 * detect that the storage is available again: it must soon become ready, or the senders of all such processes wait
 * without a reason.
 */
const NOT_READY_SECONDS = 5;
/** Time between two log lines about unavailable storage. */
const REPORT_SECONDS = 10;

/** Runs the storage work of ingest, and reports while the storage is unavailable. */
@Injectable()
export class IngestStorageService {
  private readonly logger = new Logger(IngestStorageService.name);
  /** Unix seconds at which the storage last failed. */
  private lastFailureAt = -Infinity;
  /** Why the last body could not be stored; null if one has been stored since. */
  private failure: string | null = null;
  /** Unix seconds of the last such log line, and number of failures since then. */
  private reportedAt = -Infinity;
  private unreportedFailures = 0;

  constructor(
    private readonly gate: IngestGateService,
    private readonly telemetry: IngestTelemetryService,
    private readonly clock: Clock,
    components: ComponentReports,
    readiness: ReadinessRegistry,
  ) {
    components.register('ingest', () => {
      const ok = this.clock.now() - this.lastFailureAt > FAILURE_SHOWN_SECONDS;
      return { ok, ageSeconds: null, message: ok ? '' : 'points could not be stored within the last minute' };
    });
    readiness.register('ingest', () => {
      const isRecent = this.clock.now() - this.lastFailureAt <= NOT_READY_SECONDS;
      if (this.failure !== null && isRecent) throw new Error(`points cannot be stored: ${this.failure}`);
    });
  }

  /**
   * Runs the storage work of a body. After temporary errors the sender is asked to retry; all others are internal
   * errors.
   * @throws IngestBusyError, PointsNotStoredError
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PointLogFullError) throw this.gate.recordFull(error);
      if (!isPassing(error)) throw error;
      this.noteFailure(error);
      throw new PointsNotStoredError();
    }
  }

  /** Points have been stored: the storage is ready again. */
  noteStored(): void {
    this.failure = null;
  }

  /** Senders retry repeatedly while the storage is unavailable: every body is counted, but log lines are limited. */
  private noteFailure(error: unknown): void {
    const now = this.clock.now();
    this.telemetry.notStored.inc();
    this.lastFailureAt = now;
    this.failure = messageOf(error);
    this.unreportedFailures++;
    if (now - this.reportedAt < REPORT_SECONDS) return;
    const reason = messageOf(error);
    const times =
      this.unreportedFailures === 1 ? '' : ` (${String(this.unreportedFailures)} bodies since the last such line)`;
    this.logger.error(`Points could not be stored${times}: ${reason}`);
    this.reportedAt = now;
    this.unreportedFailures = 0;
  }
}
