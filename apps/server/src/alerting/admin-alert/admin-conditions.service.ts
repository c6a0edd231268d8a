import { Injectable } from '@nestjs/common';
import { type RefusalReason } from '#libs/contracts';
import { Clock } from '../../common/clock.js';
import { HOUR, MINUTE } from '../../common/time.js';
import { ExclusionDirectoryService } from '../../data/exclusion/exclusion-directory.service.js';
import { DeliveryTroublesService } from '../alert/delivery-troubles.service.js';
import { AdminConditionsRepository, type SilentMetric } from './admin-conditions.repository.js';
import { type AdminAlertId, type AdminCondition, MAX_AFFECTED } from './admin-alert.types.js';

/** Silence of all metrics that is a condition, in seconds. The organisation sets how long it must last. */
const SILENT_AFTER = 3 * MINUTE;
/** New metrics are reported as refused once an hour. */
const QUOTA_QUIET = HOUR + 5 * MINUTE;
/** Refused data is reported once a minute. It is over after this time without any. */
const REFUSED_QUIET = 15 * MINUTE;
/** Maximum number of metrics examined in one round. */
const MAX_LOOKED_AT = 50_000;

const STALE_ALERT_TYPE_ID = 3;

/** Reasons that are errors of the sender, not decisions of people. */
const FAULTS: readonly RefusalReason[] = [
  'bad_name',
  'too_old',
  'in_future',
  'not_finite',
  'not_numeric',
  'bad_timestamp',
  'too_many_labels',
];

/** Finds the current problems of organisations. */
@Injectable()
export class AdminConditionsService {
  constructor(
    private readonly found: AdminConditionsRepository,
    private readonly exclusions: ExclusionDirectoryService,
    private readonly troubles: DeliveryTroublesService,
    private readonly clock: Clock,
  ) {}

  /** The current problems, by organisation; organisations without any are omitted. */
  async findConditions(): Promise<Map<number, Map<AdminAlertId, AdminCondition>>> {
    const all = new Map<number, Map<AdminAlertId, AdminCondition>>();
    const add = (orgId: number, id: AdminAlertId, condition: AdminCondition): void => {
      const known = all.get(orgId) ?? new Map<AdminAlertId, AdminCondition>();
      all.set(orgId, known.set(id, condition));
    };
    const now = this.clock.now();
    for (const [orgId, condition] of await this.noData(now)) add(orgId, 1, condition);
    for (const [orgId, condition] of await this.stale(now)) if (!all.get(orgId)?.has(1)) add(orgId, 2, condition);
    for (const { orgId, first } of await this.found.listOverQuotaOfAll(now - QUOTA_QUIET)) {
      const message =
        'New metrics are refused: the organisation has reached its limit. Known metrics are still accepted.';
      add(orgId, 3, { since: first, message, affectedCount: 0, affectedMetrics: [] });
    }
    for (const orgId of await this.found.listWithFailuresOfAll()) {
      const condition = await this.undelivered(orgId);
      if (condition) add(orgId, 4, condition);
    }
    for (const [orgId, condition] of await this.invalid(now)) add(orgId, 5, condition);
    return all;
  }

  private async noData(now: number): Promise<[number, AdminCondition][]> {
    const silent = await this.found.listSilentOfAll(now - SILENT_AFTER);
    const found: [number, AdminCondition][] = [];
    for (const { orgId, lastTimestamp } of silent) {
      const expected = (await this.found.listExpected(orgId, MAX_AFFECTED)).filter((one) =>
        this.isSilenceReported(one),
      );
      if (expected.length === 0) continue;
      found.push([orgId, affecting(expected, lastTimestamp, 'No metric sends data any more.')]);
    }
    return found;
  }

  private async stale(now: number): Promise<[number, AdminCondition][]> {
    const byOrg = new Map<number, SilentMetric[]>();
    for (const metric of await this.found.listStaleOfAll(MAX_LOOKED_AT)) {
      if (this.isSilenceReported(metric)) byOrg.set(metric.orgId, [...(byOrg.get(metric.orgId) ?? []), metric]);
    }
    return [...byOrg].map(([orgId, metrics]) => [
      orgId,
      affecting(metrics, now, 'Metrics have stopped sending data while others continue.'),
    ]);
  }

  private async undelivered(orgId: number): Promise<AdminCondition | undefined> {
    const troubles = await this.troubles.list(orgId);
    if (troubles.length === 0) return undefined;
    const named = troubles.map(({ channel, reason }) => `${channel}: ${reason ?? 'no answer'}`);
    const since = Math.min(...troubles.map(({ at }) => at));
    return { since, message: `Given up: ${named.join('; ')}.`, affectedCount: 0, affectedMetrics: [] };
  }

  private async invalid(now: number): Promise<[number, AdminCondition][]> {
    const byOrg = new Map<number, { since: number; reasons: Map<string, number>; metrics: Set<string> }>();
    for (const { orgId, timestamp, reason, points, metrics } of await this.found.listInvalidOfAll(
      now - REFUSED_QUIET,
      FAULTS,
    )) {
      const sum = byOrg.get(orgId) ?? { since: timestamp, reasons: new Map<string, number>(), metrics: new Set() };
      sum.reasons.set(reason, (sum.reasons.get(reason) ?? 0) + points);
      for (const metric of metrics) if (sum.metrics.size < MAX_AFFECTED) sum.metrics.add(metric);
      byOrg.set(orgId, sum);
    }
    return [...byOrg].map(([orgId, { since, reasons, metrics }]) => {
      const named = [...reasons].map(([reason, points]) => `${String(points)} × ${reason}`);
      const message = `Points were refused in the last quarter of an hour: ${named.join(', ')}.`;
      return [orgId, { since, message, affectedCount: metrics.size, affectedMetrics: [...metrics] }];
    });
  }

  /** Whether the silence of the metric may be reported. */
  private isSilenceReported(metric: SilentMetric): boolean {
    return !this.exclusions.findCovering(metric.orgId, metric).some(({ typeId }) => typeId === STALE_ALERT_TYPE_ID);
  }
}

function affecting(metrics: readonly SilentMetric[], since: number, message: string): AdminCondition {
  const names = metrics.slice(0, MAX_AFFECTED).map(({ name }) => name);
  return { since, message, affectedCount: metrics.length, affectedMetrics: names };
}
