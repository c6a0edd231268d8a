import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { ComponentReports } from '../../common/telemetry/component-reports.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { StorageConfig } from './storage.config.js';
import { POINT_LOG, type PointLog } from './storage.types.js';

/** Reports in GET /status and /metrics how full the queue before the point log is. */
@Injectable()
export class QueueReportService implements OnModuleInit {
  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly config: StorageConfig,
    private readonly reports: ComponentReports,
    private readonly metrics: MetricsRegistry,
  ) {}

  onModuleInit(): void {
    const { log } = this;
    new Gauge({
      name: 'plumbline_ingest_queued_points',
      help: 'Accepted points that wait to be written to the point log',
      registers: [this.metrics.prometheus],
      collect() {
        this.set(log.stats().queuedPoints);
      },
    });
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
