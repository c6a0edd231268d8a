import { Injectable } from '@nestjs/common';
import { type AlertContent, type AlertPhase, composeIncident, type Destination, isNotified } from '#libs/alerting';
import { Permission, severityLabel } from '#libs/contracts';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { serviceCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { secondsOf } from '../../common/time.js';
import { type Org } from '../../people/org/org.types.js';
import { type OutboxStep } from '../alert/alert.types.js';
import { AlertLinksService } from '../channel/alert-links.service.js';
import { WebhookEventsService } from '../integration/webhook/webhook-events.service.js';
import { type DecidedIncident, type PlannedAnomaly } from './alert-plan.types.js';
import { AnomalyNoticeRepository, noticeKey, type StoredNotice } from './anomaly-notice.repository.js';

/** The decisions for an organisation in one round. */
export interface DecidedRound {
  org: Org;
  incidents: readonly DecidedIncident[];
  /** Changed anomalies, including those that are in no incident any more. */
  changed: readonly PlannedAnomaly[];
  now: number;
}

type Watcher = NonNullable<AlertContent['watcher']>;

interface Notice {
  anomaly: PlannedAnomaly;
  phase: AlertPhase;
  watcher: Watcher | null;
}

const DESTINATION: Destination = { channel: 'webhook', recipient: '', userId: null, mentions: [] };
const EVENT_OF_PHASE = {
  opened: 'anomaly.opened',
  updated: 'anomaly.updated',
  acknowledged: 'anomaly.updated',
  recovered: 'anomaly.closed',
} as const;

/**
 * Messages about the single anomalies of alerts, for organisations whose webhook gets them: when an anomaly opens, when
 * its severity label changes or a user acknowledges it, and when it closes. An anomaly opens once, whatever incidents
 * and watchers it later belongs to.
 */
@Injectable()
export class AnomalyNoticesService {
  constructor(
    private readonly webhooks: WebhookEventsService,
    private readonly notices: AnomalyNoticeRepository,
    private readonly records: AnomalyService,
    private readonly links: AlertLinksService,
  ) {}

  async stepsOf(round: DecidedRound, tx: Tx): Promise<OutboxStep[]> {
    const { org, incidents, changed } = round;
    const all = [...changed, ...incidents.flatMap(({ anomalies }) => anomalies)];
    const anomalies = new Map(all.map((anomaly) => [anomaly.anomalyId, anomaly]));
    if (anomalies.size === 0 || !(await this.webhooks.hasAnomalies(org.id, tx))) return [];
    const watchers = watchersOf(round);
    const stored = await this.notices.find(org.id, [...anomalies.keys()], tx);
    const notices = [...anomalies.values()].flatMap((anomaly): Notice[] => {
      const [known, watcher] = [stored.get(anomaly.anomalyId), watchers.get(anomaly.anomalyId)];
      const phase = phaseOf(anomaly, known, watcher !== undefined);
      return phase === null ? [] : [{ anomaly, phase, watcher: watcher ?? watcherOf(known) }];
    });
    if (notices.length === 0) return [];
    const ids = notices.map(({ anomaly }) => anomaly.anomalyId);
    const records = await this.records.findByIds(serviceCaller(org, Permission.Read), ids);
    return notices.flatMap((notice) => {
      const record = records.get(notice.anomaly.anomalyId);
      return record === undefined ? [] : this.stepsOfOne(round, notice, record);
    });
  }

  private stepsOfOne(round: DecidedRound, notice: Notice, record: object): OutboxStep[] {
    const { anomaly, phase, watcher } = notice;
    const { anomalyId, incidentId, member, facts } = anomaly;
    const key = noticeKey(anomalyId);
    const steps: OutboxStep[] = [
      {
        type: 'enqueue',
        alert: {
          orgId: round.org.id,
          key,
          kind: 'anomaly',
          phase,
          counts: false,
          content: this.contentOf(round, notice, record),
          destinations: [DESTINATION],
          watcherId: watcher?.id ?? null,
          watcherName: watcher?.name ?? null,
          anomalyId,
          incidentId,
          metricId: facts.metricId,
        },
      },
    ];
    // It was not an anomaly: queued messages are not sent any more.
    if (member.state === 'withdrawn') steps.unshift({ type: 'silence', key, reason: 'filter' });
    return steps;
  }

  private contentOf({ org, now }: DecidedRound, { anomaly, phase, watcher }: Notice, record: object): AlertContent {
    const { anomalyId, incidentId, facts, note } = anomaly;
    const { metric, start, end, severity } = facts;
    const content = composeIncident({
      phase,
      org: { id: org.id, name: org.name },
      watcher,
      timezone: org.timezone,
      now,
      links: this.links.ofIncident(org.id, { id: incidentId ?? 0, metricsCount: 1 }, { metric, anomalyId, start }),
      event: { type: EVENT_OF_PHASE[phase], data: { anomaly: record } },
      incident: { id: incidentId ?? 0, title: metric, start, end, severity, metricsCount: 1, origins: [] },
      anomalies: [facts],
      metricsCount: 1,
      previous: null,
      acknowledgement: phase === 'acknowledged' ? { by: null, note } : null,
    });
    return { ...content, subject: { type: 'anomaly', id: String(anomalyId) } };
  }
}

/** The watcher that has alerted of each anomaly by webhook, and still would. */
function watchersOf({ org, incidents, now }: DecidedRound): ReadonlyMap<number, Watcher> {
  const { alertsMutedUntil } = org;
  if (alertsMutedUntil !== null && now < secondsOf(alertsMutedUntil)) return new Map();
  const found = new Map<number, Watcher>();
  for (const { plans, rules, anomalies } of incidents) {
    for (const { state } of plans.values()) {
      const rule = rules.get(state.watcherId);
      const isByWebhook =
        isNotified(state) && state.destinations.some(({ channel }) => channel === DESTINATION.channel);
      if (rule === undefined || !isByWebhook) continue;
      const notified = new Set(state.notifiedMetrics);
      for (const { anomalyId, facts } of anomalies) {
        if (notified.has(facts.metricId)) found.set(anomalyId, { id: rule.id, name: rule.name });
      }
    }
  }
  return found;
}

/** The phase to report for an anomaly; null: nothing new. */
function phaseOf(
  { member, facts }: PlannedAnomaly,
  known: StoredNotice | undefined,
  isWatched: boolean,
): AlertPhase | null {
  const isOpen = known?.state === 'open';
  if (member.state !== 'open') return isOpen ? 'recovered' : null;
  if (!isWatched || member.isQuiet || member.isExcluded) return null;
  if (!isOpen || known.first === 'none') return member.isAcknowledged ? null : 'opened';
  if (known.first === 'failed') return null;
  if (member.isAcknowledged) return known.isAcknowledged ? null : 'acknowledged';
  return known.isAcknowledged || known.severityLabel !== severityLabel(facts.severity) ? 'updated' : null;
}

function watcherOf(known: StoredNotice | undefined): Watcher | null {
  if (known?.watcherId == null || known.watcherName === null) return null;
  return { id: known.watcherId, name: known.watcherName };
}
