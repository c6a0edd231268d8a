import { Injectable } from '@nestjs/common';
import {
  type AlertContent,
  composeIncident,
  type IncidentFacts as MessageOfIncident,
  type PlanAct,
} from '#libs/alerting';
import { Permission } from '#libs/contracts';
import { toIncidentDto } from '../../analysis/incident/incident.dto.js';
import { serviceCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { type Org } from '../../people/org/org.types.js';
import { UserService } from '../../people/user/user.service.js';
import { AlertOutboxService } from '../alert/alert-outbox.service.js';
import { type AlertToSend, type OutboxStep } from '../alert/alert.types.js';
import { AlertLinksService } from '../channel/alert-links.service.js';
import { type DecidedIncident, type PlannedAnomaly, type StoredPlan } from './alert-plan.types.js';
import { AnomalyNoticesService } from './anomaly-notices.service.js';
import { latestOf } from './plan-subjects.js';

/** An incident with its decisions and the resulting acts. */
export interface DecidedActs {
  decided: DecidedIncident;
  acts: readonly PlanAct[];
}

/** With the names of users that messages mention. */
type NamedIncident = DecidedIncident & { names: ReadonlyMap<number, string> };

/** Maximum number of anomalies named in an event, oldest first. */
const MAX_IDS = 1000;
const EVENT_OF_PHASE = {
  opened: 'incident.opened',
  updated: 'incident.updated',
  acknowledged: 'incident.updated',
  recovered: 'incident.closed',
} as const;

/** Writes the messages of decisions, and puts them into the outbox. */
@Injectable()
export class AlertMessagesService {
  constructor(
    private readonly outbox: AlertOutboxService,
    private readonly links: AlertLinksService,
    private readonly users: UserService,
    private readonly notices: AnomalyNoticesService,
  ) {}

  /**
   * For all incidents of an organisation that were decided on together.
   * @param changed changed anomalies, including those that are no longer in any of the incidents
   * @param now Unix seconds
   */
  async send(
    org: Org,
    all: readonly DecidedActs[],
    { changed, now }: { changed: readonly PlannedAnomaly[]; now: number },
    tx: Tx,
  ): Promise<void> {
    const names = await this.namesOf(org, all);
    const steps = all.flatMap(({ decided, acts }) => acts.flatMap((act) => this.stepsOf({ ...decided, names }, act)));
    const incidents = all.map(({ decided }) => decided);
    // An incident is queued before its anomalies.
    steps.push(...(await this.notices.stepsOf({ org, incidents, changed, now }, tx)));
    await this.outbox.apply(org.id, steps, tx);
  }

  /** The steps of one past act. */
  stepsOfPast(decided: DecidedIncident, act: PlanAct): OutboxStep[] {
    return this.stepsOf({ ...decided, names: new Map() }, act);
  }

  private stepsOf(decided: NamedIncident, act: PlanAct): OutboxStep[] {
    if (act.type === 'suppress') {
      if (!act.isFinal || act.destinations.length === 0) return [];
      return [{ type: 'suppress', alert: this.alertOf(decided, act, act.phase), reason: act.reason }];
    }
    if (act.type === 'open' && act.destinations.length === 0) return [];
    const phase = PHASES[act.type];
    const { key } = decided.plans.get(act.watcherId)!;
    const steps: OutboxStep[] = [];
    // Queued messages are not sent any more.
    if (act.type === 'recover' && act.why !== 'ended') steps.push({ type: 'silence', key, reason: 'filter' });
    if (act.type === 'acknowledge') steps.push({ type: 'silence', key, reason: 'acknowledged' });
    const needsNewMessage = phase === 'updated' ? { needsNewMessage: act.type === 'update' } : {};
    return [...steps, { type: 'enqueue', alert: { ...this.alertOf(decided, act, phase), ...needsNewMessage } }];
  }

  /** Names of the users who acknowledged something that messages mention. */
  private async namesOf(org: Org, all: readonly DecidedActs[]): Promise<ReadonlyMap<number, string>> {
    const ids = all.flatMap(({ decided, acts }) =>
      acts.some(({ type }) => type === 'acknowledge')
        ? decided.anomalies.map(({ acknowledgedBy }) => acknowledgedBy)
        : [],
    );
    return ids.length === 0 ? new Map() : this.users.displayNames(serviceCaller(org, Permission.Read), ids);
  }

  private alertOf(decided: NamedIncident, act: PlanAct, phase: AlertToSend['phase']): AlertToSend {
    const { org, plans, rules, incident, anomalies } = decided;
    const { watcherId } = act;
    const about = new Set(act.members.map(({ id }) => id));
    const mine = anomalies.filter(({ anomalyId }) => about.has(anomalyId));
    const [worst] = [...mine].sort((a, b) => b.facts.severity - a.facts.severity || a.anomalyId - b.anomalyId);
    const plan = plans.get(watcherId)!;
    return {
      orgId: org.id,
      key: plan.key,
      kind: 'anomaly',
      phase,
      content: this.contentOf(decided, act, phase, mine),
      destinations: act.destinations,
      watcherId,
      watcherName: rules.get(watcherId)?.name ?? null,
      anomalyId: worst?.anomalyId ?? plan.leadAnomalyId,
      incidentId: incident.id === 0 ? null : incident.id,
      metricId: worst?.facts.metricId ?? null,
      subjects: mine.map(({ anomalyId, facts }) => ({ metricId: facts.metricId, anomalyId })),
    };
  }

  private contentOf(
    decided: NamedIncident,
    act: PlanAct,
    phase: AlertToSend['phase'],
    mine: readonly PlannedAnomaly[],
  ): AlertContent {
    const { org, incident, rules, before, now } = decided;
    const rule = rules.get(act.watcherId);
    const previous = before.get(act.watcherId);
    const [worst] = [...mine].sort((a, b) => b.facts.severity - a.facts.severity || a.anomalyId - b.anomalyId);
    const { title, severity, metricsCount, origins } = incident;
    const content = composeIncident({
      phase,
      ...(act.type === 'recover' ? { why: act.why } : {}),
      org: { id: org.id, name: org.name },
      watcher: rule === undefined ? null : { id: rule.id, name: rule.name },
      timezone: org.timezone,
      now,
      links: this.links.ofIncident(
        org.id,
        incident,
        worst === undefined
          ? null
          : { metric: worst.facts.metric, anomalyId: worst.anomalyId, start: worst.facts.start },
      ),
      event: this.eventOf(decided, phase),
      incident: {
        id: incident.id,
        title,
        start: incident.startTimestamp,
        end: incident.endTimestamp,
        severity,
        metricsCount,
        origins,
      },
      anomalies: mine.map(({ facts }) => facts),
      metricsCount: new Set(mine.map(({ facts }) => facts.metricId)).size,
      previous:
        phase === 'updated' && previous !== undefined
          ? { metricsCount: previous.notifiedCount, severity: previous.notifiedSeverity }
          : null,
      acknowledgement: phase === 'acknowledged' ? acknowledgementOf(decided, mine) : null,
    });
    return { ...content, subject: subjectOf(decided.plans.get(act.watcherId)!) };
  }

  private eventOf({ org, incident, anomalies }: DecidedIncident, phase: AlertToSend['phase']): AlertContent['event'] {
    const open = anomalies.filter(({ member }) => member.state === 'open');
    const latest = [...open].sort((a, b) => (b.acknowledgedAt ?? 0) - (a.acknowledgedAt ?? 0))[0];
    const isAcknowledged = open.length > 0 && open.every(({ acknowledgedAt }) => acknowledgedAt !== null);
    const record = toIncidentDto(incident, org.timezone, {
      ids: anomalies.slice(0, MAX_IDS).map(({ anomalyId }) => anomalyId),
      acknowledgedBy: isAcknowledged ? latest!.acknowledgedBy : null,
      acknowledgedByName: null,
      acknowledgedAt: isAcknowledged ? latest!.acknowledgedAt : null,
      outUntil: latestOf(anomalies.map(({ member }) => member.outUntil ?? null)),
    });
    return { type: EVENT_OF_PHASE[phase], data: { incident: record } };
  }
}

function acknowledgementOf(
  { names }: NamedIncident,
  anomalies: readonly PlannedAnomaly[],
): MessageOfIncident['acknowledgement'] {
  const [latest] = [...anomalies].sort((a, b) => (b.acknowledgedAt ?? 0) - (a.acknowledgedAt ?? 0));
  if (latest === undefined) return { by: null, note: null };
  const { acknowledgedBy, note } = latest;
  return { by: acknowledgedBy === null ? null : (names.get(acknowledgedBy) ?? null), note };
}

const PHASES = {
  open: 'opened',
  refresh: 'updated',
  update: 'updated',
  acknowledge: 'acknowledged',
  recover: 'recovered',
} as const;

/** Keys of receivers last as long as the plan, even if its incident becomes a part of another one. */
function subjectOf({ key }: StoredPlan): AlertContent['subject'] {
  const [type, id] = key.split('/') as ['incident' | 'anomaly', string];
  return { type, id };
}
