import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions.js';
import { PasswordService } from '../user/password.service.js';
import { UserService } from '../user/user.service.js';
import { type LoginAccount, PLACEHOLDER_EMAIL } from '../user/user.types.js';
import { type LoginParams } from './dto/login.params.js';
import { type LoginDto } from './dto/session-answers.dto.js';
import { LoginCodesService } from './login-codes.service.js';
import { LoginLimiter, type LoginTry } from './login-limiter.js';
import { KnownClientsService, SessionEntryService } from './session-entry.service.js';
import { LoginFailedError } from './session.errors.js';
import { type LoginClient } from './session.types.js';

/** The origin of a password. */
export interface LoginOrigin {
  /** Network address. */
  address: string | undefined;
  /** As presented by the client; counts only after it is known to belong to the account. */
  clientId?: string | undefined;
  /** Set if the user is logged in. */
  userId?: number;
}

/** Checks whether an address and a password match, and logs in the user. */
@Injectable()
export class LoginService {
  constructor(
    private readonly limiter: LoginLimiter,
    private readonly users: UserService,
    private readonly clients: KnownClientsService,
    private readonly passwords: PasswordService,
    private readonly codes: LoginCodesService,
    private readonly entry: SessionEntryService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws RateLimitedError, LoginFailedError, LoginCodeUnavailableError */
  async login({ email, password }: LoginParams, client: LoginClient): Promise<LoginDto> {
    const { orgId, userId, passwordHash } = await this.verify(email, password, client);
    if (await this.needsCode(orgId, userId, client)) return this.codes.send(orgId, userId, client);
    const prepared = await this.transactions.run(async (tx) => {
      const created = await this.entry.prepareLogin(client, orgId, userId, 'login.password', tx);
      // A reset during the check of the password has ended all sessions: no session may be created after it.
      if ((await this.users.passwordHash(orgId, userId, tx)) !== passwordHash) throw new LoginFailedError();
      return created;
    });
    const session = await this.entry.complete(client, prepared);
    return { validation_required: false, session, client_id: prepared.clientId, validation: null, message: 'OK' };
  }

  /**
   * Every failure takes the time of one password check and has the same error.
   * @throws RateLimitedError, OverloadedError, LoginFailedError
   */
  async verify(email: string, password: string, from: LoginOrigin): Promise<LoginAccount> {
    const isStranger = from.userId === undefined && from.clientId === undefined;
    // An attempt of a caller without proof is counted first: a refused one costs no lookup.
    const counted = isStranger ? await this.limiter.begin(email, from.address) : undefined;
    const find = () => this.users.findLogin(email);
    const account = await (counted ? this.limiter.unlessBroken(counted, find) : find());
    const login = counted ?? (await this.begin(email, account, from));
    const fits = await this.limiter.unlessBroken(login, () =>
      this.passwords.verify(account?.passwordHash ?? null, password),
    );
    if (!account || !fits || account.state !== 'active') {
      this.limiter.noteFailure(login, account);
      throw new LoginFailedError();
    }
    await this.limiter.forgive(login);
    return account;
  }

  /** Does the same lookups whether or not the account exists. */
  private async begin(email: string, account: LoginAccount | null, from: LoginOrigin): Promise<LoginTry> {
    const { address, clientId, userId } = from;
    if (userId !== undefined) return this.limiter.beginOfOwner({ userId });
    if (clientId !== undefined && (await this.clients.isKnown(clientId, account?.userId ?? null))) {
      return this.limiter.beginOfOwner({ clientId });
    }
    return this.limiter.begin(email, address);
  }

  private async needsCode(orgId: number, userId: number, client: LoginClient): Promise<boolean> {
    const { demand } = this.codes;
    if (demand === 'off' || (await this.clients.isKnown(client.clientId, userId))) return false;
    if (demand === 'on') return true;
    // An operator who sets up mail before naming an administrator would be locked out permanently.
    return (await this.users.getById(orgId, userId)).email !== PLACEHOLDER_EMAIL;
  }
}
