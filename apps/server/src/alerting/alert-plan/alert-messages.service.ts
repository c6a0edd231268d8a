import { Injectable } from '@nestjs/common';
import {
  type AlertContent,
  composeIncident,
  type IncidentFacts as MessageOfIncident,
  type PlanAct,
  type PlanState,
  type WatcherRule,
} from '#libs/alerting';
import { Permission } from '#libs/contracts';
import { serviceCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { toIncidentDto } from '../../analysis/incident/incident.types.js';
import { type Org } from '../../people/org/org.types.js';
import { UserService } from '../../people/user/user.service.js';
import { AlertOutbox } from '../alert/alert-outbox.service.js';
import { type AlertToTell } from '../alert/alert.types.js';
import { AlertLinks } from '../channel/alert-links.service.js';
import { type PlannedAnomaly, type PlannedIncident, type StoredPlan } from './alert-plan.types.js';

/** An incident that was decided on. */
export interface DecidedIncident {
  org: Org;
  incident: PlannedIncident;
  anomalies: readonly PlannedAnomaly[];
  /** By watcher, as they were before. */
  before: ReadonlyMap<number, PlanState>;
  /** By watcher, as they are. */
  plans: ReadonlyMap<number, StoredPlan>;
  rules: ReadonlyMap<number, WatcherRule>;
  now: number;
}

/** An event names this many anomalies, oldest first. */
const MOST_IDS = 1000;
const EVENT_OF_PHASE = {
  opened: 'incident.opened',
  updated: 'incident.updated',
  acknowledged: 'incident.updated',
  recovered: 'incident.closed',
} as const;

/** Puts what was decided into words and into the outbox. */
@Injectable()
export class AlertMessages {
  constructor(
    private readonly outbox: AlertOutbox,
    private readonly links: AlertLinks,
    private readonly users: UserService,
  ) {}

  async send(decided: DecidedIncident, acts: readonly PlanAct[], tx: Tx): Promise<void> {
    for (const act of acts) {
      if (act.type === 'suppress') {
        if (act.isFinal && act.destinations.length > 0) {
          await this.outbox.suppress(await this.alertOf(decided, act, act.phase), act.reason, tx);
        }
        continue;
      }
      if (act.type === 'open' && act.destinations.length === 0) continue;
      const phase = PHASES[act.type];
      // What is still queued does not leave any more.
      if (act.type === 'recover' && act.why !== 'ended') await this.silence(decided, act.watcherId, 'filter', tx);
      if (act.type === 'acknowledge') await this.silence(decided, act.watcherId, 'acknowledged', tx);
      await this.outbox.tell(
        {
          ...(await this.alertOf(decided, act, phase)),
          ...(phase === 'updated' ? { isNews: act.type === 'update' } : {}),
        },
        tx,
      );
    }
  }

  private async silence(
    { org, plans }: DecidedIncident,
    watcherId: number,
    reason: 'acknowledged' | 'filter',
    tx: Tx,
  ): Promise<void> {
    const plan = plans.get(watcherId);
    if (plan !== undefined) await this.outbox.silence(org.id, { key: plan.key }, reason, tx);
  }

  private async alertOf(decided: DecidedIncident, act: PlanAct, phase: AlertToTell['phase']): Promise<AlertToTell> {
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
      content: await this.contentOf(decided, act, phase, mine),
      destinations: act.destinations,
      watcherId,
      watcherName: rules.get(watcherId)?.name ?? null,
      anomalyId: worst?.anomalyId ?? plan.leadAnomalyId,
      incidentId: incident.id === 0 ? null : incident.id,
      metricId: worst?.facts.metricId ?? null,
      subjects: mine.map(({ anomalyId, facts }) => ({ metricId: facts.metricId, anomalyId })),
    };
  }

  private async contentOf(
    decided: DecidedIncident,
    act: PlanAct,
    phase: AlertToTell['phase'],
    mine: readonly PlannedAnomaly[],
  ): Promise<AlertContent> {
    const { org, incident, rules, before, now } = decided;
    const rule = rules.get(act.watcherId);
    const told = before.get(act.watcherId);
    const [worst] = [...mine].sort((a, b) => b.facts.severity - a.facts.severity || a.anomalyId - b.anomalyId);
    const { title, severity, metricsCount, origins } = incident;
    const content = composeIncident({
      phase,
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
        phase === 'updated' && told !== undefined
          ? { metricsCount: told.toldCount, severity: told.toldSeverity }
          : null,
      acknowledgement: phase === 'acknowledged' ? await this.acknowledgementOf(org, mine) : null,
    });
    const subject = subjectOf(decided.plans.get(act.watcherId)!);
    if (act.type !== 'recover' || act.why === 'ended') return { ...content, subject };
    const summary =
      act.why === 'merged'
        ? 'It has turned out to be a part of another incident, which has messages of its own.'
        : 'It has turned out to be expected behaviour: there is nothing to do.';
    return { ...content, subject, summary };
  }

  private eventOf({ org, incident, anomalies }: DecidedIncident, phase: AlertToTell['phase']): AlertContent['event'] {
    const open = anomalies.filter(({ member }) => member.state === 'open');
    const latest = [...open].sort((a, b) => (b.acknowledgedAt ?? 0) - (a.acknowledgedAt ?? 0))[0];
    const isAcknowledged = open.length > 0 && open.every(({ acknowledgedAt }) => acknowledgedAt !== null);
    const record = toIncidentDto(incident, org.timezone, {
      ids: anomalies.slice(0, MOST_IDS).map(({ anomalyId }) => anomalyId),
      acknowledgedBy: isAcknowledged ? latest!.acknowledgedBy : null,
      acknowledgedByName: null,
      acknowledgedAt: isAcknowledged ? latest!.acknowledgedAt : null,
    });
    return { type: EVENT_OF_PHASE[phase], data: { incident: record } };
  }

  private async acknowledgementOf(
    org: Org,
    anomalies: readonly PlannedAnomaly[],
  ): Promise<MessageOfIncident['acknowledgement']> {
    const [latest] = [...anomalies].sort((a, b) => (b.acknowledgedAt ?? 0) - (a.acknowledgedAt ?? 0));
    if (latest === undefined) return { by: null, note: null };
    const { acknowledgedBy, note } = latest;
    const names = await this.users.displayNames(serviceCaller(org, Permission.Read), [acknowledgedBy]);
    return { by: acknowledgedBy === null ? null : (names.get(acknowledgedBy) ?? null), note };
  }
}

const PHASES = {
  open: 'opened',
  refresh: 'updated',
  update: 'updated',
  acknowledge: 'acknowledged',
  recover: 'recovered',
} as const;

/** Keys of receivers last as long as the plan, also where its incident becomes a part of another one. */
function subjectOf({ key }: StoredPlan): AlertContent['subject'] {
  const [type, id] = key.split('/') as ['incident' | 'anomaly', string];
  return { type, id };
}
