import { Injectable, Logger } from '@nestjs/common';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { FirstOrganisationService } from '../org/first-organisation.service.js';
import { OrgService } from '../org/org.service.js';
import { toUserDto } from '../user/user.functions.js';
import { type SelfServeDto } from './dto/signup-answers.dto.js';
import { type SelfServeParams } from './dto/signup.params.js';
import { SelfServeOrganisationsService } from './self-serve-organisations.service.js';
import { SignupConfig } from './signup.config.js';
import { SignupClosedError } from './signup.errors.js';
import { VerificationLinksService } from './verification-links.service.js';

/** Sign-ups: an organisation, its first administrator and the link with which that user joins. */
@Injectable()
export class SignupService {
  private readonly logger = new Logger(SignupService.name);

  constructor(
    private readonly config: SignupConfig,
    private readonly firstOrganisation: FirstOrganisationService,
    private readonly organisations: SelfServeOrganisationsService,
    private readonly verification: VerificationLinksService,
    private readonly orgs: OrgService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws SignupClosedError, EmailTakenError */
  async selfServe(params: SelfServeParams): Promise<SelfServeDto> {
    if (this.config.mode === 'closed') throw new SignupClosedError();
    const isSent = this.verification.areMailed;
    const { user, url } = await this.transactions.run(async (tx) => {
      await this.requireOpen(tx);
      const user = await this.organisations.create(params, tx);
      return { user, url: await this.verification.create(user, params.email, params.test_data, isSent, tx) };
    });
    // The operator passes the link on: only operators read the log.
    if (!isSent) this.logger.log(`No mail can be sent: the link of the sign-up of user ${String(user.id)} is ${url}`);
    const org = await this.orgs.getById(user.orgId ?? 0);
    const viewer = { userId: user.id, admin: true, demo: false };
    const message = isSent ? 'OK. Follow the link in the mail.' : 'OK. The link is in the log of the server.';
    return { user: toUserDto(user, this.orgs.toDto(org), viewer), verification_sent: isSent, message };
  }

  /**
   * Depending on the mode, a sign-up may create an organisation always, never, or only if it is the first one. @throws
   * SignupClosedError
   */
  private async requireOpen(tx: Tx): Promise<void> {
    if (this.config.mode === 'open') return;
    if (!(await this.firstOrganisation.isMissing(tx))) throw new SignupClosedError();
  }
}
