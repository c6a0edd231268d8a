import { Inject, Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { counted } from '../../common/display/display.js';
import { MetricRegistryService } from '../../data/metric/metric-registry.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { recordForMetrics } from '../../platform/event/metric.events.js';
import { RetentionPlansService } from '../../platform/storage/retention-plans.service.js';
import { POINT_LOG, type PointLog, SERIES_STORE, type SeriesStore } from '../../platform/storage/storage.types.js';
import { AnomalyRecordingService } from '../anomaly/anomaly-recording.service.js';
import { type QuotaMetricsDto, type QuotaRemovalDto } from './dto/metric-removal.dto.js';
import { type QuotaMetricsParams, type QuotaRemovalParams } from './dto/quota.params.js';
import { MetricQuotaRepository, type QuotaMetric } from './metric-quota.repository.js';

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

/** Number of metrics removed per step: a step holds locks, and finished steps remain if a later one fails. */
const STEP = 2000;
/** Maximum number of names in an entry of the audit trail. */
const MAX_NAMES = 100;

const STOP_SENDER =
  'Metrics that send data again count against the quota again: stop their sender, or add an exclusion of type analysis for them.';

/** The metrics that count against the quota, and their removal from it. */
@Injectable()
export class MetricQuotaService {
  constructor(
    private readonly quota: MetricQuotaRepository,
    private readonly detachment: MetricDetachmentService,
    private readonly orgs: OrgService,
    private readonly events: EventRecorderService,
    private readonly audit: AuditTrailService,
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

  /** Removes metrics from quota, lists and analysis; their stored past is kept until it expires. */
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
        await this.detachment.detach(
          orgId,
          found.slice(from, from + STEP).map(({ id }) => id),
        );
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

  /** Before the action, which has more than one transaction: a started action is recorded, however it ends. */
  private async recordRemoval(
    caller: KnownCaller,
    chips: QuotaRemovalParams['chips'],
    metrics: readonly QuotaMetric[],
  ): Promise<void> {
    const names = metrics.slice(0, MAX_NAMES).map(({ name }) => name);
    await this.audit.record({
      orgId: caller.org.id,
      actor: actorOf(caller),
      action: 'metric.remove',
      object: { type: 'metrics', id: '', name: chips.map(({ text }) => text).join(', ') },
      changes: [
        { field: 'count', before: metrics.length, after: 0 },
        { field: 'names', before: names, after: [] },
      ],
    });
  }

  private reportRemoved(caller: KnownCaller, metrics: readonly QuotaMetric[]): void {
    const event = { orgId: caller.org.id, type: 'metric_removed', level: 'notice', ...byCaller(caller) } as const;
    recordForMetrics(this.events, event, metrics, {
      one: (name) => `${name} was removed from the quota.`,
      many: (count) => `${String(count)} metrics were removed from the quota.`,
    });
  }
}
