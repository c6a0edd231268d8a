import { Injectable } from '@nestjs/common';
import { type OnboardingStatusId } from '#libs/contracts';
import { Clock } from '../common/clock.js';
import { type Tx } from '../common/database/transactions.js';
import { Secrets } from '../common/secrets/secrets.js';
import { OrgNotFoundError } from './org.errors.js';
import { OrgRepository } from './org.repository.js';
import {
  type AnalysisVariables,
  type NewOrg,
  type Org,
  type OrgDto,
  RECIPIENT_LISTS,
  type RecipientList,
  toOrgDto,
} from './org.types.js';

@Injectable()
export class OrgService {
  constructor(
    private readonly orgs: OrgRepository,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  find(orgId: number, tx?: Tx): Promise<Org | null> {
    return this.orgs.find(orgId, tx);
  }

  /** @throws OrgNotFoundError */
  async byId(orgId: number, tx?: Tx): Promise<Org> {
    const org = await this.find(orgId, tx);
    if (!org) throw new OrgNotFoundError(orgId);
    return org;
  }

  /** Every organisation of the installation, oldest first: for operators and for work that goes over all of them. */
  all(tx?: Tx): Promise<Org[]> {
    return this.orgs.all(tx);
  }

  async create(org: NewOrg, tx?: Tx): Promise<Org> {
    return this.byId(await this.orgs.insert(org, tx), tx);
  }

  analysisVariables(orgId: number): Promise<AnalysisVariables> {
    return this.byId(orgId);
  }

  /** Raises the onboarding status; a lower one than the present leaves it. Answers whether it rose. */
  advanceOnboarding(orgId: number, statusId: OnboardingStatusId, tx?: Tx): Promise<boolean> {
    return this.orgs.raiseOnboarding(orgId, statusId, tx);
  }

  /** Until `tx` ends, others who lock the same organisation wait. For limits on the number of rows. */
  async lock(orgId: number, tx: Tx): Promise<void> {
    if (!(await this.orgs.lock(orgId, tx))) throw new OrgNotFoundError(orgId);
  }

  /**
   * The organisation is gone for every credential, login and list from the end of `tx` on; erasing it is the erasure
   * area's. Its users are not touched.
   * @throws OrgNotFoundError
   */
  async markDeleted(orgId: number, tx: Tx): Promise<void> {
    if (!(await this.orgs.markDeleted(orgId, new Date(this.clock.now() * 1000), tx))) throw new OrgNotFoundError(orgId);
  }

  /** When the organisation is deleted by itself, in Unix seconds; null = never. */
  async setWipe(orgId: number, at: number | null, tx?: Tx): Promise<void> {
    await this.orgs.setWipe(orgId, at === null ? null : new Date(at * 1000), tx);
  }

  toDto(org: Org): OrgDto {
    return toOrgDto(org, this.clock.now());
  }

  /** User ids of every list. */
  async recipients(orgId: number): Promise<Record<RecipientList, number[]>> {
    const lists = Object.fromEntries(RECIPIENT_LISTS.map((list) => [list, [] as number[]]));
    for (const { list, userId } of await this.orgs.recipients(orgId)) lists[list]?.push(userId);
    return lists as Record<RecipientList, number[]>;
  }

  addRecipient(orgId: number, userId: number, lists: readonly RecipientList[], tx?: Tx): Promise<void> {
    return this.orgs.addRecipients(
      orgId,
      lists.map((list) => ({ list, userId })),
      tx,
    );
  }

  /** The chat token in clear; "" when unset, null when it was sealed under a key that is gone. */
  chatApiToken(org: Org): string | null {
    if (org.chatApiTokenSealed === null) return '';
    return this.secrets.tryOpen('chat-api-token', `org/${String(org.id)}`, org.chatApiTokenSealed);
  }
}
