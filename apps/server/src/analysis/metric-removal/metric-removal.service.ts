import { Inject, Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { counted } from '../../common/display/display.js';
import { MetricRegistryService } from '../../data/metric/metric-registry.service.js';
import { MetricNotFoundError } from '../../data/metric/metric.errors.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { SERIES_STORE, type SeriesStore } from '../../platform/storage/storage.types.js';
import { type MetricDeletedDto } from './dto/metric-removal.dto.js';
import { MetricRemovalRepository } from './metric-removal.repository.js';

const ERASE = 'metric.erase';

/** Erases metrics. */
@Injectable()
export class MetricRemovalService {
  constructor(
    private readonly metrics: MetricService,
    private readonly registry: MetricRegistryService,
    private readonly found: MetricRemovalRepository,
    private readonly events: EventRecorderService,
    private readonly audit: AuditTrailService,
    @Inject(SERIES_STORE) private readonly series: SeriesStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases a metric and everything derived from it. For an already erased one it returns what was erased.
   * @throws MetricNotFoundError
   */
  async erase(caller: KnownCaller, ref: MetricRef, isDry: boolean): Promise<MetricDeletedDto> {
    try {
      return await this.eraseKnown(caller, ref, isDry);
    } catch (error) {
      const erased = error instanceof MetricNotFoundError && !isDry ? await this.erasedBefore(caller, ref) : null;
      if (erased === null) throw error;
      return erased;
    }
  }

  private async eraseKnown(caller: KnownCaller, ref: MetricRef, isDry: boolean): Promise<MetricDeletedDto> {
    const orgId = caller.org.id;
    const { id, name } = await this.metrics.resolve(orgId, ref);
    const { anomalies, matches, patterns } = await this.found.count(orgId, id);
    const points = (await this.series.readRaw(id, 0, this.clock.now())).timestamps.length;
    if (!isDry) {
      // Before the action, which has more than one transaction: a started action is recorded, however it ends.
      await this.audit.record({
        orgId,
        actor: actorOf(caller),
        action: ERASE,
        object: { type: 'metric', id: String(id), name },
        changes: Object.entries({ points, anomalies, matches, patterns, metric: name }).map(([field, before]) => {
          return { field, before, after: field === 'metric' ? null : 0 };
        }),
      });
      // Once it is out of the registry, nothing new is stored under its id.
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

  private async erasedBefore(caller: KnownCaller, ref: MetricRef): Promise<MetricDeletedDto | null> {
    const object = 'id' in ref ? { id: String(ref.id) } : ref;
    const changes = await this.audit.findChanges(caller.org.id, ERASE, object);
    if (changes === null) return null;
    const before = new Map(changes.map((change) => [change.field, change.before]));
    const count = (field: string): number => Number(before.get(field) ?? 0);
    const metric = before.get('metric');
    const asked = 'name' in ref ? ref.name : '';
    return {
      metric: typeof metric === 'string' ? metric : asked,
      deleted: {
        points: count('points'),
        anomalies: count('anomalies'),
        matches: count('matches'),
        patterns: count('patterns'),
      },
      progress_id: null,
      message: 'OK',
    };
  }
}
