import { Injectable } from '@nestjs/common';
import { type Tx } from '../common/database/transactions.js';
import { FIRST_ORGANISATION_LOCK } from '../setup/setup.types.js';

@Injectable()
export class SignupRepository {
  /** Lets one at a time look whether there is an organisation, also of those who start the server. Until `tx` ends. */
  async lockFirst(tx: Tx): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1, 0)', [FIRST_ORGANISATION_LOCK]);
  }
}
