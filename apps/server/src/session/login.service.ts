import { Injectable } from '@nestjs/common';
import { Transactions } from '../common/database/transactions.js';
import { UserService } from '../user/user.service.js';
import { viewerOf } from '../user/user.types.js';
import { type LoginDto, type LogoutDto } from './dto/session-answers.dto.js';
import { type LoginParams } from './dto/login.params.js';
import { CLIENT_VALID_SECONDS, KnownClientsService } from './known-clients.service.js';
import { LoginVerifier } from './login-verifier.service.js';
import { SessionConfig } from './session.config.js';
import { LoginCodeUnavailableError, LoginFailedError } from './session.errors.js';
import { SessionService } from './session.service.js';
import { type LoginClient } from './session.types.js';

@Injectable()
export class LoginService {
  constructor(
    private readonly verifier: LoginVerifier,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly clients: KnownClientsService,
    private readonly transactions: Transactions,
    private readonly config: SessionConfig,
  ) {}

  /** @throws RateLimitedError, LoginFailedError, LoginCodeUnavailableError */
  async login({ email, password }: LoginParams, client: LoginClient): Promise<LoginDto> {
    const { orgId, userId } = await this.verifier.verify(email, password, client.address);
    // Mail cannot be sent in this version, so `auto` asks for no code.
    if (this.config.loginCode === 'on' && !(await this.clients.isKnown(client.clientId, userId))) {
      throw new LoginCodeUnavailableError();
    }
    const { id, clientId } = await this.transactions.run(async (tx) => {
      // First: the row lock lets the logins of one user count their sessions one after the other.
      await this.users.noteLogin(orgId, userId, tx);
      if (client.sessionId !== undefined) await this.sessions.end(client.sessionId, tx);
      return {
        ...(await this.sessions.begin(userId, tx)),
        clientId: await this.clients.remember(client.clientId, userId, tx),
      };
    });
    const caller = await this.sessions.find(id);
    // Disabled or removed meanwhile.
    if (typeof caller === 'string') throw new LoginFailedError();
    client.enter(caller, this.config.idleSeconds, clientId, CLIENT_VALID_SECONDS);
    const user = await this.users.record(orgId, userId, viewerOf(caller));
    return { validation_required: false, session: { id, user }, client_id: clientId, validation: null, message: 'OK' };
  }

  /** Also when nobody is logged in. */
  async logout(client: LoginClient): Promise<LogoutDto> {
    if (client.sessionId !== undefined) await this.sessions.end(client.sessionId);
    client.leave();
    return { message: 'OK' };
  }
}
