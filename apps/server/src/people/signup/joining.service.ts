import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { SessionEntryService } from '../session/session-entry.service.js';
import { type LoginClient, type PreparedSession } from '../session/session.types.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { auditedUser, isSameEmail, nameForOthers } from '../user/user.functions.js';
import { LinkExpiredError, VerificationFailedError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { type VerifiedDto } from './dto/signup-answers.dto.js';
import { type VerifyParams } from './dto/signup.params.js';
import { SelfServeOrganisationsService } from './self-serve-organisations.service.js';
import { TEST_DATA } from './verification-links.service.js';

/** The first password of users who received a link by mail, after a sign-up or an invitation. */
@Injectable()
export class JoiningService {
  constructor(
    private readonly accountLinks: AccountLinksService,
    private readonly users: UserService,
    private readonly organisations: SelfServeOrganisationsService,
    private readonly entry: SessionEntryService,
    private readonly transactions: Transactions,
    private readonly events: EventRecorderService,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * Sets the first password of a user who signed up or was invited, and logs in.
   * @throws VerificationFailedError, LinkExpiredError, WeakPasswordError
   */
  async verify(params: VerifyParams, client: LoginClient): Promise<VerifiedDto> {
    const prepared = await this.transactions.run((tx) => this.join(params, client, tx));
    return { session: await this.entry.complete(client, prepared), message: 'OK' };
  }

  /** After any failure in here the link is still valid. */
  private async join(
    { email, verification_token: token, password_1: password }: VerifyParams,
    client: LoginClient,
    tx: Tx,
  ): Promise<PreparedSession> {
    const link = await this.accountLinks.redeem(['verify', 'invite'], token, tx);
    if (link === 'expired') throw new LinkExpiredError();
    const orgId = link === 'unknown' ? null : await this.users.orgOf(link.userId, tx);
    if (link === 'unknown' || orgId === null) throw new VerificationFailedError();
    const user = await this.users.getById(orgId, link.userId, tx);
    if (!isSameEmail(email, user.email)) throw new VerificationFailedError();
    if (user.state !== 'invited') throw new LinkExpiredError();
    await this.users.setPassword(orgId, user.id, password, tx, 'password_1');
    await this.users.activate(orgId, user.id, tx);
    if (link.purpose === 'verify') {
      await this.organisations.confirm(orgId, link.payload === TEST_DATA, tx);
    }
    const act = { orgId, actor: { type: 'user', userId: user.id }, action: 'user.join' } as const;
    await this.audit.record({ ...act, object: auditedUser(user) }, tx);
    const [message, ref] = [`${nameForOthers(user)} joined.`, { kind: 'user', id: String(user.id) }];
    this.events.record({ orgId, type: 'user_joined', level: 'info', message, userId: user.id, ref }, tx);
    return this.entry.prepare(client, orgId, user.id, tx);
  }
}
