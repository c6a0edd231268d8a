import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Page } from '../../common/paging/paging.js';
import { type Window } from '../../common/window/window.js';
import { AuditEntryEntity } from '../../platform/audit/audit-entry.entity.js';

export type AuditEntryRow = AuditEntryEntity;

export interface AuditFilter extends Window {
  userId?: number;
  /** `token.` matches `token.create`. */
  actionPrefix?: string;
  objectType?: string;
}

/** Reads entries. */
@Injectable()
export class AuditListRepository {
  constructor(@InjectRepository(AuditEntryEntity) private readonly rows: Repository<AuditEntryEntity>) {}

  /** Newest first. */
  async findPage(
    orgId: number,
    { from, until, userId, actionPrefix, objectType }: AuditFilter,
    { limit, offset }: Page,
  ): Promise<{ entries: AuditEntryRow[]; total: number }> {
    const query = this.rows
      .createQueryBuilder('e')
      .where('e.org_id = :orgId', { orgId })
      // Includes entries of the last second of the window.
      .andWhere('e.happened_at >= to_timestamp(:from) AND e.happened_at < to_timestamp(:end)', {
        from,
        end: until + 1,
      });
    if (userId !== undefined) query.andWhere('e.actor_user_id = :userId', { userId });
    if (actionPrefix !== undefined) query.andWhere('starts_with(e.action, :actionPrefix)', { actionPrefix });
    if (objectType !== undefined) query.andWhere('e.object_type = :objectType', { objectType });
    const [entries, total] = await query
      .orderBy('e.happened_at', 'DESC')
      .addOrderBy('e.id', 'DESC')
      .limit(limit)
      .offset(offset)
      .getManyAndCount();
    return { entries, total };
  }
}
