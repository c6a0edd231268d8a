import { Injectable } from '@nestjs/common';
import { type Tx } from '../common/database/transactions.js';
import { FIRST_ORGANISATION_LOCK } from './setup.types.js';

@Injectable()
export class FirstStartRepository {
  /** Lets one process at a time look whether the database is empty. Held until the transaction ends. */
  async lock(tx: Tx): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1, 0)', [FIRST_ORGANISATION_LOCK]);
  }

  /** Whether there is an organisation of people. Those that visitors look at are nobody's. */
  async hasOrganisation(tx: Tx): Promise<boolean> {
    const rows: { found: boolean }[] = await tx.query(
      `SELECT EXISTS (SELECT FROM org o WHERE NOT EXISTS (SELECT FROM demo_org d WHERE d.org_id = o.id)) AS found`,
    );
    return rows[0]!.found;
  }
}
