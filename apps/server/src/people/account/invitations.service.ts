import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { CONSOLE_PATHS } from '../../platform/mail/console-paths.types.js';
import { Links } from '../../common/http/links.js';
import { DAY } from '../../common/time.js';
import { MailNotConfiguredError, MailUnavailableError } from '../../platform/mail/mail.errors.js';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { invitationMail } from './account-mails.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { MailedAddressesService } from './mailed-addresses.service.js';

const VALID_SECONDS = 7 * DAY;

/** Invitation of a user who has no password yet. */
export interface Invitation {
  orgId: number;
  orgName: string;
  userId: number;
  email: string;
  /** Name of the inviter; may be empty. */
  inviter: string;
}

@Injectable()
export class InvitationsService {
  constructor(
    private readonly accountLinks: AccountLinksService,
    private readonly links: Links,
    private readonly mailer: MailerService,
    private readonly mailed: MailedAddressesService,
  ) {}

  /** Creates a token; older tokens of the user become invalid when `tx` is committed. @throws RateLimitedError */
  async create(orgId: number, userId: number, email: string, tx: Tx): Promise<string> {
    // Without a mail server nothing is sent: the inviter gets the link.
    if (this.mailer.isConfigured) await this.mailed.countInvitation(orgId, email);
    return this.accountLinks.create({ userId, purpose: 'invite', validSeconds: VALID_SECONDS, form: 'hex32' }, tx);
  }

  /** Mails a token, after its transaction. If no mail can be sent, returns the link for the inviter. */
  async deliver(invitation: Invitation, token: string): Promise<{ isSent: boolean; url: string | null }> {
    const { email, orgId } = invitation;
    const url = this.links.console(CONSOLE_PATHS.verify, { email, token });
    try {
      await this.mailer.send({ to: email, orgId, ...invitationMail({ ...invitation, token, url }) });
      return { isSent: true, url: null };
    } catch (error) {
      if (error instanceof MailNotConfiguredError || error instanceof MailUnavailableError)
        return { isSent: false, url };
      throw error;
    }
  }
}
