import { Inject, Injectable } from '@nestjs/common';
import { type PointLog, type PointLogFullError } from '#libs/point-log';
import { DetectionBacklogService } from '../detection-backlog/detection-backlog.service.js';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { IngestConfig } from './ingest.config.js';
import { IngestBusyError } from './ingest.errors.js';

/**
 * Decides whether more points can be accepted, before any work for them: under overload the time of the process is for
 * points that it can accept, not for reading points that it will refuse.
 */
@Injectable()
export class IngestGateService {
  /** Points that waited when the log last refused some; undefined while it takes all. */
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

  /** The log refused points: until some of those waiting are written, it would refuse more. */
  recordFull({ queuedPoints }: PointLogFullError): IngestBusyError {
    this.fullAt = queuedPoints;
    return new IngestBusyError('queue_full');
  }
}
