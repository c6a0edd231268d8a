import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { WatcherStartEntity } from './watcher.entity.js';

/** An organisation that gets its initial watchers. */
export interface StartingOrg {
  id: number;
  isDemo: boolean;
  /** Names of its live watchers, in lower case. */
  names: string[];
}

/** Records which organisations got their initial watchers. */
@Injectable()
export class WatcherStartRepository {
  constructor(@InjectRepository(WatcherStartEntity) private readonly rows: Repository<WatcherStartEntity>) {}

  private in(tx?: Tx): Repository<WatcherStartEntity> {
    return tx ? tx.getRepository(WatcherStartEntity) : this.rows;
  }

  /**
   * An organisation that has none of them yet, and can have them: it has an active administrator, or is a demo. Locked until
   * `tx` ends.
   */
  async claim(tx: Tx): Promise<StartingOrg | null> {
    const [row] = await this.in(tx).manager.query<StartingOrg[]>(
      `SELECT o.id, o.is_demo AS "isDemo",
              ARRAY(SELECT lower(w.name) FROM watcher w WHERE w.org_id = o.id AND w.deleted_at IS NULL) AS names
       FROM org o
       WHERE o.deleted_at IS NULL AND NOT EXISTS (SELECT FROM watcher_start s WHERE s.org_id = o.id)
         AND (o.is_demo OR EXISTS (
           SELECT FROM user_account u WHERE u.org_id = o.id AND u.admin AND NOT u.demo AND u.state = 'active'))
       ORDER BY o.id LIMIT 1 FOR UPDATE OF o SKIP LOCKED`,
    );
    return row ?? null;
  }

  async note(orgId: number, tx: Tx): Promise<void> {
    await this.in(tx).insert({ orgId });
  }
}
