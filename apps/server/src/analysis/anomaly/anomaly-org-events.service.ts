import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type CloseReason, severityLabel } from '#libs/contracts';
import { number } from '../../common/display/display.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { type OrgEvent } from '../../platform/event/event.types.js';
import { type AnomalyChanged, AnomalyEvents, type AnomalyFacts } from './anomaly.events.js';

const ENDS: Readonly<Record<CloseReason, string>> = {
  recovered: 'the values are as expected again',
  adapted: 'the new values are what is expected from now on',
  trained: 'it was trained as expected behaviour',
  excluded: 'the metric is excluded from analysis',
  data_ended: 'no more data arrives',
};

/**
 * Records what was opened and closed as events of the organisation (GET /org/events). Back-filled history has none:
 * it would stand above what happens now.
 */
@Injectable()
export class AnomalyOrgEvents implements OnModuleInit {
  constructor(
    private readonly anomalies: AnomalyEvents,
    private readonly events: EventRecorder,
  ) {}

  onModuleInit(): void {
    this.anomalies.subscribe((change) => {
      if (change.type !== 'updated' && !change.backfill && !change.quiet)
        this.events.record(eventOf(change, change.type));
    });
  }
}

function eventOf({ orgId, anomalyId, metricId, facts }: AnomalyChanged, what: 'opened' | 'closed'): OrgEvent {
  const { kind, severity, startTimestamp, endTimestamp, closeReason } = facts;
  const details = { kind, severity, timestamp: startTimestamp };
  const common = { orgId, anomalyId, metricId };
  if (what === 'opened') {
    return { ...common, type: 'anomaly_opened', level: 'alert', message: openedText(facts), details };
  }
  return {
    ...common,
    type: 'anomaly_closed',
    level: 'info',
    message: closedText(facts),
    details: { ...details, until_timestamp: endTimestamp, close_reason: closeReason },
  };
}

function openedText({ kind, severity, value, lower, upper }: AnomalyFacts): string {
  const found = value === null ? '' : `: ${number(value)}`;
  const expected = lower === null || upper === null ? '' : ` where ${number(lower)} to ${number(upper)} was expected`;
  return `${wordsOf(kind)}${found}${found && expected}; severity ${String(severity)} (${severityLabel(severity)}).`;
}

function closedText({ kind, closeReason }: AnomalyFacts): string {
  return `${wordsOf(kind)} is over${closeReason === null ? '' : `: ${ENDS[closeReason]}`}.`;
}

/** `level_shift_up` → `Level shift up` */
function wordsOf(kind: AnomalyFacts['kind']): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');
}
