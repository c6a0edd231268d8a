import { Injectable } from '@nestjs/common';
import { type Tx } from '../common/database/transactions.js';
import { FIRST_ORGANISATION_LOCK } from './setup.types.js';

@Injectable()
export class FirstStartRepository {
  /** Lets one process at a time look whether the database is empty. Held until the transaction ends. */
  async lock(tx: Tx): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1, 0)', [FIRST_ORGANISATION_LOCK]);
  }
}
