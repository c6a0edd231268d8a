import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { CONSOLE_PATHS } from '../../platform/mail/console-paths.types.js';
import { Links } from '../../common/http/links.js';
import { DAY } from '../../common/time.js';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { EmailTakenError, LinkExpiredError, VerificationFailedError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';
import { confirmEmailMail, emailChangeNotice } from './account-mails.js';
import { MailedAddressesService } from './mailed-addresses.service.js';

const CONFIRMATION_SECONDS = DAY;

/** A change of address that its owner has confirmed by the mailed link. */
export interface ConfirmedChange {
  orgId: number;
  user: User;
  email: string;
}

/** Proof that a user owns the new address of the account: a link that is mailed to it. */
@Injectable()
export class EmailConfirmationService {
  constructor(
    private readonly users: UserService,
    private readonly accountLinks: AccountLinksService,
    private readonly links: Links,
    private readonly mailer: MailerService,
    private readonly mailed: MailedAddressesService,
  ) {}

  /** True if links can be mailed. */
  get isPossible(): boolean {
    return this.mailer.isConfigured;
  }

  /** Counts the mail; call it before the transaction. @throws RateLimitedError */
  async count(email: string): Promise<void> {
    await this.mailed.count(email);
  }

  /**
   * Mails the link. The new address is used after its owner has confirmed it; the old address is notified, in case
   * another person made the change.
   * @throws EmailTakenError
   */
  async ask(user: User, email: string, tx: Tx): Promise<void> {
    if ((await this.users.findLogin(email, tx)) !== null) throw new EmailTakenError();
    const token = await this.accountLinks.create(
      {
        userId: user.id,
        purpose: 'email_change',
        validSeconds: CONFIRMATION_SECONDS,
        form: 'hex32',
        payload: email,
      },
      tx,
    );
    const url = this.links.console(CONSOLE_PATHS.confirmEmail, { token });
    const mail = { orgId: user.orgId, validSeconds: CONFIRMATION_SECONDS };
    await this.mailer.queue({ ...mail, to: email, ...confirmEmailMail({ token, url }) }, tx);
    if (user.email !== null) await this.mailer.queue({ ...mail, to: user.email, ...emailChangeNotice() }, tx);
  }

  /** Consumes a link that was mailed to a new address. @throws VerificationFailedError, LinkExpiredError */
  async redeem(token: string, tx: Tx): Promise<ConfirmedChange> {
    const link = await this.accountLinks.redeem('email_change', token, tx);
    if (link === 'expired') throw new LinkExpiredError();
    const orgId = link === 'unknown' ? null : await this.users.orgOf(link.userId, tx);
    if (link === 'unknown' || link.payload === null || orgId === null) throw new VerificationFailedError();
    const user = await this.users.getById(orgId, link.userId, tx);
    if (user.state === 'disabled') throw new LinkExpiredError();
    return { orgId, user, email: link.payload };
  }
}
