import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Links } from '../../common/http/links.js';
import { pageOf } from '../../common/paging/paging.js';
import { resolveWindow } from '../../common/window/window.js';
import { OrgService } from '../../people/org/org.service.js';
import { AlertHistoryService } from '../alert-history/alert-history.service.js';
import { AnomalyService } from '../anomaly/anomaly.service.js';
import { type AnomalyDto } from '../anomaly/anomaly.dto.js';
import { IncidentService } from '../incident/incident.service.js';
import { type IncidentAnswerDto, type IncidentsDto, type TimelineEntryDto } from './dto/incident-list.dto.js';
import { type ListIncidentsParams } from './dto/incident-list.params.js';

/** Lists incidents, and returns single ones with all their parts. */
@Injectable()
export class IncidentListService {
  constructor(
    private readonly incidents: IncidentService,
    private readonly anomalies: AnomalyService,
    private readonly alerts: AlertHistoryService,
    private readonly orgs: OrgService,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  async list(caller: KnownCaller, query: ListIncidentsParams): Promise<IncidentsDto> {
    const { retention2PeriodSeconds } = await this.orgs.getAnalysisVariables(caller.org.id);
    const window = resolveWindow(query, this.clock.now(), retention2PeriodSeconds);
    const { state: states, chips, severity_min: severityMin } = query;
    const { incidents, total } = await this.incidents.list(caller, { window, states, chips, severityMin }, query);
    return { incidents, from: window.from, until: window.until, ...pageOf(query, total) };
  }

  async find(caller: KnownCaller, id: number): Promise<IncidentAnswerDto> {
    const incident = await this.incidents.get(caller, id);
    const found = await this.anomalies.findByIds(caller, incident.anomaly_ids);
    const anomalies = incident.anomaly_ids.map((anomalyId) => found.get(anomalyId)).filter((one) => one !== undefined);
    const alerted = await this.alerts.listAlerted(caller.org.id, incident.anomaly_ids);
    const alertedAt = new Map(alerted.map(({ anomalyId, timestamp }) => [anomalyId, Math.floor(timestamp)]));
    return {
      incident,
      anomalies,
      timeline: timelineOf(anomalies, alertedAt),
      incident_graph_url: this.links.api(`/incidents/${String(id)}/graph`),
    };
  }
}

function timelineOf(anomalies: readonly AnomalyDto[], alertedAt: ReadonlyMap<number, number>): TimelineEntryDto[] {
  return anomalies
    .flatMap(({ id, metric, timestamp, until_timestamp, out_until_timestamp, acknowledged_at }) => {
      const entry = (what: TimelineEntryDto['what'], at: number | null): TimelineEntryDto[] =>
        at === null ? [] : [{ timestamp: at, metric, anomaly_id: id!, what }];
      return [
        ...entry('opened', timestamp),
        ...entry('alerted', alertedAt.get(id!) ?? null),
        ...entry('acknowledged', acknowledged_at),
        ...entry('closed', until_timestamp === null ? null : out_until_timestamp),
      ];
    })
    .sort((a, b) => a.timestamp - b.timestamp);
}
