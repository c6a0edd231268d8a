import { Injectable } from '@nestjs/common';
import { Brackets, In, type Repository } from 'typeorm';
import { type OnboardingFlag, type OnboardingStatusId } from '#libs/contracts';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { type Page } from '../../common/paging/paging.js';
import { DAY, dateOf, HOUR } from '../../common/time.js';
import { ProgressEntity } from './progress.entity.js';
import { type ProgressStatus, type ProgressType } from './progress.types.js';

/** Retention of finished jobs. */
const KEPT_SECONDS = 90 * DAY;

export type NewProgressRow = Omit<ProgressEntity, 'id'>;

export interface ProgressFilter {
  types: readonly ProgressType[] | undefined;
  statuses: readonly ProgressStatus[] | undefined;
  /** The user whose tour is visible; null: no tour. */
  viewerId: number | null;
}

/** Known facts about the onboarding of an organisation. */
export interface OnboardingFacts {
  statusId: OnboardingStatusId;
  /** Flags that are set for at least one of its users. */
  flags: OnboardingFlag[];
}

@Injectable()
export class ProgressRepository {
  constructor(@InjectRepository(ProgressEntity) private readonly rows: Repository<ProgressEntity>) {}

  private in(tx?: Tx): Repository<ProgressEntity> {
    return tx ? tx.getRepository(ProgressEntity) : this.rows;
  }

  async insert(row: NewProgressRow, tx?: Tx): Promise<number> {
    const { identifiers } = await this.in(tx).insert(row);
    return (identifiers[0] as { id: number }).id;
  }

  /** Creates the onboarding of an organisation or the tour of a user, unless it exists. */
  async insertOnce(row: NewProgressRow): Promise<void> {
    await this.rows.createQueryBuilder().insert().values(row).orIgnore().execute();
  }

  find(orgId: number, id: number): Promise<ProgressEntity | null> {
    return this.rows.findOneBy({ orgId, id });
  }

  findMany(orgId: number, ids: readonly number[]): Promise<ProgressEntity[]> {
    return this.rows.findBy({ orgId, id: In(ids) });
  }

  onboarding(orgId: number): Promise<ProgressEntity | null> {
    return this.rows.findOneBy({ orgId, type: 'onboarding' });
  }

  tour(orgId: number, userId: number): Promise<ProgressEntity | null> {
    return this.rows.findOneBy({ orgId, userId, type: 'tour' });
  }

  /** Locked until the transaction ends. */
  lock(orgId: number, id: number, tx: Tx): Promise<ProgressEntity | null> {
    return this.in(tx).findOne({ where: { orgId, id }, lock: { mode: 'pessimistic_write' } });
  }

  async update(
    orgId: number,
    id: number,
    change: Partial<Omit<ProgressEntity, 'id' | 'orgId'>>,
    tx: Tx,
  ): Promise<void> {
    await this.in(tx).update({ orgId, id }, change);
  }

  /** Newest first. */
  async list(orgId: number, filter: ProgressFilter, page: Page): Promise<{ rows: ProgressEntity[]; total: number }> {
    const query = this.rows
      .createQueryBuilder('p')
      .where('p.orgId = :orgId', { orgId })
      .andWhere(
        new Brackets((visible) => {
          visible.where(`p.type <> 'tour'`).orWhere('p.userId = :viewerId', { viewerId: filter.viewerId });
        }),
      );
    if (filter.types) query.andWhere('p.type IN (:...types)', { types: filter.types });
    if (filter.statuses) query.andWhere('p.status IN (:...statuses)', { statuses: filter.statuses });
    const [rows, total] = await query
      .orderBy('p.createdAt', 'DESC')
      .addOrderBy('p.id', 'DESC')
      .skip(page.offset)
      .take(page.limit)
      .getManyAndCount();
    return { rows, total };
  }

  /** The ids of work that is still running: neither cancelled nor finished. */
  async listRunning(orgId: number, ids: readonly number[]): Promise<Set<number>> {
    const rows = await this.rows.find({
      select: { id: true },
      where: { orgId, id: In(ids), status: In(['queued', 'running']) },
    });
    return new Set(rows.map(({ id }) => id));
  }

  /** Null if the organisation does not exist. */
  async onboardingFacts(orgId: number): Promise<OnboardingFacts | null> {
    const rows: OnboardingFacts[] = await this.rows.query(
      `SELECT o.onboarding_status_id AS "statusId",
              ARRAY(SELECT DISTINCT f.key FROM user_account u, jsonb_each(u.onboarding_flags) AS f
                     WHERE u.org_id = o.id AND f.value = 'true') AS flags
         FROM org o WHERE o.id = $1`,
      [orgId],
    );
    return rows[0] ?? null;
  }

  /**
   * Deletes, for every organisation, jobs that finished more than 90 days before `now` (Unix seconds), and tours of
   * removed users. Guides stay.
   */
  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Old progress could not be dropped', role: 'api' })
  async forgetOld(now: number): Promise<void> {
    await this.rows.query(
      `DELETE FROM progress
        WHERE (finished_at < $1 AND type NOT IN ('onboarding', 'tour')) OR (type = 'tour' AND user_id IS NULL)`,
      [dateOf(now - KEPT_SECONDS)],
    );
  }
}
