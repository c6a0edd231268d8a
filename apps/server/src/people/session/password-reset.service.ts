import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { Transactions } from '../../common/database/transactions.js';
import { HOUR } from '../../common/time.js';
import { MailNotConfiguredError } from '../../platform/mail/mail.errors.js';
import { Mailer } from '../../platform/mail/mailer.service.js';
import { AccountLinks } from '../user/account-links.service.js';
import { UserService } from '../user/user.service.js';
import { AccountAccess } from './account-access.service.js';
import { type ForgotPasswordParams, type ResetPasswordParams } from './dto/login.params.js';
import { type DoneDto } from './dto/session-answers.dto.js';
import { AfterAnswer } from './after-answer.service.js';
import { LoginLimiter } from './login-limiter.js';
import { LoginMails } from './login-mails.service.js';
import { ResetLinkExpiredError } from './session.errors.js';

const PURPOSE = 'reset';
const LINK_VALID_SECONDS = HOUR;

/** A new password for who has forgotten the old one, by a link in a mail. */
@Injectable()
export class PasswordReset {
  constructor(
    private readonly users: UserService,
    private readonly links: AccountLinks,
    private readonly access: AccountAccess,
    private readonly limiter: LoginLimiter,
    private readonly mails: LoginMails,
    private readonly mailer: Mailer,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly after: AfterAnswer,
  ) {}

  /**
   * Answers before it looks whether there is such an account.
   * @throws RateLimitedError, MailNotConfiguredError
   */
  async askForLink({ email }: ForgotPasswordParams): Promise<DoneDto> {
    if (!this.mailer.isConfigured) throw new MailNotConfiguredError();
    await this.limiter.countForgotten(email);
    this.after.schedule('A link for a new password could not be sent', () => this.sendLink(email));
    return { message: 'If there is an account with this address, a mail with a link is on its way.' };
  }

  /** @throws ResetLinkExpiredError, WeakPasswordError: the link stays good then */
  async reset({ token, new_password_1: password }: ResetPasswordParams, address: string | undefined): Promise<DoneDto> {
    const email = await this.transactions.run(async (tx) => {
      const link = await this.links.redeem(PURPOSE, token, tx);
      if (typeof link === 'string') throw new ResetLinkExpiredError();
      const { userId } = link;
      const orgId = await this.users.orgOf(userId, tx);
      const user = orgId === null ? null : await this.users.getById(orgId, userId, tx);
      if (orgId === null || user?.state !== 'active') throw new ResetLinkExpiredError();
      await this.users.setPassword(orgId, userId, password, tx, 'new_password_1');
      await this.access.endAllOf(userId, tx);
      await this.audit.record(
        {
          orgId,
          actor: { type: 'user', userId },
          action: 'user.password_reset',
          object: { type: 'user', id: String(userId), name: user.email ?? user.name },
        },
        tx,
      );
      await this.mails.queuePasswordNotice(orgId, user, address, tx);
      return user.email;
    });
    if (email !== null) await this.limiter.forgetFailures(email);
    return { message: 'OK' };
  }

  /** Who was invited has a link already, and who is disabled stays out. */
  private async sendLink(email: string): Promise<void> {
    const account = await this.users.findLogin(email);
    if (account?.state !== 'active') return;
    const { orgId, userId } = account;
    const user = await this.users.getById(orgId, userId);
    if (user.demo) return;
    await this.transactions.run(async (tx) => {
      const token = await this.links.create(
        { userId, purpose: PURPOSE, validSeconds: LINK_VALID_SECONDS, form: 'url43' },
        tx,
      );
      await this.mails.queueResetLink(orgId, user, token, LINK_VALID_SECONDS, tx);
    });
  }
}
