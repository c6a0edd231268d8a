import { Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../../common/errors/message-of.js';
import { SourceFailure } from '../../data/source/reading/driver.errors.js';
import { SourceActsService } from '../../data/source/source-acts.service.js';
import { SourceTelemetryService } from '../../data/source/source-telemetry.service.js';
import { FAILURES_TO_REPORT } from '../../data/source/source.types.js';
import { SourceWriteError } from '../../data/source/source.errors.js';
import { OutgoingError } from '../../platform/outgoing/outgoing.errors.js';
import { type ClaimedWriteBack, type WriteBackOutcome } from './write-back-claims.repository.js';

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
