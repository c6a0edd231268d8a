import { Inject, Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { counted } from '../../common/display/display.js';
import { MetricRegistry } from '../../data/metric/metric-registry.service.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { actorOf } from '../../platform/audit/audit.types.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.types.js';
import { SERIES_STORE, type SeriesStore } from '../../platform/storage/storage.types.js';
import { type MetricDeletedDto } from './dto/metric-removal.dto.js';
import { MetricRemovalRepository } from './metric-removal.repository.js';

/** Erases metrics. */
@Injectable()
export class MetricRemoval {
  constructor(
    private readonly metrics: MetricService,
    private readonly registry: MetricRegistry,
    private readonly found: MetricRemovalRepository,
    private readonly events: EventRecorder,
    private readonly audit: AuditTrail,
    @Inject(SERIES_STORE) private readonly series: SeriesStore,
    private readonly clock: Clock,
  ) {}

  /** Erases a metric and everything made from it. @throws MetricNotFoundError */
  async erase(caller: KnownCaller, ref: MetricRef, isDry: boolean): Promise<MetricDeletedDto> {
    const orgId = caller.org.id;
    const { id, name } = await this.metrics.resolve(orgId, ref);
    const { anomalies, matches, patterns } = await this.found.count(orgId, id);
    const points = (await this.series.readRaw(id, 0, this.clock.now())).timestamps.length;
    if (!isDry) {
      // Before the act, which is more than one transaction: what was begun is known, however it ended.
      await this.audit.record({
        orgId,
        actor: actorOf(caller),
        action: 'metric.erase',
        object: { type: 'metric', id: String(id), name },
        changes: [
          { field: 'points', before: points, after: 0 },
          { field: 'anomalies', before: anomalies, after: 0 },
        ],
      });
      // Once it is out of the registry nothing new is stored under its id.
      await this.registry.erase(orgId, id);
      await this.series.erase([id]);
      this.events.record({
        orgId,
        type: 'metric_deleted',
        level: 'notice',
        message: `${name} was erased, with ${counted(points, 'point')} and ${counted(anomalies, 'anomaly', 'anomalies')}.`,
        metricId: id,
        metric: name,
        ...byCaller(caller),
      });
    }
    return {
      metric: name,
      deleted: { points, anomalies, matches, patterns },
      progress_id: null,
      message: isDry ? 'Nothing was erased.' : 'OK',
    };
  }
}
