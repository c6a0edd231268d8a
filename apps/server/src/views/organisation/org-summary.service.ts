import { Injectable } from '@nestjs/common';
import { AlertRecordsService } from '../../alerting/alert/alert-records.service.js';
import { Clock } from '../../common/clock.js';
import { relative } from '../../common/display/display.js';
import { IncidentService } from '../../analysis/incident/incident.service.js';
import { UserService } from '../../people/user/user.service.js';
import { type OrgSummaryDto } from './dto/org-answers.dto.js';
import { MetricWatchersService } from '../../data/metric/metric-watchers.service.js';
import { OrgSummaryRepository } from './org-summary.repository.js';
import { OrgService } from '../../people/org/org.service.js';

@Injectable()
export class OrgSummaryService {
  constructor(
    private readonly counts: OrgSummaryRepository,
    private readonly orgs: OrgService,
    private readonly incidents: IncidentService,
    private readonly users: UserService,
    private readonly watchers: MetricWatchersService,
    private readonly alerts: AlertRecordsService,
    private readonly clock: Clock,
  ) {}

  async getSummary(orgId: number): Promise<OrgSummaryDto> {
    const now = this.clock.now();
    const [{ metricLimit }, metrics, anomalies, matches, patterns, users, points, incidents, watchers, alerts] =
      await Promise.all([
        this.orgs.getById(orgId),
        this.counts.countMetrics(orgId, now),
        this.counts.countAnomalies(orgId, now),
        this.counts.countMatches(orgId, now),
        this.counts.countPatterns(orgId),
        this.users.count(orgId),
        this.counts.countPointsOfLastMinute(orgId, now),
        this.incidents.count(orgId),
        this.watchers.count(orgId),
        this.alerts.count(orgId, now),
      ]);
    const total = metrics.active + metrics.stale + metrics.inactive;
    return {
      summary: {
        metrics: {
          total,
          active: metrics.active,
          stale: metrics.stale,
          inactive: metrics.inactive,
          limit: metricLimit,
          remaining: metricLimit === null ? null : Math.max(0, metricLimit - metrics.counted),
        },
        anomalies: {
          open: anomalies.open,
          last_24h: anomalies.last24h,
          last_7d: anomalies.last7d,
          last_30d: anomalies.last30d,
        },
        matches: { last_24h: matches.last24h, last_7d: matches.last7d, last_30d: matches.last30d },
        patterns,
        incidents: { open: incidents.open, last_7d: incidents.last7Days },
        alerts: { last_24h: alerts.last24h, last_7d: alerts.last7d, suppressed_7d: alerts.suppressed7d },
        watchers,
        users,
        last_data_timestamp: metrics.lastTimestamp,
        last_data_string: relative(metrics.lastTimestamp, now),
        points_last_minute: points,
      },
    };
  }
}
