import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { changesBetween } from '../../platform/audit/audit.types.js';
import { PlanDirectory } from '../billing/plan-directory.service.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { CONSOLE_PATHS } from '../../platform/mail/console-paths.types.js';
import { Links } from '../../common/http/links.js';
import { DAY, HOUR } from '../../common/time.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { Mailer } from '../../platform/mail/mailer.service.js';
import { OrgService } from '../org/org.service.js';
import { SessionEntry } from '../session/session-entry.service.js';
import { type LoginClient, type PreparedSession } from '../session/session.types.js';
import { FirstOrganisation } from '../org/first-organisation.service.js';
import { AccountLinks } from '../user/account-links.service.js';
import { LinkExpiredError, VerificationFailedError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { auditedUser, isSameEmail, nameForOthers, toUserDto, type User } from '../user/user.types.js';
import { type SelfServeDto, type VerifiedDto } from './dto/signup-answers.dto.js';
import { type SelfServeParams, type VerifyParams } from './dto/signup.params.js';
import { verificationMail } from './signup-mail.js';
import { SignupConfig } from './signup.config.js';
import { SignupClosedError } from './signup.errors.js';

const LINK_SECONDS = 48 * HOUR;
/** An organisation that was not confirmed is erased when its link expires, and with it the claim on the address. */
const UNCONFIRMED_KEPT_SECONDS = LINK_SECONDS + HOUR;
const TEST_DATA_KEPT_SECONDS = 30 * DAY;
/** Payload of the link of an organisation that is for trying things out. */
const TEST_DATA = 'test data';

/** Organisations that people make for themselves, and the first password of everybody who was mailed a link. */
@Injectable()
export class SignupService {
  private readonly logger = new Logger(SignupService.name);

  constructor(
    private readonly config: SignupConfig,
    private readonly firstOrganisation: FirstOrganisation,
    private readonly plans: PlanDirectory,
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly accountLinks: AccountLinks,
    private readonly entry: SessionEntry,
    private readonly links: Links,
    private readonly mailer: Mailer,
    private readonly transactions: Transactions,
    private readonly events: EventRecorder,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** @throws SignupClosedError, EmailTakenError */
  async selfServe(params: SelfServeParams): Promise<SelfServeDto> {
    if (this.config.mode === 'closed') throw new SignupClosedError();
    const isSent = this.mailer.isConfigured;
    const { user, url } = await this.transactions.run(async (tx) => {
      await this.requireOpen(tx);
      const user = await this.makeOrganisation(params, tx);
      const token = await this.accountLinks.create(
        {
          userId: user.id,
          purpose: 'verify',
          validSeconds: LINK_SECONDS,
          form: 'hex32',
          ...(params.test_data ? { payload: TEST_DATA } : {}),
        },
        tx,
      );
      const url = this.links.console(CONSOLE_PATHS.verify, { email: params.email, token });
      if (isSent) {
        const mail = { to: params.email, orgId: user.orgId, validSeconds: LINK_SECONDS };
        await this.mailer.queue({ ...mail, ...verificationMail(token, url) }, tx);
      }
      return { user, url };
    });
    // The operator passes it on: only operators read the log.
    if (!isSent) this.logger.log(`No mail can be sent: the link of the sign-up of user ${String(user.id)} is ${url}`);
    const org = await this.orgs.getById(user.orgId ?? 0);
    const viewer = { userId: user.id, admin: true, demo: false };
    return { user: toUserDto(user, this.orgs.toDto(org), viewer), verification_sent: isSent };
  }

  /**
   * Sets the first password of a user who signed up or was invited, and logs in.
   * @throws VerificationFailedError, LinkExpiredError, WeakPasswordError
   */
  async verify(params: VerifyParams, client: LoginClient): Promise<VerifiedDto> {
    const { user, prepared } = await this.transactions.run((tx) => this.join(params, client, tx));
    this.events.record({
      orgId: prepared.orgId,
      type: 'user_joined',
      level: 'info',
      message: `${nameForOthers(user)} joined.`,
      userId: user.id,
      ref: { kind: 'user', id: String(user.id) },
    });
    return { session: await this.entry.complete(client, prepared) };
  }

  /** Whatever fails in here leaves the link as good as it was. */
  private async join(
    { email, verification_token: token, password_1: password }: VerifyParams,
    client: LoginClient,
    tx: Tx,
  ): Promise<{ user: User; prepared: PreparedSession }> {
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
      await this.orgs.setWipe(orgId, link.payload === TEST_DATA ? this.clock.now() + TEST_DATA_KEPT_SECONDS : null, tx);
    }
    const act = { orgId, actor: { type: 'user', userId: user.id }, action: 'user.join' } as const;
    await this.audit.record({ ...act, object: auditedUser(user) }, tx);
    return { user, prepared: await this.entry.prepare(client, orgId, user.id, tx) };
  }

  private async requireOpen(tx: Tx): Promise<void> {
    if (this.config.mode === 'open') return;
    if (!(await this.firstOrganisation.isMissing(tx))) throw new SignupClosedError();
  }

  private async makeOrganisation(params: SelfServeParams, tx: Tx): Promise<User> {
    const { org_name: name, timezone, email, user_name: userName } = params;
    const org = await this.orgs.create({ name, timezone, metricLimit: this.plans.limitWithoutPlan }, tx);
    await this.orgs.setWipe(org.id, this.clock.now() + UNCONFIRMED_KEPT_SECONDS, tx);
    const user = await this.users.create({ orgId: org.id, email, name: userName, admin: true }, tx);
    await this.orgs.addRecipient(org.id, user.id, ['email', 'admin_email'], tx);
    await this.audit.record(
      {
        orgId: org.id,
        actor: { type: 'user', userId: user.id },
        action: 'org.create',
        object: { type: 'org', id: String(org.id), name },
        changes: changesBetween({}, { name, timezone, test_data: params.test_data }),
      },
      tx,
    );
    return user;
  }
}
