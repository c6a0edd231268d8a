import { Injectable } from '@nestjs/common';
import { type Tx } from '../common/database/transactions.js';

/** First key of the advisory lock; the second is 0. */
const LOCK_SPACE = 0x706c_0002;

@Injectable()
export class FirstStartRepository {
  /** Lets one process at a time look whether the database is empty. Held until the transaction ends. */
  async lock(tx: Tx): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1, 0)', [LOCK_SPACE]);
  }
}
