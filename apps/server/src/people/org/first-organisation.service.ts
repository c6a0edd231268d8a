import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { FirstOrganisationRepository } from './first-organisation.repository.js';

/** Checks whether the installation has its own organisation yet; demo organisations for visitors do not count. */
@Injectable()
export class FirstOrganisationService {
  constructor(private readonly repository: FirstOrganisationRepository) {}

  /** Serialises callers in all processes until `tx` ends: a caller that gets true may create the organisation. */
  async isMissing(tx: Tx): Promise<boolean> {
    await this.repository.lock(tx);
    return !(await this.repository.isThere(tx));
  }
}
