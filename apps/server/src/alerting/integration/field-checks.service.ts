import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { isMasked } from '../../common/secrets/secrets.js';
import { OutgoingRulesService } from '../../platform/outgoing/outgoing-rules.service.js';
import { NamedChannelsService } from '../channel/named-channels.service.js';
import { type Given } from './given-values.js';
import { type ServiceDefinition } from './service-definition.types.js';
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

  /** A channel that does not exist in the chat. This queries its provider, for which no transaction waits. */
  async channelProblems(orgId: number, service: ServiceDefinition, given: Given): Promise<ErrorDetail[]> {
    const { [CHANNEL_FIELD]: channel, [TOKEN_FIELD]: token } = given;
    if (service.orgFields[CHANNEL_FIELD] === undefined || typeof channel !== 'string' || channel === '') return [];
    const { [CHANNEL_FIELD]: before } = await this.store.read(orgId, service);
    if (channel === before) return [];
    const fresh = token === null ? '' : typeof token === 'string' && !isMasked(token) ? token : undefined;
    return this.named.problems(orgId, [{ field: CHANNEL_FIELD, channel }], fresh);
  }
}
