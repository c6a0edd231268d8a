import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { Links } from '../../common/http/links.js';
import { HOUR } from '../../common/time.js';
import { CONSOLE_PATHS } from '../../platform/mail/console-paths.types.js';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { type User } from '../user/user.types.js';
import { type MailContent } from '../../platform/mail/mail.types.js';

export const VERIFICATION_SECONDS = 48 * HOUR;
/** Payload of the link of a trial organisation. */
export const TEST_DATA = 'test data';

/** Links that prove the address of a sign-up, and their mails. */
@Injectable()
export class VerificationLinksService {
  constructor(
    private readonly accountLinks: AccountLinksService,
    private readonly links: Links,
    private readonly mailer: MailerService,
  ) {}

  /** True if links are mailed; otherwise the operator has to pass them on. */
  get areMailed(): boolean {
    return this.mailer.isConfigured;
  }

  /**
   * Creates the link of a user who signed up.
   * @param isMailed true: a mail with the link is queued in the same transaction
   * @returns the address of the page that the link opens
   */
  async create(user: User, email: string, isTestData: boolean, isMailed: boolean, tx: Tx): Promise<string> {
    const token = await this.accountLinks.create(
      {
        userId: user.id,
        purpose: 'verify',
        validSeconds: VERIFICATION_SECONDS,
        form: 'hex32',
        ...(isTestData ? { payload: TEST_DATA } : {}),
      },
      tx,
    );
    const url = this.links.console(CONSOLE_PATHS.verify, { email, token });
    if (isMailed) {
      const mail = { to: email, orgId: user.orgId, validSeconds: VERIFICATION_SECONDS };
      await this.mailer.queue({ ...mail, ...verificationMail(token, url) }, tx);
    }
    return url;
  }
}

/**
 * Contains no text from the sign-up: any visitor can have this mail sent to any address.
 */
function verificationMail(token: string, url: string): { subject: string; content: MailContent } {
  return {
    subject: 'Confirm your e-mail address',
    content: {
      heading: 'Welcome to Plumbline',
      paragraphs: [
        'This address was used to sign up.',
        'Choose a password to begin. The link is valid once, for 48 hours.',
      ],
      button: { label: 'Choose a password', url },
      facts: [['Token', token]],
      notes: ['If it was not you, ignore this mail: without the link the sign-up is forgotten.'],
    },
  };
}
