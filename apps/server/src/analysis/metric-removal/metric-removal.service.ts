import { Inject, Injectable } from '@nestjs/common';
import { AnomalyRecorder } from '../anomaly/anomaly-recording.service.js';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { type AuditChange, actorOf } from '../../platform/audit/audit.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { recordForMetrics } from '../../platform/event/metric.events.js';
import { OrgService } from '../../people/org/org.service.js';
import { RetentionPlans } from '../../platform/storage/retention-plans.service.js';
import { POINT_LOG, type PointLog, SERIES_STORE, type SeriesStore } from '../../platform/storage/storage.types.js';
import { type MetricDeletedDto, type QuotaMetricsDto, type QuotaRemovalDto } from './dto/metric-removal.dto.js';
import { type QuotaMetricsParams, type QuotaRemovalParams } from './dto/quota.params.js';
import { MetricQuotaRepository, type QuotaMetric } from './metric-quota.repository.js';
import { MetricRegistry } from '../../data/metric/metric-registry.service.js';
import { MetricService } from '../../data/metric/metric.service.js';

/** Metrics removed in one step: a step holds locks, and what is done is done when the next fails. */
const STEP = 2000;
/** Names in an entry of the audit trail. */
const MOST_NAMES_TOLD = 100;

const STOP_SENDER =
  'Metrics that send data again count against the quota again: stop their sender, or add an exclusion of type analysis for them.';

/** Taking metrics out of the quota, and erasing them. */
@Injectable()
export class MetricRemoval {
  constructor(
    private readonly metrics: MetricService,
    private readonly quota: MetricQuotaRepository,
    private readonly registry: MetricRegistry,
    private readonly anomalies: AnomalyRecorder,
    private readonly events: EventRecorder,
    private readonly audit: AuditTrail,
    private readonly orgs: OrgService,
    @Inject(SERIES_STORE) private readonly series: SeriesStore,
    private readonly retention: RetentionPlans,
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly clock: Clock,
  ) {}

  /** Metrics that count against the quota. */
  async list(orgId: number, { chips = [], ...page }: QuotaMetricsParams): Promise<QuotaMetricsDto> {
    const now = this.clock.now();
    const [{ metricLimit }, metrics, total] = await Promise.all([
      this.orgs.getById(orgId),
      this.quota.listNames(orgId, chips, page, now),
      this.quota.countUsed(orgId, chips, now),
    ]);
    const used = chips.length === 0 ? total : await this.quota.countUsed(orgId, [], now);
    return {
      metrics,
      count: metrics.length,
      total,
      quota_used: used,
      metric_limit: metricLimit,
      remaining: metricLimit === null ? null : Math.max(0, metricLimit - used),
    };
  }

  /** Metrics leave quota, lists and analysis; what is known of their past stays until it is too old. */
  async remove(caller: KnownCaller, { chips, dry_run: isDry }: QuotaRemovalParams): Promise<QuotaRemovalDto> {
    const orgId = caller.org.id;
    const now = this.clock.now();
    const found = await this.quota.listPresent(orgId, chips, now);
    let used = await this.quota.countUsed(orgId, [], now);
    if (isDry) {
      used -= found.filter(({ counts }) => counts).length;
    } else {
      if (found.length > 0) await this.recordRemoval(caller, chips, found);
      for (let from = 0; from < found.length; from += STEP)
        await this.removeStep(caller, found.slice(from, from + STEP));
      used = await this.quota.countUsed(orgId, [], now);
      this.reportRemoved(caller, found);
    }
    const what = counted(found.length, 'metric');
    return {
      metrics: found.map(({ name }) => name),
      count: found.length,
      dry_run: isDry,
      quota_used: used,
      message: isDry ? `${what} would be removed.` : `${what} removed. ${STOP_SENDER}`,
    };
  }

  /** Erases a metric and everything made from it. @throws MetricNotFoundError */
  async erase(caller: KnownCaller, ref: MetricRef, isDry: boolean): Promise<MetricDeletedDto> {
    const orgId = caller.org.id;
    const { id, name } = await this.metrics.resolve(orgId, ref);
    const anomalies = await this.anomalies.count(orgId, id);
    const points = (await this.series.readRaw(id, 0, this.clock.now())).timestamps.length;
    if (!isDry) {
      await this.recordAct(caller, 'metric.erase', { type: 'metric', id: String(id), name }, [
        { field: 'points', before: points, after: 0 },
        { field: 'anomalies', before: anomalies, after: 0 },
      ]);
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
        ...byUser(caller),
      });
    }
    return {
      metric: name,
      // True zeros: this version has no matches and patterns.
      deleted: { points, anomalies, matches: 0, patterns: 0 },
      progress_id: null,
      message: isDry ? 'Nothing was erased.' : 'OK',
    };
  }

  private async removeStep(caller: KnownCaller, metrics: readonly QuotaMetric[]): Promise<void> {
    const ids = await this.registry.remove(
      caller.org.id,
      metrics.map(({ id }) => id),
    );
    if (ids.length === 0) return;
    const now = this.clock.now();
    await this.anomalies.close(caller.org.id, ids, 'data_ended', now);
    // As if their senders had said that the series are over: silence is no anomaly then.
    await this.log.append(
      {
        ids: Uint32Array.from(ids),
        timestamps: new Float64Array(ids.length).fill(Math.floor(now)),
        values: new Float64Array(ids.length).fill(NaN),
      },
      'live',
    );
    await this.series.dropTier1(ids, await this.retention.getTiers(caller.org.id));
  }

  private async recordRemoval(
    caller: KnownCaller,
    chips: QuotaRemovalParams['chips'],
    metrics: readonly QuotaMetric[],
  ): Promise<void> {
    const names = metrics.slice(0, MOST_NAMES_TOLD).map(({ name }) => name);
    await this.recordAct(
      caller,
      'metric.remove',
      { type: 'metrics', id: '', name: chips.map(({ text }) => text).join(', ') },
      [
        { field: 'count', before: metrics.length, after: 0 },
        { field: 'names', before: names, after: [] },
      ],
    );
  }

  /** Before the act, which is more than one transaction: what was begun is known, however it ended. */
  private async recordAct(
    caller: KnownCaller,
    action: string,
    object: { type: string; id: string; name: string },
    changes: readonly AuditChange[],
  ): Promise<void> {
    await this.audit.record({ orgId: caller.org.id, actor: actorOf(caller), action, object, changes });
  }

  private reportRemoved(caller: KnownCaller, metrics: readonly QuotaMetric[]): void {
    const event = { orgId: caller.org.id, type: 'metric_removed', level: 'notice', ...byUser(caller) } as const;
    recordForMetrics(this.events, event, metrics, {
      one: (name) => `${name} was removed from the quota.`,
      many: (count) => `${String(count)} metrics were removed from the quota.`,
    });
  }
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : many}`;

const byUser = (caller: KnownCaller): { userId?: number } => (caller.kind === 'user' ? { userId: caller.userId } : {});
