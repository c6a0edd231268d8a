import { Injectable } from '@nestjs/common';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { IncidentService } from '../../analysis/incident/incident.service.js';
import { MatchService } from '../../teaching/match/match.service.js';
import { PatternService } from '../../analysis/pattern/pattern.service.js';
import { payloadsOf } from './stream-payloads.js';
import { type Describe } from './stream.types.js';

/** Objects of the analysis in the form of stream events. */
@Injectable()
export class AnalysisSubjectsService {
  readonly describers: Record<'anomaly' | 'incident' | 'match' | 'pattern', Describe>;

  constructor(anomalies: AnomalyService, incidents: IncidentService, matches: MatchService, patterns: PatternService) {
    this.describers = {
      anomaly: async (caller, ids) => payloadsOf(await anomalies.findByIds(caller, ids), (anomaly) => ({ anomaly })),
      incident: async (caller, ids) => payloadsOf(await incidents.findByIds(caller, ids), (incident) => ({ incident })),
      match: async (caller, ids) => payloadsOf(await matches.findByIds(caller, ids), (match) => ({ match })),
      pattern: async (caller, ids) => payloadsOf(await patterns.findByIds(caller, ids), (pattern) => ({ pattern })),
    };
  }
}
