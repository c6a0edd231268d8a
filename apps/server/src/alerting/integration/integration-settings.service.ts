import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { dateOf } from '../../common/time.js';
import { InstanceMailService } from '../../platform/mail/instance-mail.service.js';
import { ChannelError } from '../channel/channel.errors.js';
import { findService } from './service-lookup.functions.js';
import { IntegrationRepository } from './integration.repository.js';
import { type ServiceDefinition, type StoredValues } from './service-definition.types.js';
import { type FieldValue } from './service-fields.types.js';
import { type ServiceId, type ServiceSettings } from './services.types.js';
import { SettingsStoreService } from './settings-store.service.js';

/** Settings of a service that is connected. */
export type ConnectedSettings<Id extends ServiceId> = ServiceSettings[Id] & {
  /** True for settings of the operator: the organisation has none. */
  readonly isOfInstance: boolean;
};

/** The settings of organisations for services: the interface for channels, and for areas that send through them. */
@Injectable()
export class IntegrationSettingsService {
  constructor(
    private readonly store: SettingsStoreService,
    private readonly integrations: IntegrationRepository,
    private readonly instanceMail: InstanceMailService,
    private readonly clock: Clock,
  ) {}

  /** Secrets opened, defaults and the settings of the operator filled in; null while the service is not connected. */
  async of<Id extends ServiceId>(orgId: number, serviceId: Id, tx?: Tx): Promise<ConnectedSettings<Id> | null> {
    const service = findService(serviceId)!;
    const stored = await this.store.read(orgId, service, tx);
    const instance = this.instanceValues(service, stored);
    const values = instance ?? stored;
    if (service.isSwitchedOff?.(values) === true || !isWhole(service, values)) return null;
    // Without a mail server of the organisation or the operator, no mail can be sent, though none of the fields is
    // required.
    if (service.id === 'email' && values.smtp_host === undefined) return null;
    return { ...complete(service, values), isOfInstance: instance !== null } as ConnectedSettings<Id>;
  }

  /** The same. @throws ChannelError while the service is not connected: a message waits until it is set up */
  async connected<Id extends ServiceId>(orgId: number, serviceId: Id): Promise<ConnectedSettings<Id>> {
    const settings = await this.of(orgId, serviceId);
    if (settings === null) throw new ChannelError('later', 'the integration is not connected');
    return settings;
  }

  /** The operator's settings for organisations without their own; null if they do not apply. */
  instanceValues(service: ServiceDefinition, stored: StoredValues): StoredValues | null {
    if (service.id !== 'email' || stored.smtp_host !== undefined) return null;
    const { server } = this.instanceMail;
    if (server === null) return null;
    const { username, password } = server;
    return {
      smtp_host: server.host,
      smtp_port: server.port,
      smtp_security: server.security,
      ...(username === null || password === null ? {} : { smtp_username: username, smtp_password: password }),
      from_address: server.from,
      from_name: server.fromName,
    };
  }

  /**
   * Records the outcome of a message, which is shown with the service. `error`: for people, without secrets; null if it
   * was accepted.
   */
  noteOutcome(orgId: number, serviceId: ServiceId, error: string | null): Promise<void> {
    return this.integrations.noteOutcome(orgId, serviceId, dateOf(this.clock.now()), error);
  }
}

/** True if no required field is missing, nor a secret of a login, which is removed when the address changes. */
export const isWhole = (service: ServiceDefinition, values: StoredValues): boolean =>
  missingFields(service, values).length === 0 &&
  !(service.problems?.(values) ?? []).some(({ field }) => service.orgFields[field]?.type === 'secret');

/** Required fields without a value. */
export const missingFields = ({ orgFields }: ServiceDefinition, values: StoredValues): string[] =>
  Object.keys(orgFields).filter((name) => orgFields[name]!.required && values[name] === undefined);

/** Every field of the service: one without a value has its default, or null. */
export function complete({ orgFields }: ServiceDefinition, values: StoredValues): Record<string, FieldValue | null> {
  return Object.fromEntries(Object.entries(orgFields).map(([name, field]) => [name, values[name] ?? field.default]));
}
