import { Injectable } from '@nestjs/common';
import { rateLimit, RateLimits } from '../../common/http/rate-limits.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DAY, HOUR } from '../../common/time.js';
import { AccountConfig } from './account.config.js';

/** Mails to one address that a user has typed. */
const MAILED_ADDRESS = rateLimit({
  name: 'mailedAddress',
  config: AccountConfig,
  points: (config) => config.mailedAddress,
  windowSeconds: HOUR,
});

/** Invitations that an organisation has mailed in an hour. */
const INVITATIONS_HOUR = rateLimit({
  name: 'invitationsHour',
  config: AccountConfig,
  points: (config) => config.invitationsHour,
  windowSeconds: HOUR,
});

/** Invitations that an organisation has mailed in a day. */
export const INVITATIONS_DAY = rateLimit({
  name: 'invitationsDay',
  config: AccountConfig,
  points: (config) => config.invitationsDay,
  windowSeconds: DAY,
});

/** Limits mails to addresses that people type: no mailbox is flooded, and no organisation sends to many addresses. */
@Injectable()
export class MailedAddressesService {
  constructor(
    private readonly limits: RateLimits,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Counts an invitation for its organisation and for the address; call it before the mail is created. @throws
   * RateLimitedError
   */
  async countInvitation(orgId: number, email: string): Promise<void> {
    await this.limits.consume(INVITATIONS_HOUR, String(orgId));
    await this.limits.consume(INVITATIONS_DAY, String(orgId));
    await this.count(email);
  }

  /** Call it before the mail is created. @throws RateLimitedError */
  async count(email: string): Promise<void> {
    // The table must not contain the recipients of mails.
    const key = this.secrets.keyedHash('mailed address', email.toLowerCase()).toString('base64url');
    await this.limits.consume(MAILED_ADDRESS, key);
  }
}
