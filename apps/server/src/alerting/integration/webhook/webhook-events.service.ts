import { Injectable } from '@nestjs/common';
import { type Tx } from '../../../common/database/transactions.js';
import { complete, missingFields } from '../integration-settings.service.js';
import { type ServiceSettings } from '../services.types.js';
import { SettingsStoreService } from '../settings-store.service.js';
import { ANOMALY_EVENTS, INCIDENT_EVENTS, WEBHOOK, WEBHOOK_EVENTS } from './webhook.service-definition.js';

type Choice = Pick<ServiceSettings['webhook'], 'events' | 'payload'>;

/** The events for the webhooks of organisations, for areas that alert. */
@Injectable()
export class WebhookEventsService {
  constructor(private readonly store: SettingsStoreService) {}

  /** True if the organisation has connected one that gets messages about single anomalies. */
  async hasAnomalies(orgId: number, tx: Tx): Promise<boolean> {
    const values = await this.store.read(orgId, WEBHOOK, tx);
    if (WEBHOOK.isSwitchedOff?.(values) === true || missingFields(WEBHOOK, values).length > 0) return false;
    const settings = complete(WEBHOOK, values) as unknown as ServiceSettings['webhook'];
    return ANOMALY_EVENTS.some((type) => isChosen(settings, type));
  }
}

const isAmong = (types: readonly string[], type: string): boolean => types.includes(type);

/** True if a receiver gets messages of a type; types that cannot be chosen, such as a test, are always sent. */
export function isChosen({ events, payload }: Choice, type: string): boolean {
  if (!isAmong(WEBHOOK_EVENTS, type)) return true;
  if (!events.includes(type)) return false;
  // The body of Alertmanager names the anomalies of an incident already.
  const saysThemAnyway = payload === 'alertmanager' && INCIDENT_EVENTS.some((one) => events.includes(one));
  return !(saysThemAnyway && isAmong(ANOMALY_EVENTS, type));
}
