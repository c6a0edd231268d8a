import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { actorOf, type AuditAct, changesBetween } from '../../platform/audit/audit.types.js';
import { PlanDirectory } from '../../people/billing/plan-directory.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { isMasked } from '../../common/secrets/secrets.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { byCaller } from '../../platform/event/event.types.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { type User } from '../../people/user/user.types.js';
import { UserService } from '../../people/user/user.service.js';
import { type OrgUpdatedDto } from './dto/org-answers.dto.js';
import {
  linkedProblems,
  LIST_OF_PARAM,
  type RecipientsParamName,
  type UpdateOrgParams,
} from './dto/update-org.params.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org, type OrgFields, type RecipientList, toAnalysisVariablesDto } from '../../people/org/org.types.js';

type Recipients = Record<RecipientList, number[]>;

/** What an organisation was and has become. */
interface Updated {
  before: Org;
  after: Org;
}

/** What a user must have to be on a list. */
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

const RETENTION_FIELDS = [
  'retention1ResolutionSeconds',
  'retention1PeriodSeconds',
  'retention2ResolutionSeconds',
  'retention2PeriodSeconds',
] as const;

/** Changes of an organisation's settings by its people. */
@Injectable()
export class OrgUpdateService {
  constructor(
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly plans: PlanDirectory,
    private readonly audit: AuditTrail,
    private readonly events: EventRecorder,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** What is already so is not changed, told or written down again. @throws ValidationFailedError */
  async update(caller: KnownCaller, judged: JudgedParams<UpdateOrgParams>): Promise<OrgUpdatedDto> {
    const orgId = caller.org.id;
    const updated = await this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      const before = await this.orgs.getById(orgId, tx);
      const params = judged.requireSound([
        ...(await this.recipientProblems(orgId, judged.sound, tx)),
        ...this.fieldProblems(before, judged),
      ]);
      const [fields, lists] = [fieldsOf(params, this.clock.now()), listsOf(params)];
      const listsBefore = await this.orgs.listRecipients(orgId, tx);
      await this.orgs.update(orgId, fields, tx);
      await this.orgs.setRecipients(orgId, lists, tx);
      const after = await this.orgs.getById(orgId, tx);
      const listsAfter = await this.orgs.listRecipients(orgId, tx);
      await this.writeDown(caller, { before, after }, { before: listsBefore, after: listsAfter }, tx);
      await this.orgs.tellUpdated(orgId, tx);
      return { before, after };
    });
    this.recordEvent(caller, updated);
    return {
      org: this.orgs.toDto(updated.after),
      analysis_variables: toAnalysisVariablesDto(updated.after),
      message: messageOf(updated),
    };
  }

  private async recipientProblems(orgId: number, params: Partial<UpdateOrgParams>, tx: Tx): Promise<ErrorDetail[]> {
    const given = recipientParamsOf(params);
    const ids = [...new Set(given.flatMap(({ userIds }) => userIds))];
    if (ids.length === 0) return [];
    const users = new Map((await this.users.holdByIds(orgId, ids, tx)).map((user) => [user.id, user]));
    return given.flatMap(({ field, userIds }) =>
      userIds.flatMap((id): ErrorDetail[] => {
        const user = users.get(id);
        if (!user) return [{ field, code: 'unknown_user', message: `${field}: there is no user ${String(id)}` }];
        const need = NEEDS[LIST_OF_PARAM[field]];
        if (!need || need.isMet(user)) return [];
        return [{ field, code: need.code, message: `${field}: user ${String(id)} ${need.says}` }];
      }),
    );
  }

  private fieldProblems(before: Org, judged: JudgedParams<UpdateOrgParams>): ErrorDetail[] {
    const fields = fieldsOf(judged.sound, this.clock.now());
    const { metric_limit: limit, ...variables } = toAnalysisVariablesDto({ ...before, ...fields });
    const problems = linkedProblems(variables, {
      isGiven: (name) => judged.sound[name] !== undefined,
      isFaulty: (name) => judged.isFaulty(name),
    });
    if (this.plans.isConfigured && limit !== before.metricLimit) {
      problems.push({ field: 'metric_limit', code: 'read_only', message: 'metric_limit is decided by the plan' });
    }
    const named = new Set(problems.map(({ field }) => field));
    const ceilings = this.orgs.ceilingProblems(before, { ...before, ...fields });
    return [...problems, ...ceilings.filter(({ field }) => !named.has(field))];
  }

  private async writeDown(
    caller: KnownCaller,
    { before, after }: Updated,
    lists: { before: Recipients; after: Recipients },
    tx: Tx,
  ): Promise<void> {
    const act = {
      orgId: after.id,
      actor: actorOf(caller),
      object: { type: 'org', id: String(after.id), name: after.name },
    } satisfies Partial<AuditAct>;
    const settings = changesBetween(
      Object.assign(this.settingsOf(before), paramsOfLists(lists.before)),
      Object.assign(this.settingsOf(after), paramsOfLists(lists.after)),
      { secrets: ['chat_api_token'] },
    );
    if (settings.length > 0) await this.audit.record({ ...act, action: 'org.update', changes: settings }, tx);
    const muting = changesBetween(mutingOf(before), mutingOf(after));
    if (muting.length > 0) {
      const action = after.alertsMutedUntil === null ? 'org.unmute' : 'org.mute';
      await this.audit.record({ ...act, action, changes: muting }, tx);
    }
  }

  private settingsOf(org: Org): object {
    const { name, timezone, defaultChatChannel } = org;
    const chat = { chat_api_token: this.orgs.chatApiToken(org), default_chat_channel: defaultChatChannel };
    return Object.assign({ name, timezone, ...chat }, toAnalysisVariablesDto(org));
  }

  private recordEvent(caller: KnownCaller, { before, after }: Updated): void {
    const common = { orgId: after.id, ...byCaller(caller) };
    const muting = this.orgs.toDto(after).alert_muting;
    if (muting.muted && !sameMuting(before, after)) {
      const until = muting.muted_until_timestamp_string ?? '';
      this.events.record({
        ...common,
        type: 'alerts_muted',
        level: 'notice',
        message: `Alerts are muted until ${until}.`,
        details: { muted_until_timestamp: muting.muted_until_timestamp },
      });
    }
    if (this.orgs.toDto(before).alert_muting.muted && !muting.muted) {
      this.events.record({ ...common, type: 'alerts_unmuted', level: 'info', message: 'Alerts are sent again.' });
    }
    const integration = chatChange(before, after, (org) => this.orgs.chatApiToken(org));
    if (integration !== undefined) {
      this.events.record({
        ...common,
        type: 'integration_changed',
        level: 'info',
        message: integration,
        ref: { kind: 'integration', id: 'chat' },
      });
    }
  }
}

function recipientParamsOf(
  params: Partial<UpdateOrgParams>,
): { field: RecipientsParamName; userIds: readonly number[] }[] {
  const fields = Object.keys(LIST_OF_PARAM) as RecipientsParamName[];
  return fields.map((field) => ({ field, userIds: params[field] ?? [] }));
}

function listsOf(params: UpdateOrgParams): Partial<Record<RecipientList, readonly number[]>> {
  const fields = Object.keys(LIST_OF_PARAM) as RecipientsParamName[];
  const given = fields.filter((field) => params[field] !== undefined);
  return Object.fromEntries(given.map((field) => [LIST_OF_PARAM[field], params[field]]));
}

function paramsOfLists(lists: Recipients): Record<RecipientsParamName, number[]> {
  const entries = Object.entries(LIST_OF_PARAM).map(([field, list]) => [field, lists[list]]);
  return Object.fromEntries(entries) as Record<RecipientsParamName, number[]>;
}

/** @param now Unix seconds */
function fieldsOf(params: Partial<UpdateOrgParams>, now: number): OrgFields {
  const { alerts_muted_minutes: minutes, chat_api_token: token } = params;
  return definedOf({
    name: params.name,
    timezone: params.timezone,
    alertsMutedUntil: minutes === undefined ? undefined : mutedUntil(minutes, now),
    chatApiToken: token != null && isMasked(token) ? undefined : token,
    defaultChatChannel: params.default_chat_channel,
    retention1ResolutionSeconds: params.retention_1_resolution_seconds,
    retention1PeriodSeconds: params.retention_1_period_seconds,
    retention2ResolutionSeconds: params.retention_2_resolution_seconds,
    retention2PeriodSeconds: params.retention_2_period_seconds,
    defaultDataFrequencySeconds: params.default_data_frequency_seconds,
    defaultAnalysisPeriod1Seconds: params.default_analysis_period_1_seconds,
    defaultAnalysisPeriod2Seconds: params.default_analysis_period_2_seconds,
    longTermPatternLengthSeconds: params.long_term_pattern_length_seconds,
    metricLimit: params.metric_limit,
  });
}

/** Whole seconds: what is stored is what is shown. */
function mutedUntil(minutes: number, now: number): Date | null {
  return minutes === 0 ? null : new Date((Math.floor(now) + minutes * 60) * 1000);
}

function definedOf<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

const mutingOf = ({ alertsMutedUntil }: Org): object => ({ alerts_muted_until: alertsMutedUntil });

const sameMuting = (before: Org, after: Org): boolean =>
  before.alertsMutedUntil?.getTime() === after.alertsMutedUntil?.getTime();

function chatChange(before: Org, after: Org, tokenOf: (org: Org) => string | null): string | undefined {
  const [old, fresh] = [tokenOf(before), tokenOf(after)];
  if (old !== fresh) {
    if (fresh === '') return 'Chat was disconnected.';
    return old === '' ? 'Chat was connected.' : 'The token of chat was changed.';
  }
  if (before.defaultChatChannel === after.defaultChatChannel) return undefined;
  return after.defaultChatChannel === ''
    ? 'Chat has no default channel any more.'
    : `The default channel of chat is ${after.defaultChatChannel}.`;
}

function messageOf({ before, after }: Updated): string {
  const isRetentionChanged = RETENTION_FIELDS.some((field) => before[field] !== after[field]);
  return isRetentionChanged ? 'OK. Changes of retention apply within a day.' : 'OK';
}
