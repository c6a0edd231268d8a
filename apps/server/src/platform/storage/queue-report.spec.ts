import { type PointLog } from '#libs/point-log';
import { ComponentReports } from '../../common/telemetry/component-reports.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { QueueReportService } from './queue-report.service.js';
import { StorageConfig } from './storage.config.js';

describe('QueueReportService', () => {
  it('reports the queued points in the status and as a Prometheus metric', async () => {
    let queuedPoints = 0;
    const log = { stats: () => ({ queuedAppends: 1, queuedPoints }) } as PointLog;
    const reports = new ComponentReports(new ReadinessRegistry());
    const metrics = new MetricsRegistry();
    const config = Object.assign(new StorageConfig(), { maxQueuedPoints: 1000 });
    new QueueReportService(log, config, reports, metrics).onModuleInit();

    expect((await reports.collect()).get('queue')).toEqual({ ok: true, ageSeconds: null, message: '' });
    queuedPoints = 1000;
    const full = { ok: false, ageSeconds: null, message: '1000 points wait to be written' };
    expect((await reports.collect()).get('queue')).toEqual(full);
    expect(await metrics.prometheus.metrics()).toContain('plumbline_ingest_queued_points 1000\n');
  });
});
