import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { RecurringWork } from '../../common/recurring-work.js';
import { counted } from '../../common/display/display.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { AlertDeliveryRepository, type SuppressedAlert } from './alert-delivery.repository.js';

const EVERY_MS = 2000;
/** Maximum number of messages at a time. */
const STEP = 1000;
/** Maximum number of events of one organisation and reason; further ones become one event. */
const MAX_EVENTS = 20;

const REASONS: Readonly<Record<string, string>> = {
  expiration: 'the metric was alerted a short time ago',
  muted: 'alerts are muted',
  exclusion: 'an exclusion covers it',
  acknowledged: 'it is acknowledged or trained',
  filter: 'the filters of its watcher exclude it',
  budget: 'the alert budget is used up',
  flapping: 'it keeps opening and closing',
};

/** Records the events of suppressed alerts, once they are committed. */
@Injectable()
export class SuppressionReportsService extends RecurringWork {
  private readonly suppressed: Counter<'reason'>;

  constructor(
    private readonly deliveries: AlertDeliveryRepository,
    private readonly events: EventRecorderService,
    metrics: MetricsRegistry,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Suppressed alerts could not be recorded as events' });
    this.suppressed = new Counter({
      name: 'plumbline_alert_messages_suppressed_total',
      help: 'Messages of alerts that were not sent, by reason: expiration, muted, exclusion, acknowledged, filter, budget, flapping.',
      labelNames: ['reason'],
      registers: [metrics.prometheus],
    });
  }

  async run(): Promise<void> {
    await this.repeat(STEP, async () => {
      const alerts = await this.deliveries.takeSuppressedOfAll(STEP);
      for (const group of groupsOf(alerts)) this.record(group);
      return alerts.reduce((sum, { destinations }) => sum + destinations, 0);
    });
  }

  private record(alerts: readonly SuppressedAlert[]): void {
    const { orgId, reason } = alerts[0]!;
    const because = REASONS[reason] ?? reason;
    const messages = alerts.reduce((sum, { destinations }) => sum + destinations, 0);
    this.suppressed.inc({ reason }, messages);
    const common = { orgId, type: 'alert_suppressed', level: 'info' } as const;
    if (alerts.length > MAX_EVENTS) {
      const message = `${counted(alerts.length, 'alert was', 'alerts were')} not sent: ${because}.`;
      this.events.record({ ...common, message, details: { reason, alerts: alerts.length, messages } });
      return;
    }
    for (const { alertId, title, destinations, anomalyId, watcherId, metricId } of alerts) {
      this.events.record({
        ...common,
        message: `${title}: not sent, ${because}.`,
        ...(anomalyId === null ? {} : { anomalyId }),
        ...(watcherId === null ? {} : { watcherId }),
        ...(metricId === null ? {} : { metricId }),
        ref: { kind: 'alert', id: String(alertId) },
        details: { reason, alerts: 1, messages: destinations },
      });
    }
  }
}

function groupsOf(alerts: readonly SuppressedAlert[]): SuppressedAlert[][] {
  const groups = new Map<string, SuppressedAlert[]>();
  for (const alert of alerts) {
    const key = `${String(alert.orgId)} ${alert.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), alert]);
  }
  return [...groups.values()];
}
