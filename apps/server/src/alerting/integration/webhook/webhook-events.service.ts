import { Injectable } from '@nestjs/common';
import { type Tx } from '../../../common/database/transactions.js';
import { complete, missingFields } from '../integration-settings.service.js';
import { type ServiceSettings } from '../services.types.js';
import { SettingsStoreService } from '../settings-store.service.js';
import { isChosen } from './chosen-events.js';
import { ANOMALY_EVENTS, WEBHOOK } from './webhook.service-definition.js';

/** What the webhooks of organisations are to get, for areas that alert. */
@Injectable()
export class WebhookEventsService {
  constructor(private readonly store: SettingsStoreService) {}

  /** Whether the organisation has connected one that gets messages about single anomalies. */
  async hasAnomalies(orgId: number, tx: Tx): Promise<boolean> {
    const values = await this.store.read(orgId, WEBHOOK, tx);
    if (WEBHOOK.isSwitchedOff?.(values) === true || missingFields(WEBHOOK, values).length > 0) return false;
    const settings = complete(WEBHOOK, values) as unknown as ServiceSettings['webhook'];
    return ANOMALY_EVENTS.some((type) => isChosen(settings, type));
  }
}
