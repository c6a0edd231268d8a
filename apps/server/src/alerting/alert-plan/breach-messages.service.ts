import { Injectable } from '@nestjs/common';
import { type BreachEnding, composeThreshold, furthestFirst, type PlanAct, type WatcherRule } from '#libs/alerting';
import { shownUnit } from '#libs/wording';
import { type Tx } from '../../common/database/transactions.js';
import { type Org } from '../../people/org/org.types.js';
import { AlertOutboxService } from '../alert/alert-outbox.service.js';
import { type AlertToSend, type OutboxStep } from '../alert/alert.types.js';
import { AlertLinksService } from '../channel/alert-links.service.js';
import { type BreachedMetric, type BreachPlan, type StoredBreach } from './breach-plan.repository.js';

export interface DecidedBreaches {
  org: Org;
  plan: BreachPlan;
  rule: WatcherRule;
  metrics: ReadonlyMap<number, BreachedMetric>;
  now: number;
}

/** Maximum number of metrics in the record for programs. */
const MAX_NAMED = 10;

const PHASES = {
  open: 'opened',
  refresh: 'updated',
  update: 'updated',
  acknowledge: 'acknowledged',
  recover: 'recovered',
} as const;

/** Writes the messages of decisions about thresholds, and puts them into the outbox. */
@Injectable()
export class BreachMessagesService {
  constructor(
    private readonly outbox: AlertOutboxService,
    private readonly links: AlertLinksService,
  ) {}

  /** For all breaches of an organisation that were decided on together. */
  async send(
    orgId: number,
    all: readonly { decided: DecidedBreaches; acts: readonly PlanAct[] }[],
    tx: Tx,
  ): Promise<void> {
    const steps = all.flatMap(({ decided, acts }) => acts.flatMap((act) => this.stepsOf(decided, act)));
    await this.outbox.apply(orgId, steps, tx);
  }

  /** The steps of one act. */
  stepsOf(decided: DecidedBreaches, act: PlanAct): OutboxStep[] {
    if (act.type === 'suppress') {
      if (!act.isFinal || act.destinations.length === 0) return [];
      return [{ type: 'suppress', alert: this.alertOf(decided, act, act.phase), reason: act.reason }];
    }
    const phase = PHASES[act.type];
    const needsNewMessage = phase === 'updated' ? { needsNewMessage: act.type === 'update' } : {};
    return [{ type: 'enqueue', alert: { ...this.alertOf(decided, act, phase), ...needsNewMessage } }];
  }

  private alertOf(decided: DecidedBreaches, act: PlanAct, phase: AlertToSend['phase']): AlertToSend {
    const { org, plan, rule, metrics, now } = decided;
    const about = new Set(act.members.map(({ metricId }) => metricId));
    const breaches = plan.breaches.filter(({ metricId }) => about.has(metricId));
    const known = breaches.flatMap(({ metricId, start, end, value, limit, metric }) => {
      const described = metrics.get(metricId);
      const name = described?.name ?? metric;
      if (name === undefined) return [];
      return {
        metricId,
        metric: name,
        labels: described?.labels ?? {},
        unit: described === undefined ? null : shownUnit(described),
        value,
        limit,
        start,
        end,
      };
    });
    const facts = furthestFirst(rule.threshold!, known);
    const [first] = facts;
    const subject = { type: 'watcher-metric' as const, id: plan.key.split('/')[1]! };
    const watcher = { id: rule.id, name: rule.name };
    const { metricId: id = null, metric = null, value = null, limit = null } = first ?? {};
    return {
      orgId: org.id,
      key: plan.key,
      kind: 'threshold',
      phase,
      content: composeThreshold({
        org: { id: org.id, name: org.name },
        watcher,
        timezone: org.timezone,
        now,
        links: this.links.ofWatcher(
          org.id,
          rule.id,
          first === undefined ? null : { metric: first.metric, anomalyId: null, start: first.start },
        ),
        event: {
          type: phase === 'recovered' ? 'threshold.recovered' : 'threshold.breached',
          data: {
            ...{ watcher, metric, metric_id: id, value, threshold: limit },
            metrics_count: facts.length,
            metrics: facts.slice(0, MAX_NAMED).map((one) => ({
              ...{ metric: one.metric, metric_id: one.metricId, value: one.value, threshold: one.limit },
            })),
          },
        },
        phase,
        rule: rule.threshold!,
        breaches: facts,
        metricsCount: facts.length,
        subject,
        ending: act.type === 'recover' && act.why !== 'ended' ? endingOf(decided, breaches) : undefined,
      }),
      destinations: act.destinations,
      watcherId: rule.id,
      watcherName: rule.name,
      anomalyId: null,
      incidentId: null,
      metricId: id,
      subjects: facts.map(({ metricId }) => ({ metricId, anomalyId: null })),
    };
  }
}

/** Why the last of the metrics is no longer in breach. */
function endingOf({ metrics }: DecidedBreaches, breaches: readonly StoredBreach[]): BreachEnding {
  const departure = breaches.findLast((breach) => breach.departure !== undefined)?.departure;
  if (departure !== undefined) return departure;
  return breaches.every(({ metricId }) => !metrics.has(metricId)) ? 'removed' : 'silent';
}
