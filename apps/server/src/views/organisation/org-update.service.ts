import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type AuditAct } from '../../platform/audit/audit.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { toAnalysisVariablesDto } from '../../people/org/org.functions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type OrgUpdatedDto } from './dto/org-answers.dto.js';
import { LIST_OF_PARAM, type RecipientsParamName, type UpdateOrgParams } from './dto/update-org.params.js';
import { OrgUpdateChecksService } from './org-update-checks.service.js';
import { fieldsOf } from './org-update-fields.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org, type RecipientList } from '../../people/org/org.types.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { byCaller } from '../../platform/event/event.functions.js';

type Recipients = Record<RecipientList, number[]>;

/** An organisation before and after an update. */
interface Updated {
  before: Org;
  after: Org;
}

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
    private readonly checks: OrgUpdateChecksService,
    private readonly audit: AuditTrailService,
    private readonly events: EventRecorderService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Members that already have the value are not changed, reported or recorded again. @throws ValidationFailedError */
  async update(caller: KnownCaller, judged: JudgedParams<UpdateOrgParams>): Promise<OrgUpdatedDto> {
    const orgId = caller.org.id;
    const ofChannels = await this.checks.channelProblems(orgId, judged.sound);
    const updated: Updated = await this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      const before = await this.orgs.getById(orgId, tx);
      const params = judged.requireSound([...(await this.checks.problems(before, judged, tx)), ...ofChannels]);
      const [fields, lists] = [fieldsOf(params, this.clock.now()), listsOf(params)];
      const listsBefore = await this.orgs.listRecipients(orgId, tx);
      await this.orgs.update(orgId, fields, tx);
      await this.orgs.setRecipients(orgId, lists, tx);
      const after = await this.orgs.getById(orgId, tx);
      const listsAfter = await this.orgs.listRecipients(orgId, tx);
      await this.writeDown(caller, { before, after }, { before: listsBefore, after: listsAfter }, tx);
      this.recordEvents(caller, { before, after }, tx);
      await this.orgs.notifyUpdated(orgId, tx);
      return { before, after };
    });
    return {
      org: this.orgs.toDto(updated.after),
      analysis_variables: toAnalysisVariablesDto(updated.after),
      message: messageOf(updated),
    };
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

  private recordEvents(caller: KnownCaller, { before, after }: Updated, tx: Tx): void {
    const common = { orgId: after.id, ...byCaller(caller) };
    const muting = this.orgs.toDto(after).alert_muting;
    if (muting.muted && !sameMuting(before, after)) {
      const until = muting.muted_until_timestamp_string ?? '';
      const message = `Alerts are muted until ${until}.`;
      const details = { muted_until_timestamp: muting.muted_until_timestamp };
      this.events.record({ ...common, type: 'alerts_muted', level: 'notice', message, details }, tx);
    }
    if (this.orgs.toDto(before).alert_muting.muted && !muting.muted) {
      this.events.record({ ...common, type: 'alerts_unmuted', level: 'info', message: 'Alerts are sent again.' }, tx);
    }
    const integration = chatChange(before, after, (org) => this.orgs.chatApiToken(org));
    if (integration !== undefined) {
      const ref = { kind: 'integration', id: 'chat' };
      this.events.record({ ...common, type: 'integration_changed', level: 'info', message: integration, ref }, tx);
    }
  }
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
