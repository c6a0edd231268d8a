import { Injectable } from '@nestjs/common';
import { type KnownCaller, type UserCaller } from '../../common/auth/caller.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { Links } from '../../common/http/links.js';
import { masked } from '../../common/secrets/secrets.js';
import { UserService } from '../../people/user/user.service.js';
import {
  type ConfigFieldDto,
  type FieldSource,
  type ServiceConfigDto,
  type ServiceListDto,
  type ServicePropertiesDto,
} from './dto/integration.dto.js';
import { type ListServicesParams } from './dto/integration.params.js';
import { findService } from './service-lookup.functions.js';
import { ServiceNotFoundError } from './integration.errors.js';
import { IntegrationSettingsService } from './integration-settings.service.js';
import { type Guide, type ServiceDefinition, type StoredValues } from './service-definition.types.js';
import { type AnyField, type Fields, type FieldValue } from './service-fields.types.js';
import { ServiceRecordsService } from './service-records.service.js';
import { SettingsStoreService } from './settings-store.service.js';
import { userValuesOf } from './user-fields.js';

/** Of the operator's settings, organisations only see the sender of mails. */
const SHOWN_OF_INSTANCE = ['from_address', 'from_name'];

/** An effective value and its origin. */
interface EffectiveValue {
  value: FieldValue | null;
  source: FieldSource;
}

/** Services and their settings, as people of an organisation see them. */
@Injectable()
export class IntegrationService {
  constructor(
    private readonly records: ServiceRecordsService,
    private readonly store: SettingsStoreService,
    private readonly settings: IntegrationSettingsService,
    private readonly users: UserService,
    private readonly links: Links,
    private readonly server: ServerConfig,
  ) {}

  async list(caller: KnownCaller, { category }: ListServicesParams): Promise<ServiceListDto> {
    const all = await this.records.listAll(caller.org.id);
    return { services: all.filter((service) => category === undefined || category.includes(service.category)) };
  }

  /** @throws ServiceNotFoundError */
  async orgConfig(caller: KnownCaller, serviceId: string): Promise<ServiceConfigDto> {
    const service = serviceOf(serviceId);
    const effective = await this.orgValues(caller.org.id, service);
    return this.config(caller, service, toFields(service.orgFields, effective));
  }

  /** @throws ServiceNotFoundError */
  async orgProperties(caller: KnownCaller, serviceId: string): Promise<ServicePropertiesDto> {
    const service = serviceOf(serviceId);
    const effective = await this.orgValues(caller.org.id, service);
    return this.properties(caller, service, effective);
  }

  /** @throws ServiceNotFoundError */
  async userConfig(caller: UserCaller, serviceId: string): Promise<ServiceConfigDto> {
    const service = serviceOf(serviceId);
    const effective = await this.userValues(caller, service);
    return this.config(caller, service, toFields(service.userFields, effective));
  }

  /** @throws ServiceNotFoundError */
  async userProperties(caller: UserCaller, serviceId: string): Promise<ServicePropertiesDto> {
    const service = serviceOf(serviceId);
    return this.properties(caller, service, await this.userValues(caller, service));
  }

  private async config(
    caller: KnownCaller,
    service: ServiceDefinition,
    fields: ConfigFieldDto[],
  ): Promise<ServiceConfigDto> {
    const { instructions, snippets } = this.guideOf(service);
    return { service: await this.records.get(caller.org.id, service), fields, instructions, snippets };
  }

  private async properties(
    caller: KnownCaller,
    service: ServiceDefinition,
    effective: ReadonlyMap<string, EffectiveValue>,
  ): Promise<ServicePropertiesDto> {
    const entries = [...effective].map(([name, { value }]) => [name, value] as const);
    return { properties: Object.fromEntries(entries), service: await this.records.get(caller.org.id, service) };
  }

  private async orgValues(orgId: number, service: ServiceDefinition): Promise<Map<string, EffectiveValue>> {
    const stored = await this.store.read(orgId, service);
    const instance = this.settings.instanceValues(service, stored);
    return effectiveValuesOf(service.orgFields, (name, field): EffectiveValue => {
      if (instance?.[name] !== undefined) {
        return { value: SHOWN_OF_INSTANCE.includes(name) ? instance[name] : null, source: 'instance' };
      }
      return ownOr(field, instance === null ? stored[name] : undefined, 'org');
    });
  }

  private async userValues(caller: UserCaller, service: ServiceDefinition): Promise<Map<string, EffectiveValue>> {
    const values: StoredValues = userValuesOf(await this.users.getById(caller.org.id, caller.userId));
    return effectiveValuesOf(service.userFields, (name, field) => ownOr(field, values[name], 'user'));
  }

  private guideOf(service: ServiceDefinition): Guide {
    return service.guide({
      publicUrl: this.server.publicUrl,
      ingestUrl: this.links.ingest(''),
      apiUrl: this.links.api(''),
      graphiteAddress: this.server.graphitePublicAddress,
    });
  }
}

/** @throws ServiceNotFoundError */
export function serviceOf(serviceId: string): ServiceDefinition {
  const service = findService(serviceId);
  if (service === undefined) throw new ServiceNotFoundError(serviceId);
  return service;
}

function effectiveValuesOf(
  fields: Fields,
  find: (name: string, field: AnyField) => EffectiveValue,
): Map<string, EffectiveValue> {
  return new Map(Object.entries(fields).map(([name, field]) => [name, shown(field, find(name, field))]));
}

function ownOr(field: AnyField, value: FieldValue | undefined, source: 'org' | 'user'): EffectiveValue {
  return value === undefined ? { value: field.default, source: 'default' } : { value, source };
}

function shown({ type }: AnyField, { value, source }: EffectiveValue): EffectiveValue {
  return { value: type === 'secret' && typeof value === 'string' ? masked(value) : value, source };
}

function toFields(fields: Fields, effective: ReadonlyMap<string, EffectiveValue>): ConfigFieldDto[] {
  return Object.entries(fields).map(([key, { label, type, required, help, options, default: standard }]) => {
    const { value, source } = effective.get(key)!;
    return { key, label, type, required, help, options, default: standard, value, source };
  });
}
