import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org, type OrgFields } from '../../people/org/org.types.js';
import { IntegrationRepository } from './integration.repository.js';
import { type ServiceDefinition, type StoredValues } from './service-definition.types.js';
import { type FieldValue } from './service-fields.types.js';

const PURPOSE = 'integration';

/** Fields that are settings of the organisation itself, also in `PUT /org`. */
const OF_ORGANISATION: Readonly<
  Record<string, { read: (orgs: OrgService, org: Org) => string | null; write: (value: string | null) => OrgFields }>
> = {
  chat_api_token: {
    read: (orgs, org) => orgs.chatApiToken(org),
    write: (value) => ({ chatApiToken: value }),
  },
  default_chat_channel: {
    read: (_, org) => org.defaultChatChannel,
    write: (value) => ({ defaultChatChannel: value ?? '' }),
  },
  teams_chat_webhook: {
    read: (orgs, org) => orgs.teamsChatWebhook(org),
    write: (value) => ({ teamsChatWebhook: value }),
  },
};

/** Reads and writes the settings of organisations, wherever they are stored. */
@Injectable()
export class SettingsStoreService {
  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly orgs: OrgService,
    private readonly secrets: Secrets,
  ) {}

  /** Secrets sealed under a removed key count as not set. */
  async read(orgId: number, service: ServiceDefinition, tx?: Tx): Promise<StoredValues> {
    const row = await this.integrations.find(orgId, service.id, tx);
    const shared = Object.keys(service.orgFields).filter((name) => OF_ORGANISATION[name] !== undefined);
    const org = shared.length === 0 ? null : await this.orgs.find(orgId, tx);
    const values: Record<string, FieldValue> = {
      ...row?.values,
      ...this.opened(orgId, service.id, row?.secretsSealed ?? null),
    };
    for (const name of org === null ? [] : shared) {
      const value = OF_ORGANISATION[name]!.read(this.orgs, org!);
      if (value !== null && value !== '') values[name] = value;
    }
    return values;
  }

  /** Replaces all values. The organisation must be locked by `tx`. */
  async write(orgId: number, service: ServiceDefinition, values: StoredValues, tx: Tx): Promise<void> {
    const plain: Record<string, FieldValue> = {};
    const sealed: Record<string, FieldValue> = {};
    const shared: OrgFields = {};
    for (const name of Object.keys(service.orgFields)) {
      const ofOrganisation = OF_ORGANISATION[name];
      if (ofOrganisation) Object.assign(shared, ofOrganisation.write((values[name] as string | undefined) ?? null));
    }
    for (const [name, value] of Object.entries(values)) {
      if (OF_ORGANISATION[name] !== undefined) continue;
      const isSecret = service.orgFields[name]?.type === 'secret' || service.ownSecrets?.includes(name) === true;
      (isSecret ? sealed : plain)[name] = value;
    }
    const secretsSealed =
      Object.keys(sealed).length === 0
        ? null
        : this.secrets.seal(PURPOSE, boundTo(orgId, service.id), JSON.stringify(sealed));
    await this.integrations.save(orgId, service.id, { values: plain, secretsSealed }, tx);
    if (Object.keys(shared).length > 0) {
      await this.orgs.update(orgId, shared, tx);
      await this.orgs.notifyUpdated(orgId, tx);
    }
  }

  private opened(orgId: number, serviceId: string, sealed: string | null): Record<string, string> {
    const text = sealed === null ? null : this.secrets.tryOpen(PURPOSE, boundTo(orgId, serviceId), sealed);
    return text === null ? {} : (JSON.parse(text) as Record<string, string>);
  }
}

const boundTo = (orgId: number, serviceId: string): string => `integration/${String(orgId)}/${serviceId}`;
