import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';
import { type ValidateClientParams } from './dto/login.params.js';
import { type ValidatedLoginDto } from './dto/session-answers.dto.js';
import { LoginLimiter } from './login-limiter.js';
import { PendingLoginsService } from './pending-logins.service.js';
import { LoginCodeExpiredError, LoginCodeWrongError } from './session.errors.js';
import { SessionEntryService } from './session-entry.service.js';
import { type LoginClient } from './session.types.js';

/** Completes a login with the mailed code. */
@Injectable()
export class LoginCodeValidationService {
  constructor(
    private readonly users: UserService,
    private readonly pending: PendingLoginsService,
    private readonly limiter: LoginLimiter,
    private readonly entry: SessionEntryService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @throws RateLimitedError, LoginCodeWrongError, LoginCodeExpiredError, NoLoginAwaitsCodeError, CrossSiteRefusedError
   */
  async validate(params: ValidateClientParams, client: LoginClient): Promise<ValidatedLoginDto> {
    const userId = await this.pending.findUser(params.token, client);
    const account = userId === null ? null : await this.accountOf(userId);
    if (account?.state !== 'active') throw new LoginCodeExpiredError();
    const { id, orgId } = account;
    const login = await this.limiter.begin(account.email ?? '', client.address);
    const link = await this.pending.tryCode(id, params);
    if (link === 'wrong') {
      this.limiter.noteFailure(login, { orgId, userId: id });
      throw new LoginCodeWrongError();
    }
    await this.limiter.forgive(login);
    if (typeof link === 'string') throw new LoginCodeExpiredError();
    const prepared = await this.transactions.run(async (tx) => {
      await this.pending.use(link, tx);
      return this.entry.prepareLogin(client, orgId, id, 'login.code', tx);
    });
    const session = await this.entry.complete(client, prepared);
    return { session, client_id: prepared.clientId, message: 'OK' };
  }

  private async accountOf(userId: number): Promise<(User & { orgId: number }) | null> {
    const orgId = await this.users.orgOf(userId);
    return orgId === null ? null : { ...(await this.users.getById(orgId, userId)), orgId };
  }
}
