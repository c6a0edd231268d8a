import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Clock } from '../../common/clock.js';
import { counted } from '../../common/display/display.js';
import { type ComponentReport, ComponentReports } from '../../common/telemetry/component-reports.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { DAY } from '../../common/time.js';
import { AlertDeliveryRepository } from './alert-delivery.repository.js';
import { AlertDeliveryService } from './alert-delivery.service.js';

/** A message that waits longer is reported in GET /status. */
const LONG_WAIT_SECONDS = 300;

/** The state of delivery, in GET /status and on /metrics: of all organisations, so it contains no address or reason. */
@Injectable()
export class AlertStatusService {
  constructor(
    private readonly deliveries: AlertDeliveryRepository,
    private readonly delivery: AlertDeliveryService,
    private readonly clock: Clock,
    components: ComponentReports,
    metrics: MetricsRegistry,
  ) {
    new Gauge({
      name: 'plumbline_alert_messages_waiting',
      help: 'Messages of alerts in the outbox that wait to be sent or retried, of all organisations',
      registers: [metrics.prometheus],
      async collect() {
        this.set((await deliveries.waitingOfAll(0, 0)).waiting);
      },
    });
    new Gauge({
      name: 'plumbline_alert_messages_given_up',
      help: 'Messages of alerts that were given up and are still listed (plumbline alerts failed), of all organisations',
      registers: [metrics.prometheus],
      async collect() {
        this.set((await deliveries.waitingOfAll(0, 0)).failed);
      },
    });
    components.register('notifications', () => this.report());
    new Gauge({
      name: 'plumbline_alert_ways_paused',
      help: 'Routes of alerts (organisation, channel and server) that this process pauses for up to a minute because they failed several times in a row',
      registers: [metrics.prometheus],
      collect() {
        this.set(delivery.pausedQueues().length);
      },
    });
  }

  private async report(): Promise<ComponentReport> {
    const now = this.clock.now();
    const { waiting, overdueSince, failed } = await this.deliveries.waitingOfAll(now, now - DAY);
    const waitedSeconds = overdueSince === null ? null : Math.max(0, Math.floor(now - overdueSince));
    const paused = this.delivery.pausedQueues().length;
    const parts = [
      ...(waiting > 0 ? [counted(waiting, 'message waits', 'messages wait')] : []),
      ...(paused > 0 ? [`${counted(paused, 'route is', 'routes are')} failing`] : []),
      ...(failed > 0 ? [`${counted(failed, 'message was', 'messages were')} given up in the last 24 h`] : []),
    ];
    const ok = (waitedSeconds ?? 0) < LONG_WAIT_SECONDS;
    return { ok, ageSeconds: waitedSeconds, message: parts.join('; ') };
  }
}
