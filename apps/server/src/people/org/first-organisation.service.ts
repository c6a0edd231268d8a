import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { FirstOrganisationRepository } from './first-organisation.repository.js';

/** The question whether the installation has an organisation of its own yet; demo organisations for visitors are none. */
@Injectable()
export class FirstOrganisationService {
  constructor(private readonly repository: FirstOrganisationRepository) {}

  /** Lets one at a time ask, in all processes, until `tx` ends: a caller that gets true may create it. */
  async isMissing(tx: Tx): Promise<boolean> {
    await this.repository.lock(tx);
    return !(await this.repository.isThere(tx));
  }
}
