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

/** A value in force, and whose it is. */
interface Standing {
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
    const standing = await this.orgStanding(caller.org.id, service);
    return this.config(caller, service, toFields(service.orgFields, standing));
  }

  /** @throws ServiceNotFoundError */
  async orgProperties(caller: KnownCaller, serviceId: string): Promise<ServicePropertiesDto> {
    const service = serviceOf(serviceId);
    const standing = await this.orgStanding(caller.org.id, service);
    return this.properties(caller, service, standing);
  }

  /** @throws ServiceNotFoundError */
  async userConfig(caller: UserCaller, serviceId: string): Promise<ServiceConfigDto> {
    const service = serviceOf(serviceId);
    const standing = await this.userStanding(caller, service);
    return this.config(caller, service, toFields(service.userFields, standing));
  }

  /** @throws ServiceNotFoundError */
  async userProperties(caller: UserCaller, serviceId: string): Promise<ServicePropertiesDto> {
    const service = serviceOf(serviceId);
    return this.properties(caller, service, await this.userStanding(caller, service));
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
    standing: ReadonlyMap<string, Standing>,
  ): Promise<ServicePropertiesDto> {
    const entries = [...standing].map(([name, { value }]) => [name, value] as const);
    return { properties: Object.fromEntries(entries), service: await this.records.get(caller.org.id, service) };
  }

  private async orgStanding(orgId: number, service: ServiceDefinition): Promise<Map<string, Standing>> {
    const stored = await this.store.read(orgId, service);
    const instance = this.settings.instanceValues(service, stored);
    return standingOf(service.orgFields, (name, field): Standing => {
      if (instance?.[name] !== undefined) {
        return { value: SHOWN_OF_INSTANCE.includes(name) ? instance[name] : null, source: 'instance' };
      }
      return ownOr(field, instance === null ? stored[name] : undefined, 'org');
    });
  }

  private async userStanding(caller: UserCaller, service: ServiceDefinition): Promise<Map<string, Standing>> {
    const values: StoredValues = userValuesOf(await this.users.getById(caller.org.id, caller.userId));
    return standingOf(service.userFields, (name, field) => ownOr(field, values[name], 'user'));
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
  if (service === undefined) throw new ServiceNotFoundError();
  return service;
}

function standingOf(fields: Fields, find: (name: string, field: AnyField) => Standing): Map<string, Standing> {
  return new Map(Object.entries(fields).map(([name, field]) => [name, shown(field, find(name, field))]));
}

function ownOr(field: AnyField, value: FieldValue | undefined, source: 'org' | 'user'): Standing {
  return value === undefined ? { value: field.default, source: 'default' } : { value, source };
}

function shown({ type }: AnyField, { value, source }: Standing): Standing {
  return { value: type === 'secret' && typeof value === 'string' ? masked(value) : value, source };
}

function toFields(fields: Fields, standing: ReadonlyMap<string, Standing>): ConfigFieldDto[] {
  return Object.entries(fields).map(([key, { label, type, required, help, options, default: standard }]) => {
    const { value, source } = standing.get(key)!;
    return { key, label, type, required, help, options, default: standard, value, source };
  });
}
