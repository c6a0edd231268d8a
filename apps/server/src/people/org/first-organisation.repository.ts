import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';

/** First key of the advisory lock of whoever makes the first organisation; the second is 0. */
const LOCK_SPACE = 0x706c_0006;

@Injectable()
export class FirstOrganisationRepository {
  /** Held until the transaction ends. */
  async lock(tx: Tx): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1, 0)', [LOCK_SPACE]);
  }

  /** Whether there is an organisation of people that is not being erased. Those that visitors look at are nobody's. */
  async isThere(tx: Tx): Promise<boolean> {
    const rows: { found: boolean }[] = await tx.query(
      `SELECT EXISTS (SELECT FROM org o WHERE o.deleted_at IS NULL
                         AND NOT EXISTS (SELECT FROM demo_org d WHERE d.org_id = o.id)) AS found`,
    );
    return rows[0]!.found;
  }
}
