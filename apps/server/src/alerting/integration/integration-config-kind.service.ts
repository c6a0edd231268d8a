import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { DescribesConfig } from '../../platform/config-kind/config-kind.decorator.js';
import {
  type ConfigFields,
  type ConfigKind,
  type ConfigObject,
  type ConfigSecret,
} from '../../platform/config-kind/config-kind.types.js';
import { ConfigKindsService } from '../../platform/config-kind/config-kinds.service.js';
import { INTEGRATION_DOCUMENTS, type IntegrationDocumentParams } from './dto/integration-document.params.js';
import { findService } from './service-lookup.functions.js';
import { type Given } from './given-values.js';
import { IntegrationChangesService } from './integration-changes.service.js';
import { complete } from './integration-settings.service.js';
import { addressOf, boundSecrets } from './secret-addresses.js';
import { type ServiceDefinition, type StoredValues } from './service-definition.types.js';
import { type FieldValue } from './service-fields.types.js';
import { SettingsStoreService } from './settings-store.service.js';

/** Those with settings, in the order of lists. */
const DOCUMENTED: readonly ServiceDefinition[] = [...INTEGRATION_DOCUMENTS.keys()].map((id) => findService(id)!);

/** The settings of services as documents. All services exist; those without settings are not exported. */
@DescribesConfig({
  kind: 'integration',
  says: 'Settings of a service: an alert channel, or a source of data.',
  params: { member: 'service', standard: null, classes: INTEGRATION_DOCUMENTS },
  isFixed: false,
  isBasis: true,
})
@Injectable()
export class IntegrationConfigKindService implements ConfigKind<IntegrationDocumentParams>, OnModuleInit {
  constructor(
    private readonly store: SettingsStoreService,
    private readonly changes: IntegrationChangesService,
    private readonly kinds: ConfigKindsService,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]> {
    const found: ConfigObject[] = [];
    for (const [id, service] of DOCUMENTED.entries()) {
      const fields = fieldsOf(service, await this.store.read(caller.org.id, service, tx));
      found.push({ id, name: service.id, fields, isUntouched: isDeepStrictEqual(fields, fieldsOf(service, {})) });
    }
    return found;
  }

  keyOf({ service }: ConfigFields): string {
    return String(service);
  }

  fieldsOf(_caller: KnownCaller, params: IntegrationDocumentParams): ConfigFields {
    const { service } = params;
    const given = Object.entries(givenOf(params)).filter((entry): entry is [string, FieldValue] => entry[1] !== null);
    return fieldsOf(findService(service)!, Object.fromEntries(given));
  }

  secretsOf(fields: ConfigFields): ReadonlyMap<string, ConfigSecret> {
    const { service: id } = fields;
    const service = typeof id === 'string' ? findService(id) : undefined;
    if (!service) return new Map();
    const sentTo = addressOf(service, fields as StoredValues);
    const bound = boundSecrets(service);
    const secrets = Object.keys(service.orgFields).filter((name) => service.orgFields[name]!.type === 'secret');
    return new Map(
      secrets.map((name) => {
        const isGenerated = service.generatedSecrets?.includes(name) === true;
        const secret = { variable: variableOf(service.id, name), isGenerated };
        return [name, bound.includes(name) ? { ...secret, sentTo } : secret];
      }),
    );
  }

  create(): Promise<void> {
    return Promise.reject(new Error('All services exist'));
  }

  async update(caller: KnownCaller, id: number, params: IntegrationDocumentParams, tx: Tx): Promise<void> {
    const service = DOCUMENTED[id]!;
    const before = await this.store.read(caller.org.id, service, tx);
    const bound = boundSecrets(service);
    // Unchanged members are not validated again, for example an address whose host does not answer at the moment. An
    // existing secret counts as given: a masked one has already been compared with the address.
    const changed = Object.entries(givenOf(params)).filter(
      ([name, value]) => !isDeepStrictEqual(value, before[name] ?? null) || (value !== null && bound.includes(name)),
    );
    await this.changes.updateIn(caller, service, Object.fromEntries(changed), tx);
  }

  remove(caller: KnownCaller, id: number, tx: Tx): Promise<void> {
    const service = DOCUMENTED[id]!;
    const nothing = Object.fromEntries(Object.keys(service.orgFields).map((name) => [name, null]));
    return this.changes.updateIn(caller, service, nothing, tx);
  }
}

/** All settings of the service of a document, null if it has none. */
function givenOf(params: IntegrationDocumentParams): Given {
  const { orgFields } = findService(params.service)!;
  return Object.fromEntries(Object.keys(orgFields).map((name) => [name, params[name] ?? null]));
}

function fieldsOf(service: ServiceDefinition, values: StoredValues): ConfigFields {
  const members = Object.entries(complete(service, values)).map(([name, value]) => [name, inOrder(value)] as const);
  return Object.assign({ service: service.id }, Object.fromEntries(members));
}

/** Members of objects by name: the database does not keep their order. */
function inOrder(value: FieldValue | null): FieldValue | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value as Readonly<Record<string, string>>);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** `WEBHOOK_SECRET`, and `CHAT_API_TOKEN` if the field already names its service. */
function variableOf(serviceId: string, field: string): string {
  return (field.startsWith(`${serviceId}_`) ? field : `${serviceId}_${field}`).toUpperCase();
}
