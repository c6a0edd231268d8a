import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions.js';
import { HOUR } from '../../common/time.js';
import { MailNotConfiguredError } from '../../platform/mail/mail.errors.js';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { UserService } from '../user/user.service.js';
import { AccountAccessService } from './account-access.service.js';
import { type ForgotPasswordParams, type ResetPasswordParams } from './dto/login.params.js';
import { type DoneDto } from './dto/session-answers.dto.js';
import { AfterAnswerService, LoginLimiter } from './login-limiter.js';
import { LoginMailsService } from './login-mails.service.js';
import { PasswordActsService } from './password-acts.service.js';
import { ResetLinkExpiredError } from './session.errors.js';

const RESET_PURPOSE = 'reset';
const LINK_VALID_SECONDS = HOUR;

/** Mails links for a new password to users who have forgotten the old one. */
@Injectable()
export class PasswordResetLinksService {
  constructor(
    private readonly users: UserService,
    private readonly links: AccountLinksService,
    private readonly limiter: LoginLimiter,
    private readonly mails: LoginMailsService,
    private readonly mailer: MailerService,
    private readonly transactions: Transactions,
    private readonly after: AfterAnswerService,
  ) {}

  /**
   * Returns before it checks whether the account exists.
   * @throws RateLimitedError, MailNotConfiguredError
   */
  async askForLink({ email }: ForgotPasswordParams): Promise<DoneDto> {
    if (!this.mailer.isConfigured) throw new MailNotConfiguredError();
    await this.limiter.countForgotten(email);
    this.after.schedule('A link for a new password could not be sent', () => this.sendLink(email));
    return { message: 'If there is an account with this address, a mail with a link is on its way.' };
  }

  /** An invited user already has a link, and a disabled one stays locked out. */
  private async sendLink(email: string): Promise<void> {
    const account = await this.users.findLogin(email);
    if (account?.state !== 'active') return;
    const { orgId, userId } = account;
    const user = await this.users.getById(orgId, userId);
    if (user.demo) return;
    await this.transactions.run(async (tx) => {
      const token = await this.links.create(
        { userId, purpose: RESET_PURPOSE, validSeconds: LINK_VALID_SECONDS, form: 'url43' },
        tx,
      );
      await this.mails.queueResetLink(orgId, user, token, LINK_VALID_SECONDS, tx);
    });
  }
}

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
