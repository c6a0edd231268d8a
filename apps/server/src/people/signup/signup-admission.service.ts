import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { FirstOrganisation } from '../org/first-organisation.service.js';
import { SignupConfig } from './signup.config.js';
import { SignupClosedError } from './signup.errors.js';

/** Whether an organisation may be made by a sign-up: always, never, or only the first one. */
@Injectable()
export class SignupAdmission {
  constructor(
    private readonly config: SignupConfig,
    private readonly firstOrganisation: FirstOrganisation,
  ) {}

  /** What the settings alone say, before a transaction is opened. @throws SignupClosedError */
  requireNotClosed(): void {
    if (this.config.mode === 'closed') throw new SignupClosedError();
  }

  /** @throws SignupClosedError */
  async requireOpen(tx: Tx): Promise<void> {
    if (this.config.mode === 'open') return;
    if (!(await this.firstOrganisation.isMissing(tx))) throw new SignupClosedError();
  }
}
