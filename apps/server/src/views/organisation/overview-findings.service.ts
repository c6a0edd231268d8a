import { Injectable } from '@nestjs/common';
import { type AnomalousMetricDto } from '../../analysis/anomaly/anomalous-metric.dto.js';
import { AnomalyRankingService } from '../../analysis/anomaly/anomaly-ranking.service.js';
import { type AnomalyRefDto } from '../../analysis/anomaly/anomaly-ref.dto.js';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { type IncidentDto } from '../../analysis/incident/incident.dto.js';
import { IncidentService } from '../../analysis/incident/incident.service.js';
import { type MatchDto } from '../../teaching/match/match.dto.js';
import { MatchService } from '../../teaching/match/match.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { DAY } from '../../common/time.js';

/** Maximum number of each kind. */
export const CARDS = 10;
const WORST = 10;
const INCIDENTS = 5;

export interface Findings {
  newest: { anomalies: AnomalyRefDto[]; total: number };
  trainable: { anomalies: AnomalyRefDto[]; total: number };
  /** The newest anomalies. */
  matches: MatchDto[];
  worst: AnomalousMetricDto[];
  /** Open incidents. */
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
