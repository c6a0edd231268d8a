import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { NamedChannelsService } from '../../alerting/channel/named-channels.service.js';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { isMasked } from '../../common/secrets/secrets.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { PlanDirectoryService } from '../../people/billing/plan-directory.service.js';
import { toAnalysisVariablesDto } from '../../people/org/org.functions.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org, type RecipientList } from '../../people/org/org.types.js';
import { UserService } from '../../people/user/user.service.js';
import { type User } from '../../people/user/user.types.js';
import {
  linkedProblems,
  LIST_OF_PARAM,
  type RecipientsParamName,
  type UpdateOrgParams,
} from './dto/update-org.params.js';
import { fieldsOf } from './org-update-fields.js';

/** A requirement for users on a list. */
interface Need {
  code: 'user_lacks_phone' | 'user_lacks_chat_member';
  says: string;
  isMet: (user: User) => boolean;
}

const PHONE: Need = {
  code: 'user_lacks_phone',
  says: 'has no phone number',
  isMet: ({ phoneNumber }) => phoneNumber !== null && phoneNumber !== '',
};
const CHAT_MEMBER: Need = {
  code: 'user_lacks_chat_member',
  says: 'has no chat member id',
  isMet: ({ chatMemberId }) => chatMemberId !== null && chatMemberId !== '',
};
const NEEDS: Partial<Record<RecipientList, Need>> = { sms: PHONE, admin_sms: PHONE, chat_mentions: CHAT_MEMBER };

/** Finds problems of changes of an organisation's settings, apart from those of single parameters. */
@Injectable()
export class OrgUpdateChecksService {
  constructor(
    private readonly users: UserService,
    private readonly orgs: OrgService,
    private readonly plans: PlanDirectoryService,
    private readonly named: NamedChannelsService,
    private readonly clock: Clock,
  ) {}

  /** Reports a channel that the chat does not have. It calls the chat provider: do not call it within a transaction. */
  async channelProblems(orgId: number, params: Partial<UpdateOrgParams>): Promise<ErrorDetail[]> {
    const { default_chat_channel: channel = '', chat_api_token: token } = params;
    if (channel === '' || channel === (await this.orgs.getById(orgId)).defaultChatChannel) return [];
    const fresh = token == null || isMasked(token) ? undefined : token;
    return this.named.problems(orgId, [{ field: 'default_chat_channel', channel }], fresh);
  }

  /** @param before as stored; the organisation is locked by `tx` */
  async problems(before: Org, judged: JudgedParams<UpdateOrgParams>, tx: Tx): Promise<ErrorDetail[]> {
    const ofRecipients = await this.recipientProblems(before.id, judged.sound, tx);
    return [...ofRecipients, ...this.fieldProblems(before, judged)];
  }

  private async recipientProblems(orgId: number, params: Partial<UpdateOrgParams>, tx: Tx): Promise<ErrorDetail[]> {
    const given = recipientParamsOf(params);
    const ids = [...new Set(given.flatMap(({ userIds }) => userIds))];
    if (ids.length === 0) return [];
    const users = new Map((await this.users.holdByIds(orgId, ids, tx)).map((user) => [user.id, user]));
    return given.flatMap(({ field, userIds }): ErrorDetail[] => {
      const unknown = userIds.filter((id) => !users.has(id));
      if (unknown.length > 0) {
        return [{ field, code: 'unknown_user', message: `${field}: there is no user ${unknown.join(' or ')}` }];
      }
      const need = NEEDS[LIST_OF_PARAM[field]];
      const lacking = userIds.filter((id) => need?.isMet(users.get(id)!) === false);
      if (!need || lacking.length === 0) return [];
      const message = lacking.map((id) => `user ${String(id)} ${need.says}`).join(', ');
      return [{ field, code: need.code, message: `${field}: ${message}` }];
    });
  }

  private fieldProblems(before: Org, judged: JudgedParams<UpdateOrgParams>): ErrorDetail[] {
    const fields = fieldsOf(judged.sound, this.clock.now());
    const { metric_limit: limit, ...variables } = toAnalysisVariablesDto({ ...before, ...fields });
    const problems = linkedProblems(variables, {
      isGiven: (name) => judged.sound[name] !== undefined,
      isFaulty: (name) => judged.isFaulty(name),
    });
    if (this.plans.isConfigured && limit !== before.metricLimit) {
      problems.push({
        field: 'metric_limit',
        code: 'read_only',
        message: 'metric_limit cannot be changed: the plan sets it',
      });
    }
    const named = new Set(problems.map(({ field }) => field));
    const ceilings = this.orgs.ceilingProblems(before, { ...before, ...fields });
    return [...problems, ...ceilings.filter(({ field }) => !named.has(field))];
  }
}

function recipientParamsOf(
  params: Partial<UpdateOrgParams>,
): { field: RecipientsParamName; userIds: readonly number[] }[] {
  const fields = Object.keys(LIST_OF_PARAM) as RecipientsParamName[];
  return fields.map((field) => ({ field, userIds: params[field] ?? [] }));
}
