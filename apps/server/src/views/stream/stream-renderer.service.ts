import { Injectable } from '@nestjs/common';
import { type StreamEventType } from '#libs/contracts';
import { AlertRecordsService } from '../../alerting/alert/alert-records.service.js';
import { ThresholdRecordsService } from '../../alerting/threshold/threshold-records.service.js';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { IncidentService } from '../../analysis/incident/incident.service.js';
import { PatternService } from '../../analysis/pattern/pattern.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { OrgService } from '../../people/org/org.service.js';
import { ProgressGuideService } from '../../people/progress/progress-guide.service.js';
import { MatchService } from '../../teaching/match/match.service.js';
import { type Describe, type Payload, type StreamRow } from './stream.types.js';

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

/** The first word of a type is the kind of its subject. */
type Subject = StreamEventType extends infer Type ? (Type extends `${infer First}.${string}` ? First : Type) : never;

/** Renders rows as the text for clients. Records are read when the event is sent. */
@Injectable()
export class StreamRendererService {
  private readonly describers: Record<Subject, Describe>;

  constructor(
    analysis: AnalysisSubjectsService,
    alerts: AlertRecordsService,
    thresholds: ThresholdRecordsService,
    orgs: OrgService,
    progress: ProgressGuideService,
  ) {
    this.describers = {
      ...analysis.describers,
      alert: async (caller, ids) => payloadsOf(await alerts.findByIds(caller, ids), (alert) => ({ alert })),
      progress: async (caller, ids) => {
        const jobs = await progress.findByIds(caller, ids);
        return new Map(jobs.map((job) => [job.id!, { progress: job }]));
      },
      threshold: (caller, ids) => thresholds.findByIds(caller.org.id, ids),
      org: async ({ org }) => {
        const found = await orgs.find(org.id);
        return new Map(found ? [[org.id, { org: orgs.toDto(found) }]] : []);
      },
    };
  }

  /**
   * The text of each row; null if there is nothing to send, because the subject no longer exists or is not visible to
   * this caller.
   */
  async render(caller: KnownCaller, rows: readonly StreamRow[]): Promise<(string | null)[]> {
    const payloads = new Map<string, ReadonlyMap<number, Payload>>();
    for (const [subject, ids] of subjectsOf(rows)) {
      payloads.set(subject, await this.describers[subject](caller, ids));
    }
    return rows.map(({ id, type, timestamp, subjectId }) => {
      const payload = payloads.get(subjectOf(type))?.get(subjectId);
      return payload === undefined ? null : textOf(type, { timestamp, org_id: caller.org.id, ...payload }, id);
    });
  }
}

/** An event in the form of `text/event-stream`. */
export function textOf(event: string, data: object, id?: number): string {
  const position = id === undefined ? '' : `id: ${String(id)}\n`;
  return `${position}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

const subjectOf = (type: StreamEventType): Subject => type.split('.', 1)[0] as Subject;

function subjectsOf(rows: readonly StreamRow[]): Map<Subject, number[]> {
  const found = new Map<Subject, Set<number>>();
  for (const { type, subjectId } of rows) {
    const subject = subjectOf(type);
    found.set(subject, (found.get(subject) ?? new Set<number>()).add(subjectId));
  }
  return new Map([...found].map(([subject, ids]) => [subject, [...ids]]));
}

function payloadsOf<From>(records: ReadonlyMap<number, From>, to: (record: From) => Payload): Map<number, Payload> {
  return new Map([...records].map(([id, record]) => [id, to(record)]));
}
