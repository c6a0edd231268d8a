import { Injectable } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { awaitLockInTransaction } from '../../common/database/awaited-lock.js';
import { type Tx } from '../../common/database/transactions.js';

@Injectable()
export class FirstOrganisationRepository {
  /** Locked until the transaction ends. */
  async lock(tx: Tx): Promise<void> {
    await awaitLockInTransaction(tx, DATABASE_LOCKS.firstOrganisation);
  }

  /** True if there is an organisation that is neither being erased nor a demo for visitors. */
  async isThere(tx: Tx): Promise<boolean> {
    const rows: { found: boolean }[] = await tx.query(
      `SELECT EXISTS (SELECT FROM org o WHERE o.deleted_at IS NULL
                         AND NOT EXISTS (SELECT FROM demo_org d WHERE d.org_id = o.id)) AS found`,
    );
    return rows[0]!.found;
  }
}
