import { Injectable } from '@nestjs/common';
import { type OnboardingStatusId } from '#libs/contracts';
import { AlertRecordsService } from '../../alerting/alert/alert-records.service.js';
import { type AnomalousMetricDto } from '../../analysis/anomaly/anomalous-metric.dto.js';
import { AnomalyRankingService } from '../../analysis/anomaly/anomaly-ranking.service.js';
import { type AnomalyRefDto } from '../../analysis/anomaly/anomaly-ref.dto.js';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { type IncidentDto } from '../../analysis/incident/incident.dto.js';
import { IncidentService } from '../../analysis/incident/incident.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { DAY } from '../../common/time.js';
import { type MatchDto } from '../../teaching/match/match.dto.js';
import { MatchService } from '../../teaching/match/match.service.js';
import { EventListService } from '../event-list/event-list.service.js';
import { OnboardingService } from '../../people/progress/onboarding.service.js';
import { type OnboardingStatus, type OverviewCardDto, type OverviewDto } from './dto/overview.dto.js';
import { OrgSummaryRepository } from './org-summary.repository.js';
import { OrgService } from '../../people/org/org.service.js';

/** Of each kind. */
const CARDS = 10;
const WORST = 10;
const INCIDENTS = 5;

interface Findings {
  newest: { anomalies: AnomalyRefDto[]; total: number };
  trainable: { anomalies: AnomalyRefDto[]; total: number };
  /** The newest ones. */
  matches: MatchDto[];
  worst: AnomalousMetricDto[];
  /** Open ones. */
  incidents: { incidents: IncidentDto[]; total: number };
}

/** Findings in the series of an organisation, in the form of the start page. */
@Injectable()
export class OverviewFindingsService {
  constructor(
    private readonly anomalies: AnomalyService,
    private readonly ranking: AnomalyRankingService,
    private readonly incidents: IncidentService,
    private readonly matches: MatchService,
  ) {}

  /** `now` in Unix seconds. */
  async find(caller: KnownCaller, now: number): Promise<Findings> {
    const lastDay = { from: now - DAY, until: now };
    const [newest, trainable, matches, worst, incidents] = await Promise.all([
      this.anomalies.newest(caller, 'all', CARDS),
      this.anomalies.newest(caller, 'trainable', CARDS),
      this.matches.newest(caller, CARDS),
      this.ranking.within(caller.org.id, lastDay, { limit: WORST }),
      this.incidents.list(caller, { states: ['open'] }, { limit: INCIDENTS, offset: 0, order: 'newest' }),
    ]);
    return { newest, trainable, matches, worst, incidents };
  }
}

const EVENTS = 20;

const ONBOARDING: Readonly<Record<OnboardingStatusId, { status: OnboardingStatus; message: string }>> = {
  1: { status: 'no_metrics', message: 'Nothing has been received yet.' },
  100: { status: 'receiving', message: 'Data arrives; the analysis begins when a metric has 100 points.' },
  200: { status: 'learning', message: 'The analysis runs; it is live when a metric has a day of data.' },
  300: { status: 'live', message: 'The analysis is live.' },
};

/** The content of the start page. */
@Injectable()
export class OrgOverviewService {
  constructor(
    private readonly findings: OverviewFindingsService,
    private readonly events: EventListService,
    private readonly onboarding: OnboardingService,
    private readonly counts: OrgSummaryRepository,
    private readonly orgs: OrgService,
    private readonly alerts: AlertRecordsService,
    private readonly clock: Clock,
  ) {}

  async getOverview(caller: KnownCaller): Promise<OverviewDto> {
    const { org } = caller;
    const now = this.clock.now();
    const [{ onboardingStatusId }, progressId, metrics, anomalyCounts, matchesLast24h, findings, events, alerts] =
      await Promise.all([
        this.orgs.getById(org.id),
        this.onboarding.progressId(org.id),
        this.counts.countMetrics(org.id, now),
        this.counts.countAnomalies(org.id, now),
        this.counts.countMatchesSince(org.id, now - DAY, now),
        this.findings.find(caller, now),
        this.events.latest(caller, EVENTS),
        this.alerts.count(org.id, now),
      ]);
    const { newest, trainable, matches, worst, incidents } = findings;
    return {
      generated_timestamp: Math.floor(now),
      onboarding: { status_id: onboardingStatusId, ...ONBOARDING[onboardingStatusId], progress_id: progressId },
      counts: {
        metrics_active: metrics.active,
        anomalies_open: anomalyCounts.open,
        incidents_open: incidents.total,
        anomalies_last_24h: anomalyCounts.last24h,
        matches_last_24h: matchesLast24h,
        alerts_last_24h: alerts.last24h,
        trainable: trainable.total,
      },
      cards: {
        anomalies: newest.anomalies,
        matches,
        training: trainable.anomalies,
        all: cardsOf(findings),
      },
      worst_metrics: worst,
      incidents: incidents.incidents,
      latest_events: events,
    };
  }
}

/** Trainable anomalies may be among the newest ones or older. */
function cardsOf({ newest, trainable, matches }: Findings): OverviewCardDto[] {
  const ids = new Set(trainable.anomalies.map(({ id }) => id));
  const cards: OverviewCardDto[] = [
    ...newest.anomalies.map((item) => {
      const type = ids.has(item.id) ? ('training' as const) : ('anomaly' as const);
      return { type, timestamp: item.timestamp, item };
    }),
    ...matches.map((item) => ({ type: 'match' as const, timestamp: item.timestamp, item })),
  ];
  return cards.sort((a, b) => b.timestamp - a.timestamp).slice(0, CARDS);
}
