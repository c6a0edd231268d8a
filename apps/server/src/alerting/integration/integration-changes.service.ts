import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { isMasked } from '../../common/secrets/secrets.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { OrgService } from '../../people/org/org.service.js';
import { OutgoingRulesService } from '../../platform/outgoing/outgoing-rules.service.js';
import { NamedChannelsService } from '../channel/named-channels.service.js';
import { type ServiceChangedDto } from './dto/integration.dto.js';
import { type OrgPropertiesParams } from './dto/integration.params.js';
import { IntegrationActsService } from './integration-acts.service.js';
import { IntegrationService, serviceOf } from './integration.service.js';
import { type ServiceDefinition, type StoredValues } from './service-definition.types.js';
import { type Fields, type FieldValue } from './service-fields.types.js';
import { foreignFields, type Given, givenOf } from './given-values.js';
import { withoutSecretsOfOtherAddress } from './secret-addresses.js';
import { SettingsStoreService } from './settings-store.service.js';

const CHANNEL_FIELD = 'default_chat_channel';
const TOKEN_FIELD = 'chat_api_token';

/** Compares settings with external data: the rules of the operator, and the objects of a service. */
@Injectable()
export class FieldChecksService {
  constructor(
    private readonly outgoing: OutgoingRulesService,
    private readonly named: NamedChannelsService,
    private readonly store: SettingsStoreService,
  ) {}

  /** Addresses and hosts that organisations must not name. */
  async addressProblems(service: ServiceDefinition, given: Given): Promise<ErrorDetail[]> {
    const problems = Object.entries(given).map(async ([field, value]): Promise<ErrorDetail | null> => {
      const leadsTo = service.orgFields[field]?.leadsTo ?? null;
      if (leadsTo === null || typeof value !== 'string' || isMasked(value)) return null;
      const problem = await (leadsTo === 'url' ? this.outgoing.problemOf(value) : this.outgoing.problemOfHost(value));
      return problem === null ? null : { field, code: 'address_not_allowed', message: `${field}: ${problem}` };
    });
    return (await Promise.all(problems)).filter((problem) => problem !== null);
  }

  /** A channel that the chat does not have. Its provider is asked: no transaction waits for that. */
  async channelProblems(orgId: number, service: ServiceDefinition, given: Given): Promise<ErrorDetail[]> {
    const { [CHANNEL_FIELD]: channel, [TOKEN_FIELD]: token } = given;
    if (service.orgFields[CHANNEL_FIELD] === undefined || typeof channel !== 'string' || channel === '') return [];
    const { [CHANNEL_FIELD]: before } = await this.store.read(orgId, service);
    if (channel === before) return [];
    const fresh = token === null ? '' : typeof token === 'string' && !isMasked(token) ? token : undefined;
    return this.named.problems(orgId, [{ field: CHANNEL_FIELD, channel }], fresh);
  }
}

interface AppliedChange {
  after: StoredValues;
  /** Secrets that are returned in clear, only this time. */
  shown: readonly string[];
  /** Secrets that are removed because the address has changed. */
  details: ErrorDetail[];
}

/** Changes of settings by people. */
@Injectable()
export class IntegrationChangesService {
  constructor(
    private readonly integrations: IntegrationService,
    private readonly store: SettingsStoreService,
    private readonly orgs: OrgService,
    private readonly acts: IntegrationActsService,
    private readonly checks: FieldChecksService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceNotFoundError, ValidationFailedError */
  async update(
    caller: KnownCaller,
    serviceId: string,
    judged: JudgedParams<OrgPropertiesParams>,
  ): Promise<ServiceChangedDto> {
    const service = serviceOf(serviceId);
    const orgId = caller.org.id;
    const sound = givenOf(judged.sound);
    const early = [
      ...foreignFields(service.orgFields, sound),
      ...(await this.checks.addressProblems(service, sound)),
      ...(await this.checks.channelProblems(orgId, service, sound)),
    ];
    const change = await this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      const before = await this.store.read(orgId, service, tx);
      const { problems, ...change } = wantedOf(service, before, sound);
      judged.requireSound([...early, ...(early.length > 0 ? [] : problems)]);
      return this.apply(caller, service, { before, ...change }, tx);
    });
    const { properties, service: record } = await this.integrations.orgProperties(caller, serviceId);
    for (const name of change.shown) properties[name] = change.after[name] ?? null;
    return { properties, service: record, message: 'OK', details: change.details };
  }

  /**
   * Within the transaction of the caller, which has locked the organisation.
   * @param given values by field, null if one is cleared; omitted ones stay
   * @throws ValidationFailedError
   */
  async updateIn(caller: KnownCaller, service: ServiceDefinition, given: Given, tx: Tx): Promise<void> {
    const before = await this.store.read(caller.org.id, service, tx);
    const { problems: linked, ...change } = wantedOf(service, before, given);
    const problems = [...(await this.checks.addressProblems(service, given)), ...linked];
    if (problems.length > 0) throw new ValidationFailedError(problems);
    await this.apply(caller, service, { before, ...change }, tx);
  }

  private async apply(
    caller: KnownCaller,
    service: ServiceDefinition,
    { before, wanted, details }: { before: StoredValues } & Omit<Wanted, 'problems'>,
    tx: Tx,
  ): Promise<AppliedChange> {
    const now = Math.floor(this.clock.now());
    const complemented = service.complement?.({ before, after: wanted, now });
    const after = complemented?.values ?? wanted;
    const isChanged = await this.acts.recordChange(caller, caller.org.id, service, { before, after }, tx);
    if (isChanged) await this.store.write(caller.org.id, service, after, tx);
    return { after, shown: complemented?.shown ?? [], details };
  }
}

/** All values after the requested change, problems of their combination, and secrets that are removed from them. */
interface Wanted {
  wanted: StoredValues;
  problems: ErrorDetail[];
  details: ErrorDetail[];
}

function wantedOf(service: ServiceDefinition, before: StoredValues, given: Given): Wanted {
  const merged = mergedWith(before, given, service.orgFields);
  const { values, details } = withoutSecretsOfOtherAddress(service, { before, wanted: merged, given });
  const removed = new Set(details.map(({ field }) => field));
  const problems = (service.problems?.(values) ?? []).filter(({ field }) => !removed.has(field));
  return { wanted: values, problems, details };
}

/** A masked secret that is sent back stays unchanged. */
function mergedWith(before: StoredValues, given: Given, fields: Fields): StoredValues {
  const merged: Record<string, FieldValue> = { ...before };
  for (const [name, value] of Object.entries(given)) {
    const isKept = fields[name]?.type === 'secret' && typeof value === 'string' && isMasked(value);
    if (isKept) continue;
    if (value === null || value === '') Reflect.deleteProperty(merged, name);
    else merged[name] = value;
  }
  return merged;
}
