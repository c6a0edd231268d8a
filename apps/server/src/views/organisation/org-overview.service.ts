import { Injectable } from '@nestjs/common';
import { type OnboardingStatusId } from '#libs/contracts';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { type AnomalyRefDto } from '../../analysis/anomaly/anomaly.types.js';
import { IncidentService } from '../../analysis/incident/incident.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { relative } from '../../common/display/display.js';
import { DAY } from '../../common/time.js';
import { EventListService } from '../event-list/event-list.service.js';
import { Onboarding } from '../../people/progress/onboarding.service.js';
import {
  type OnboardingWord,
  type OverviewCardDto,
  type OverviewDto,
  type WorstMetricDto,
} from './dto/overview.dto.js';
import { OrgSummaryRepository } from './org-summary.repository.js';
import { OrgService } from '../../people/org/org.service.js';

const CARDS = 10;
const WORST = 10;
const EVENTS = 20;
const INCIDENTS = 5;

const ONBOARDING: Readonly<Record<OnboardingStatusId, { status: OnboardingWord; message: string }>> = {
  1: { status: 'no_metrics', message: 'Nothing has been received yet.' },
  100: { status: 'receiving', message: 'Data arrives; the analysis begins when a metric has 100 points.' },
  200: { status: 'learning', message: 'The analysis runs; it is live when a metric has a day of data.' },
  300: { status: 'live', message: 'The analysis is live.' },
};

/** What the start page shows. */
@Injectable()
export class OrgOverviewService {
  constructor(
    private readonly anomalies: AnomalyService,
    private readonly incidents: IncidentService,
    private readonly events: EventListService,
    private readonly onboarding: Onboarding,
    private readonly counts: OrgSummaryRepository,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  async getOverview(caller: KnownCaller): Promise<OverviewDto> {
    const { org } = caller;
    const now = this.clock.now();
    const [{ onboardingStatusId }, progressId, metrics, anomalyCounts, newest, trainable, worst, events, incidents] =
      await Promise.all([
        this.orgs.getById(org.id),
        this.onboarding.progressId(org.id),
        this.counts.countMetrics(org.id, now),
        this.counts.countAnomalies(org.id, now),
        this.anomalies.newest(caller, 'all', CARDS),
        this.anomalies.newest(caller, 'trainable', CARDS),
        this.worstMetrics(org.id, now),
        this.events.latest(caller, EVENTS),
        this.incidents.list(caller, { states: ['open'] }, { limit: INCIDENTS, offset: 0, order: 'newest' }),
      ]);
    return {
      generated_timestamp: Math.floor(now),
      onboarding: { status_id: onboardingStatusId, ...ONBOARDING[onboardingStatusId], progress_id: progressId },
      counts: {
        metrics_active: metrics.active,
        anomalies_open: anomalyCounts.open,
        incidents_open: incidents.total,
        anomalies_last_24h: anomalyCounts.last24h,
        // True zeros, as in the summary: this version has no matches and alerts.
        matches_last_24h: 0,
        alerts_last_24h: 0,
        trainable: trainable.total,
      },
      cards: {
        anomalies: newest.anomalies,
        matches: [],
        training: trainable.anomalies,
        all: cardsOf(newest.anomalies, trainable.anomalies),
      },
      worst_metrics: worst,
      incidents: incidents.incidents,
      latest_events: events,
    };
  }

  private async worstMetrics(orgId: number, now: number): Promise<WorstMetricDto[]> {
    const rows = await this.counts.mostAnomalous(orgId, { from: now - DAY, until: now }, WORST);
    return rows.map((row) => ({
      metric: row.metric,
      metric_id: row.metricId,
      anomaly_count: row.anomalies,
      open_anomaly_count: row.open,
      anomalous_seconds: row.seconds,
      max_severity: row.maxSeverity,
      total_score: Number(row.totalScore.toFixed(3)),
      last_anomaly_timestamp: row.lastTimestamp,
      last_anomaly_string: relative(row.lastTimestamp, now),
    }));
  }
}

/** What can be trained is among the newest, or older than they are. */
function cardsOf(newest: readonly AnomalyRefDto[], trainable: readonly AnomalyRefDto[]): OverviewCardDto[] {
  const ids = new Set(trainable.map(({ id }) => id));
  return newest.map((anomaly) => ({
    type: ids.has(anomaly.id) ? 'training' : 'anomaly',
    timestamp: anomaly.timestamp,
    item: anomaly,
  }));
}
