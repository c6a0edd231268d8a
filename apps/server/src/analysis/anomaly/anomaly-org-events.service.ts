import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AnomalyKind, type CloseReason, severityLabel } from '#libs/contracts';
import { anomalyText, shownUnit } from '#libs/wording';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type OrgEvent } from '../../platform/event/event.types.js';
import { type AnomalyChanged, AnomalyEvents, type AnomalyFacts } from './anomaly.events.js';

const ENDS: Readonly<Record<CloseReason, string>> = {
  recovered: 'the values are as expected again',
  adapted: 'the new values are expected from now on',
  trained: 'it was trained as expected behaviour',
  excluded: 'the metric is excluded from analysis',
  data_ended: 'there is no further data to judge',
};

/** What is normal again, if it is not the values. */
const RETURNS: Partial<Record<AnomalyKind, string>> = {
  missing_data: 'the metric sends data again',
  flatline: 'the values change again',
};

/**
 * Records opened and closed anomalies as events of the organisation (GET /org/events). Backfilled history causes none:
 * it would be listed above current events.
 */
@Injectable()
export class AnomalyOrgEventsService implements OnModuleInit {
  constructor(
    private readonly anomalies: AnomalyEvents,
    private readonly events: EventRecorderService,
  ) {}

  onModuleInit(): void {
    this.anomalies.subscribe((change) => {
      if (change.type !== 'updated' && !change.backfill && !change.quiet)
        this.events.record(eventOf(change, change.type));
    });
  }
}

function eventOf({ orgId, anomalyId, metricId, facts }: AnomalyChanged, what: 'opened' | 'closed'): OrgEvent {
  const { kind, severity, startTimestamp, endTimestamp, outUntilTimestamp, closeReason, metric } = facts;
  const details = { kind, severity, timestamp: startTimestamp };
  const common = { orgId, anomalyId, metricId };
  if (what === 'opened') {
    const title = titleOf(facts);
    const message = `${title}; severity ${String(severity)} (${severityLabel(severity)}).`;
    return { ...common, type: 'anomaly_opened', level: 'alert', title, message, details };
  }
  return {
    ...common,
    type: 'anomaly_closed',
    level: 'info',
    title: `The anomaly of ${metric.name} is over`,
    message: `${titleOf(facts)}; it is over${howEnded(facts)}.`,
    details: {
      ...details,
      until_timestamp: endTimestamp,
      out_until_timestamp: outUntilTimestamp,
      close_reason: closeReason,
    },
  };
}

function howEnded({ kind, closeReason }: AnomalyFacts): string {
  if (closeReason === null) return '';
  const returned = closeReason === 'recovered' ? RETURNS[kind] : undefined;
  return `: ${returned ?? ENDS[closeReason]}`;
}

/** `web-1.cpu rose to 93 % (usual 20 to 40 %)` */
function titleOf({ metric, startTimestamp: start, outUntilTimestamp: end, ...facts }: AnomalyFacts): string {
  const { name, zone } = metric;
  const described = { ...facts, start, end, unit: shownUnit(metric) };
  return `${name} ${anomalyText(described, { zone, now: end ?? start })}`;
}
