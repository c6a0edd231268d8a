import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ComponentReports } from '../common/telemetry/component-reports.js';
import { StorageConfig } from './storage.config.js';
import { POINT_LOG, type PointLog } from './storage.types.js';

/** Tells GET /status how full the queue in front of the point log is. */
@Injectable()
export class QueueReport implements OnModuleInit {
  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly config: StorageConfig,
    private readonly reports: ComponentReports,
  ) {}

  onModuleInit(): void {
    this.reports.register('queue', () => {
      const { queuedPoints } = this.log.stats();
      return {
        ok: queuedPoints < this.config.maxQueuedPoints,
        ageSeconds: null,
        message: queuedPoints === 0 ? '' : `${String(queuedPoints)} points wait to be written`,
      };
    });
  }
}
