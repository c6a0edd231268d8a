import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, type Repository } from 'typeorm';
import { type OnboardingStatusId } from '#libs/contracts';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { OrgEntity, OrgRecipientEntity } from './org.entity.js';
import { type NewOrg, type OrgFields, type RecipientList } from './org.types.js';

/** Columns that can be changed. */
export type OrgColumns = Partial<
  Omit<OrgFields, 'chatApiToken' | 'teamsChatWebhook'> &
    Pick<OrgEntity, 'chatApiTokenSealed' | 'teamsChatWebhookSealed'>
>;

@Injectable()
export class OrgRepository {
  constructor(
    @InjectRepository(OrgEntity) private readonly rows: Repository<OrgEntity>,
    @InjectRepository(OrgRecipientEntity) private readonly recipientRows: Repository<OrgRecipientEntity>,
  ) {}

  private in(tx?: Tx): Repository<OrgEntity> {
    return tx ? tx.getRepository(OrgEntity) : this.rows;
  }

  /** An organisation that is being erased counts as deleted. */
  find(orgId: number, tx?: Tx): Promise<OrgEntity | null> {
    return this.in(tx).findOneBy({ id: orgId, deletedAt: IsNull() });
  }

  /** Every organisation of the installation that is not being erased, oldest first. */
  listAll(tx?: Tx): Promise<OrgEntity[]> {
    return this.in(tx).find({ where: { deletedAt: IsNull() }, order: { id: 'ASC' } });
  }

  async insert(org: NewOrg, tx?: Tx): Promise<number> {
    const { identifiers } = await this.in(tx).insert(org);
    return (identifiers[0] as { id: number }).id;
  }

  /** Returns true if the organisation exists. */
  async update(orgId: number, columns: OrgColumns, tx?: Tx): Promise<boolean> {
    if (Object.keys(columns).length === 0) return this.in(tx).existsBy({ id: orgId, deletedAt: IsNull() });
    const { affected } = await this.in(tx).update({ id: orgId, deletedAt: IsNull() }, columns);
    return affected === 1;
  }

  /** Ends expired mutings in all organisations; each is returned only once. Unix seconds. */
  async endMutings(now: number): Promise<{ id: number; mutedUntil: number }[]> {
    const [rows] = await this.rows.query<[{ id: number; mutedUntil: number }[], number]>(
      `WITH over AS (
         SELECT id, alerts_muted_until FROM org WHERE alerts_muted_until <= to_timestamp($1) AND deleted_at IS NULL
          ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
       UPDATE org SET alerts_muted_until = NULL FROM over WHERE org.id = over.id
       RETURNING org.id, extract(epoch FROM over.alerts_muted_until)::float8 AS "mutedUntil"`,
      [now],
    );
    return rows;
  }

  /** Returns true if the status increased. */
  async raiseOnboarding(orgId: number, statusId: OnboardingStatusId, tx?: Tx): Promise<boolean> {
    const { affected } = await this.in(tx).update(
      { id: orgId, onboardingStatusId: LessThan(statusId) },
      { onboardingStatusId: statusId },
    );
    return affected === 1;
  }

  /**
   * Locks the organisation until the transaction ends, so that no other caller adds a row between a count of rows and
   * an insert. Rows that refer to the organisation can still be written.
   */
  async lock(orgId: number, tx: Tx): Promise<boolean> {
    const rows: unknown[] = await tx.query('SELECT 1 FROM org WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE', [
      orgId,
    ]);
    return rows.length === 1;
  }

  /** Returns true if the organisation still existed. */
  async markDeleted(orgId: number, at: Date, tx: Tx): Promise<boolean> {
    const { affected } = await this.in(tx).update({ id: orgId, deletedAt: IsNull() }, { deletedAt: at });
    return affected === 1;
  }

  async setWipe(orgId: number, at: Date | null, tx?: Tx): Promise<void> {
    await this.in(tx).update({ id: orgId }, { wipeAt: at });
  }

  /** User ids of all lists, ordered by id. */
  recipients(orgId: number, tx?: Tx): Promise<{ list: RecipientList; userId: number }[]> {
    const rows = tx ? tx.getRepository(OrgRecipientEntity) : this.recipientRows;
    return rows.find({ select: { list: true, userId: true }, where: { orgId }, order: { userId: 'ASC' } });
  }

  /** Adds users to lists; existing entries stay. */
  async addRecipients(orgId: number, entries: { list: RecipientList; userId: number }[], tx?: Tx): Promise<void> {
    const rows = tx ? tx.getRepository(OrgRecipientEntity) : this.recipientRows;
    await rows.upsert(
      entries.map((entry) => ({ orgId, ...entry })),
      { conflictPaths: ['orgId', 'list', 'userId'], skipUpdateIfNoValuesChanged: true },
    );
  }

  /** Removes a user from lists. */
  async removeRecipient(orgId: number, userId: number, lists: readonly RecipientList[], tx?: Tx): Promise<void> {
    const rows = tx ? tx.getRepository(OrgRecipientEntity) : this.recipientRows;
    await rows.delete({ orgId, userId, list: In([...lists]) });
  }

  /** Empties lists. */
  async clearRecipients(orgId: number, lists: readonly RecipientList[], tx?: Tx): Promise<void> {
    const rows = tx ? tx.getRepository(OrgRecipientEntity) : this.recipientRows;
    await rows.delete({ orgId, list: In([...lists]) });
  }
}
