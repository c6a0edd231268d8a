import { Injectable, Logger } from '@nestjs/common';
import { PointLogFullError } from '#libs/point-log';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { ComponentReports } from '../../common/telemetry/component-reports.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { IngestGateService } from './ingest-gate.service.js';
import { IngestTelemetryService } from './ingest-telemetry.service.js';
import { isPassing, PointsNotStoredError } from './ingest.errors.js';

/** So long after a failure of the storage ingest is reported as not working. */
const FAILURE_SHOWN_SECONDS = 60;
/**
 * After a failure the process is not ready for this time. A process that is not ready gets no bodies, so it cannot learn that the
 * storage is back: it must ask for some soon, or the senders of all such processes wait for no reason.
 */
const NOT_READY_SECONDS = 5;
/** Time between two log lines about a storage that is away. */
const REPORT_SECONDS = 10;

/** Does what ingest needs of the storage, and reports while the storage is unavailable. */
@Injectable()
export class IngestStorageService {
  private readonly logger = new Logger(IngestStorageService.name);
  /** Unix seconds at which the storage last failed. */
  private lastFailureAt = -Infinity;
  /** Why the last body could not be stored; null when one has been stored since. */
  private failure: string | null = null;
  /** Unix seconds at which the log last said so, and failures since then. */
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
   * Does what a body needs of the storage. Errors that pass by themselves ask the sender to come back; all others are
   * our own.
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

  /** Senders come again and again while the storage is away: the counter has every body, the log a line once in a while. */
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
