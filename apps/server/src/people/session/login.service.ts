import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions.js';
import { UserService } from '../user/user.service.js';
import { type LoginDto, type LogoutDto } from './dto/session-answers.dto.js';
import { type LoginParams } from './dto/login.params.js';
import { LoginCodePolicy } from './login-code-policy.service.js';
import { LoginCodeSending } from './login-code-sending.service.js';
import { LoginVerifier } from './login-verifier.service.js';
import { LoginFailedError } from './session.errors.js';
import { SessionEntry } from './session-entry.service.js';
import { SessionService } from './session.service.js';
import { type LoginClient } from './session.types.js';

@Injectable()
export class LoginService {
  constructor(
    private readonly verifier: LoginVerifier,
    private readonly codePolicy: LoginCodePolicy,
    private readonly codes: LoginCodeSending,
    private readonly entry: SessionEntry,
    private readonly sessions: SessionService,
    private readonly users: UserService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws RateLimitedError, LoginFailedError, LoginCodeUnavailableError */
  async login({ email, password }: LoginParams, client: LoginClient): Promise<LoginDto> {
    const { orgId, userId, passwordHash } = await this.verifier.verify(email, password, client);
    if (await this.codePolicy.isNeeded(orgId, userId, client)) return this.codes.send(orgId, userId, client);
    const prepared = await this.transactions.run(async (tx) => {
      const made = await this.entry.prepareLogin(client, orgId, userId, 'login.password', tx);
      // A reset while the password was checked has ended all sessions: this one must not come after it.
      if ((await this.users.passwordHash(orgId, userId, tx)) !== passwordHash) throw new LoginFailedError();
      return made;
    });
    const session = await this.entry.complete(client, prepared);
    return { validation_required: false, session, client_id: prepared.clientId, validation: null, message: 'OK' };
  }

  /** Also without a session. */
  async logout(client: LoginClient): Promise<LogoutDto> {
    if (client.sessionId !== undefined) await this.sessions.end(client.sessionId);
    client.leave();
    return { message: 'OK' };
  }
}
