import { Injectable } from '@nestjs/common';
import { In, IsNull, Not, type Repository } from 'typeorm';
import { idFor } from '../../common/database/dry-run.js';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { DAY, dateOf, MINUTE } from '../../common/time.js';
import { WatcherEntity, WatcherRecipientEntity } from './watcher.entity.js';
import { DELETED_KEPT_DAYS, WATCHER_LISTS, type WatcherList, type WatcherRecipients } from './watcher.types.js';

const REFUSED_DAYS = 7;

/** Watchers with the ids of their recipients. */
@Injectable()
export class WatcherRepository {
  constructor(
    @InjectRepository(WatcherEntity) private readonly rows: Repository<WatcherEntity>,
    @InjectRepository(WatcherRecipientEntity) private readonly recipients: Repository<WatcherRecipientEntity>,
  ) {}

  private in(tx?: Tx): Repository<WatcherEntity> {
    return tx ? tx.getRepository(WatcherEntity) : this.rows;
  }

  private recipientsIn(tx?: Tx): Repository<WatcherRecipientEntity> {
    return tx ? tx.getRepository(WatcherRecipientEntity) : this.recipients;
  }

  /** Also a deleted one. */
  find(orgId: number, id: number, tx?: Tx): Promise<WatcherEntity | null> {
    return this.in(tx).findOneBy({ orgId, id });
  }

  /** Oldest first; without the deleted ones. */
  listLive(orgId: number, tx?: Tx): Promise<WatcherEntity[]> {
    return this.in(tx).find({ where: { orgId, deletedAt: IsNull() }, order: { id: 'ASC' } });
  }

  /** Oldest first; those that the organisation began with, as they were made. */
  listUnchanged(orgId: number): Promise<WatcherEntity[]> {
    return this.rows
      .createQueryBuilder('w')
      .where('w.org_id = :orgId AND w.built_in AND w.deleted_at IS NULL AND w.updated_at = w.created_at', { orgId })
      .orderBy('w.id')
      .getMany();
  }

  /** Oldest first; also the deleted ones. */
  listAll(orgId: number, tx?: Tx): Promise<WatcherEntity[]> {
    return this.in(tx).find({ where: { orgId }, order: { id: 'ASC' } });
  }

  /** Sealed; also those of deleted watchers. */
  async listTeamsWebhooks(orgId: number): Promise<string[]> {
    const rows = await this.rows.find({
      where: { orgId, teamsChatWebhookSealed: Not(IsNull()) },
      select: { id: true, teamsChatWebhookSealed: true },
    });
    return rows.map(({ teamsChatWebhookSealed }) => teamsChatWebhookSealed!);
  }

  /** Live ones. */
  async counts(orgId: number): Promise<{ total: number; alerting: number }> {
    const [total, alerting] = await Promise.all([
      this.rows.countBy({ orgId, deletedAt: IsNull() }),
      this.rows.countBy({ orgId, deletedAt: IsNull(), alert: true }),
    ]);
    return { total, alerting };
  }

  countLive(orgId: number, tx: Tx): Promise<number> {
    return this.in(tx).countBy({ orgId, deletedAt: IsNull() });
  }

  /** Whether a live watcher other than `exceptId` has the name, ignoring case. */
  async isNameTaken(orgId: number, name: string, exceptId: number | null, tx: Tx): Promise<boolean> {
    const found = await this.in(tx)
      .createQueryBuilder('w')
      .where('w.org_id = :orgId AND lower(w.name) = lower(:name) AND w.deleted_at IS NULL', { orgId, name })
      .andWhere('w.id IS DISTINCT FROM :exceptId', { exceptId })
      .limit(1)
      .getCount();
    return found > 0;
  }

  async insert(row: Omit<WatcherEntity, 'id'>, tx: Tx): Promise<WatcherEntity> {
    const { identifiers } = await this.in(tx).insert({ ...row, ...idFor(tx) });
    return { ...row, id: (identifiers[0] as { id: number }).id };
  }

  async update(orgId: number, id: number, fields: Partial<WatcherEntity>, tx?: Tx): Promise<boolean> {
    const { affected } = await this.in(tx).update({ orgId, id }, fields);
    return affected === 1;
  }

  /** Ids of users by watcher and list. */
  async listRecipients(
    orgId: number,
    watcherIds: readonly number[],
    tx?: Tx,
  ): Promise<ReadonlyMap<number, WatcherRecipients>> {
    const found = new Map(watcherIds.map((id) => [id, noRecipients()]));
    if (watcherIds.length === 0) return found;
    const rows = await this.recipientsIn(tx).find({
      where: { orgId, watcherId: In([...watcherIds]) },
      order: { userId: 'ASC' },
    });
    for (const { watcherId, list, userId } of rows) found.get(watcherId)?.[list].push(userId);
    return found;
  }

  /** Replaces all lists of a watcher. */
  async setRecipients(orgId: number, watcherId: number, recipients: WatcherRecipients, tx: Tx): Promise<void> {
    await this.recipientsIn(tx).delete({ orgId, watcherId });
    const rows = WATCHER_LISTS.flatMap((list) =>
      [...new Set(recipients[list])].map((userId) => ({ orgId, watcherId, list, userId })),
    );
    if (rows.length > 0) await this.recipientsIn(tx).insert(rows);
  }

  /** The watcher of all organisations whose report has been due longest, but for some; locked until `tx` ends. */
  claimNextSummary(now: Date, exceptIds: readonly number[], tx: Tx): Promise<WatcherEntity | null> {
    return this.in(tx)
      .createQueryBuilder('w')
      .where('w.next_summary_at <= :now AND w.deleted_at IS NULL', { now })
      .andWhere('w.id <> ALL(:exceptIds)', { exceptIds })
      .andWhere('EXISTS (SELECT FROM org o WHERE o.id = w.org_id AND o.deleted_at IS NULL)')
      .orderBy('w.next_summary_at')
      .limit(1)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getOne();
  }

  /** Live watchers with reports whose organisation has moved to another zone since. */
  listMoved(): Promise<(Pick<WatcherEntity, 'id' | 'orgId' | 'summaryReportFrequency'> & { timezone: string })[]> {
    return this.rows.query(
      `SELECT w.id, w.org_id AS "orgId", w.summary_report_frequency AS "summaryReportFrequency", o.timezone
       FROM watcher w JOIN org o ON o.id = w.org_id
       WHERE w.next_summary_at IS NOT NULL AND w.deleted_at IS NULL AND o.timezone IS DISTINCT FROM w.summary_timezone`,
    );
  }

  /**
   * Forgets watchers that can no longer be restored. They are kept for some days more: a restore that comes too late is
   * answered with that reason.
   */
  @Housekeeping({
    everyMs: 1000 * MINUTE,
    failure: 'Deleted watchers could not be forgotten',
    role: 'detect',
    batch: 500,
  })
  async forgetDeleted(now: number, limit: number): Promise<number> {
    const [, count]: [unknown, number] = await this.rows.query(
      `DELETE FROM watcher WHERE id IN (SELECT id FROM watcher WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2)`,
      [dateOf(now - (DELETED_KEPT_DAYS + REFUSED_DAYS) * DAY), limit],
    );
    return count;
  }
}

function noRecipients(): Record<WatcherList, number[]> {
  return { email: [], sms: [], chat_mentions: [], summary: [] };
}
