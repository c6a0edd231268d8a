import { Injectable } from '@nestjs/common';
import { type ErrorDetail, type OnboardingStatusId } from '#libs/contracts';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { dateOf, DAY } from '../../common/time.js';
import { OrgNotFoundError } from './org.errors.js';
import { RetentionConfig } from './retention.config.js';
import { StreamLogService } from '../../platform/stream-log/stream-log.service.js';
import { type OrgDto } from './org.dto.js';
import { toOrgDto } from './org.functions.js';
import { type OrgColumns, OrgRepository } from './org.repository.js';
import {
  type AnalysisVariables,
  type NewOrg,
  type Org,
  type OrgFields,
  RECIPIENT_LISTS,
  type RecipientList,
} from './org.types.js';

/** Purposes under which settings of an organisation are sealed. */
type SealedSetting = 'chat-api-token' | 'teams-chat-webhook';

@Injectable()
export class OrgService {
  constructor(
    private readonly orgs: OrgRepository,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly retention: RetentionConfig,
    private readonly stream: StreamLogService,
  ) {}

  find(orgId: number, tx?: Tx): Promise<Org | null> {
    return this.orgs.find(orgId, tx);
  }

  /** @throws OrgNotFoundError */
  async getById(orgId: number, tx?: Tx): Promise<Org> {
    const org = await this.find(orgId, tx);
    if (!org) throw new OrgNotFoundError(orgId);
    return org;
  }

  /** Every organisation of the installation, oldest first: for operators and for work across all organisations. */
  listAll(tx?: Tx): Promise<Org[]> {
    return this.orgs.listAll(tx);
  }

  async create(org: NewOrg, tx?: Tx): Promise<Org> {
    const metricLimit = org.metricLimit ?? this.retention.maxMetricLimit ?? null;
    return this.getById(await this.orgs.insert({ ...this.retention.ofNewOrganisations, ...org, metricLimit }, tx), tx);
  }

  /**
   * Changes settings; omitted ones keep their values. Callers validate the values.
   * @throws OrgNotFoundError
   */
  async update(orgId: number, { chatApiToken, teamsChatWebhook, ...fields }: OrgFields, tx?: Tx): Promise<void> {
    const columns: OrgColumns = { ...fields };
    if (chatApiToken !== undefined) {
      columns.chatApiTokenSealed =
        chatApiToken === null ? null : this.secrets.seal('chat-api-token', boundTo(orgId), chatApiToken);
    }
    if (teamsChatWebhook !== undefined) {
      columns.teamsChatWebhookSealed =
        teamsChatWebhook === null ? null : this.secrets.seal('teams-chat-webhook', boundTo(orgId), teamsChatWebhook);
    }
    if (!(await this.orgs.update(orgId, columns, tx))) throw new OrgNotFoundError(orgId);
  }

  /** Listeners of the event stream are notified of a change after the commit; the last statement of the transaction. */
  notifyUpdated(orgId: number, tx: Tx): Promise<void> {
    return this.stream.append([{ orgId, type: 'org.updated', subjectId: orgId }], tx);
  }

  /** Settings that the operator does not allow organisations to change. Existing values may stay. */
  ceilingProblems(before: Org, after: AnalysisVariables): ErrorDetail[] {
    const { maxTier1Days, maxTier2Days, maxMetricLimit } = this.retention;
    const ceilings = [
      ['retention_1_period_seconds', before.retention1PeriodSeconds, after.retention1PeriodSeconds, maxTier1Days * DAY],
      ['retention_2_period_seconds', before.retention2PeriodSeconds, after.retention2PeriodSeconds, maxTier2Days * DAY],
      ['metric_limit', before.metricLimit, after.metricLimit, maxMetricLimit ?? Infinity],
    ] as const;
    return ceilings
      .filter(([, was, is, highest]) => is !== was && (is ?? (highest === Infinity ? 0 : Infinity)) > highest)
      .map(([field, , is, highest]) => ({
        field,
        code: 'out_of_range',
        message: `${field} must be at most ${String(highest)} (a limit of the operator of this installation), got ${String(is ?? 'no limit')}`,
      }));
  }

  /** @param limit maximum number of metrics that count against the quota; null = no limit. @throws OrgNotFoundError */
  setMetricLimit(orgId: number, limit: number | null, tx?: Tx): Promise<void> {
    return this.update(orgId, { metricLimit: limit }, tx);
  }

  /** Ends expired mutings in all organisations; each is returned only once. Unix seconds. */
  endMutings(now: number): Promise<{ id: number; mutedUntil: number }[]> {
    return this.orgs.endMutings(now);
  }

  getAnalysisVariables(orgId: number): Promise<AnalysisVariables> {
    return this.getById(orgId);
  }

  /** Raises the onboarding status; a status lower than the current one has no effect. Returns true if it increased. */
  advanceOnboarding(orgId: number, statusId: OnboardingStatusId, tx?: Tx): Promise<boolean> {
    return this.orgs.raiseOnboarding(orgId, statusId, tx);
  }

  /** Blocks other callers that lock the same organisation until `tx` ends. For limits on the number of rows. */
  async lock(orgId: number, tx: Tx): Promise<void> {
    if (!(await this.orgs.lock(orgId, tx))) throw new OrgNotFoundError(orgId);
  }

  /**
   * After `tx` is committed, the organisation no longer exists for credentials, logins and lists; the erasure area
   * erases it. Its users are not changed.
   * @throws OrgNotFoundError
   */
  async markDeleted(orgId: number, tx: Tx): Promise<void> {
    if (!(await this.orgs.markDeleted(orgId, new Date(this.clock.now() * 1000), tx))) throw new OrgNotFoundError(orgId);
  }

  /** Time at which the organisation is deleted automatically, in Unix seconds; null = never. */
  async setWipe(orgId: number, at: number | null, tx?: Tx): Promise<void> {
    await this.orgs.setWipe(orgId, at === null ? null : dateOf(at), tx);
  }

  toDto(org: Org): OrgDto {
    return toOrgDto(org, this.clock.now());
  }

  /** User ids of every list. */
  async listRecipients(orgId: number, tx?: Tx): Promise<Record<RecipientList, number[]>> {
    const lists = Object.fromEntries(RECIPIENT_LISTS.map((list) => [list, [] as number[]]));
    for (const { list, userId } of await this.orgs.recipients(orgId, tx)) lists[list]?.push(userId);
    return lists as Record<RecipientList, number[]>;
  }

  addRecipient(orgId: number, userId: number, lists: readonly RecipientList[], tx?: Tx): Promise<void> {
    return this.orgs.addRecipients(
      orgId,
      lists.map((list) => ({ list, userId })),
      tx,
    );
  }

  /** Removes a user from the lists, or from some of them. */
  removeRecipients(
    orgId: number,
    userId: number,
    { lists = RECIPIENT_LISTS }: { lists?: readonly RecipientList[] } = {},
    tx?: Tx,
  ): Promise<void> {
    return this.orgs.removeRecipient(orgId, userId, lists, tx);
  }

  /** Replaces the given lists as a whole; the ids must be users of the organisation. */
  async setRecipients(orgId: number, lists: Partial<Record<RecipientList, readonly number[]>>, tx: Tx): Promise<void> {
    const named = RECIPIENT_LISTS.filter((list) => lists[list] !== undefined);
    if (named.length === 0) return;
    await this.orgs.clearRecipients(orgId, named, tx);
    const entries = named.flatMap((list) => [...new Set(lists[list])].map((userId) => ({ list, userId })));
    if (entries.length > 0) await this.orgs.addRecipients(orgId, entries, tx);
  }

  /** The chat token in clear; "" when unset, null if it was sealed under a removed key. */
  chatApiToken(org: Org): string | null {
    return this.opened('chat-api-token', org.id, org.chatApiTokenSealed);
  }

  /** The address of the Teams workflow in clear; "" when unset, null if it was sealed under a removed key. */
  teamsChatWebhook(org: Org): string | null {
    return this.opened('teams-chat-webhook', org.id, org.teamsChatWebhookSealed);
  }

  private opened(purpose: SealedSetting, orgId: number, sealed: string | null): string | null {
    return sealed === null ? '' : this.secrets.tryOpen(purpose, boundTo(orgId), sealed);
  }
}

const boundTo = (orgId: number): string => `org/${String(orgId)}`;
