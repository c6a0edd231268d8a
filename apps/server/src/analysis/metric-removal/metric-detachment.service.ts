import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { MetricRegistryService } from '../../data/metric/metric-registry.service.js';
import { RetentionPlansService } from '../../platform/storage/retention-plans.service.js';
import { POINT_LOG, type PointLog, SERIES_STORE, type SeriesStore } from '../../platform/storage/storage.types.js';
import { AnomalyRecordingService } from '../anomaly/anomaly-recording.service.js';

/** Removes metrics from registry, analysis and the finest tier of storage. */
@Injectable()
export class MetricDetachmentService {
  constructor(
    private readonly registry: MetricRegistryService,
    private readonly anomalies: AnomalyRecordingService,
    @Inject(POINT_LOG) private readonly log: PointLog,
    @Inject(SERIES_STORE) private readonly series: SeriesStore,
    private readonly retention: RetentionPlansService,
    private readonly clock: Clock,
  ) {}

  /** Metrics that were removed before are skipped. */
  async detach(orgId: number, metricIds: readonly number[]): Promise<void> {
    const ids = await this.registry.remove(orgId, metricIds);
    if (ids.length === 0) return;
    const now = this.clock.now();
    await this.anomalies.close(orgId, ids, 'data_ended', now);
    // As if their senders had ended the series: silence is then not an anomaly.
    await this.log.append(
      {
        ids: Uint32Array.from(ids),
        timestamps: new Float64Array(ids.length).fill(Math.floor(now)),
        values: new Float64Array(ids.length).fill(NaN),
      },
      'live',
    );
    await this.series.dropTier1(ids, await this.retention.getTiers(orgId));
  }
}
