import { Injectable } from '@nestjs/common';
import { RateLimits } from '../../common/http/rate-limits.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { MAILED_ADDRESS } from './account-limits.types.js';

/** Counts mails that go to an address because a user has typed it: so that no mailbox can be flooded. */
@Injectable()
export class MailedAddresses {
  constructor(
    private readonly limits: RateLimits,
    private readonly secrets: Secrets,
  ) {}

  /** To be called before the mail is made. @throws RateLimitedError */
  async count(email: string): Promise<void> {
    // The table shall not list who was written to.
    const key = this.secrets.keyedHash('mailed address', email.toLowerCase()).toString('base64url');
    await this.limits.consume(MAILED_ADDRESS, key);
  }
}
