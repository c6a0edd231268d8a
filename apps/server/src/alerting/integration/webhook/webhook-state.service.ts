import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { Transactions } from '../../../common/database/transactions.js';
import { OrgService } from '../../../people/org/org.service.js';
import { IntegrationActsService } from '../integration-acts.service.js';
import { SettingsStoreService } from '../settings-store.service.js';
import { type StoredValues } from '../service-definition.types.js';
import { WEBHOOK } from './webhook.service-definition.js';

/** The state of a webhook apart from its settings. */
@Injectable()
export class WebhookStateService {
  constructor(
    private readonly store: SettingsStoreService,
    private readonly orgs: OrgService,
    private readonly acts: IntegrationActsService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** The secrets that currently sign: the current one first, and the previous one for a day after the change. */
  async secrets(orgId: number): Promise<string[]> {
    const values = await this.store.read(orgId, WEBHOOK);
    const { secret, previous_secret: previous, previous_secret_until: until } = values;
    const isValid = typeof until === 'number' && until > this.clock.now();
    return [secret, isValid ? previous : undefined].filter((text) => typeof text === 'string');
  }

  /** The receiver wants no more messages. An address that was changed in the meantime is kept. */
  async switchOff(orgId: number, url: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      const before = await this.store.read(orgId, WEBHOOK, tx);
      if (before.url !== url || before.enabled === false) return;
      const after: StoredValues = { ...before, enabled: false };
      const why = ' Its receiver has answered 410, that it wants no more messages.';
      await this.acts.recordChange(null, orgId, WEBHOOK, { before, after, why }, tx);
      await this.store.write(orgId, WEBHOOK, after, tx);
    });
  }
}
