import { Inject, Injectable } from '@nestjs/common';
import { type PointLog, type PointLogFullError } from '#libs/point-log';
import { DetectionBacklogService } from '../detection-backlog/detection-backlog.service.js';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { IngestConfig } from './ingest.config.js';
import { IngestBusyError } from './ingest.errors.js';

/**
 * Decides whether more points can be accepted, before any work for them: under overload, the process spends its time on
 * points that it can accept, not on parsing points that it will refuse.
 */
@Injectable()
export class IngestGateService {
  /** Number of waiting points when the log last refused some; undefined while it accepts all. */
  private fullAt: number | undefined;

  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly backlog: DetectionBacklogService,
    private readonly config: IngestConfig,
  ) {}

  /** @throws IngestBusyError */
  check(): void {
    if (this.backlog.points >= this.config.maxBacklogPoints) throw new IngestBusyError('backlog_full');
    if (this.fullAt === undefined) return;
    if (this.log.stats().queuedPoints >= this.fullAt) throw new IngestBusyError('queue_full');
    this.fullAt = undefined;
  }

  /** The log refused points: it would refuse more until some of the waiting ones are written. */
  recordFull({ queuedPoints }: PointLogFullError): IngestBusyError {
    this.fullAt = queuedPoints;
    return new IngestBusyError('queue_full');
  }
}
