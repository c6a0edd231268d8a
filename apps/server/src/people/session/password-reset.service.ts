import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { UserService } from '../user/user.service.js';
import { AccountAccessService } from './account-access.service.js';
import { type ResetPasswordParams } from './dto/login.params.js';
import { type DoneDto } from './dto/session-answers.dto.js';
import { LoginLimiter } from './login-limiter.js';
import { PasswordActsService } from './password-acts.service.js';
import { RESET_PURPOSE } from './password-reset-links.service.js';
import { ResetLinkExpiredError } from './session.errors.js';

/** Sets a new password by the token of a mailed link. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly users: UserService,
    private readonly links: AccountLinksService,
    private readonly access: AccountAccessService,
    private readonly limiter: LoginLimiter,
    private readonly acts: PasswordActsService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws ResetLinkExpiredError, WeakPasswordError: then the link stays valid */
  async reset({ token, new_password_1: password }: ResetPasswordParams, address: string | undefined): Promise<DoneDto> {
    const { id, email } = await this.transactions.run(async (tx) => {
      const link = await this.links.redeem(RESET_PURPOSE, token, tx);
      if (typeof link === 'string') throw new ResetLinkExpiredError();
      const { userId } = link;
      const orgId = await this.users.orgOf(userId, tx);
      const user = orgId === null ? null : await this.users.getById(orgId, userId, tx);
      if (orgId === null || user?.state !== 'active') throw new ResetLinkExpiredError();
      await this.users.setPassword(orgId, userId, password, tx, 'new_password_1');
      await this.access.endAllOf(userId, tx);
      await this.acts.recordReset(orgId, user, address, tx);
      return user;
    });
    if (email !== null) await this.limiter.forgetFailures(email, id);
    return { message: 'OK' };
  }
}
