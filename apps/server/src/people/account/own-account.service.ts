import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { actorOf, changesBetween } from '../../platform/audit/audit.types.js';
import { DemoAccountError } from '../../common/auth/auth.errors.js';
import { type UserCaller } from '../../common/auth/caller.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { CONSOLE_PATHS } from '../../platform/mail/console-paths.types.js';
import { Links } from '../../common/http/links.js';
import { DAY } from '../../common/time.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { Mailer } from '../../platform/mail/mailer.service.js';
import { LoginVerifier } from '../session/login-verifier.service.js';
import { AccountLinks } from '../user/account-links.service.js';
import { confirmEmailMail, emailChangeNotice } from './account-mails.js';
import { asksForMore, flagsOf, type UpdateOwnAccountParams } from './dto/own-account.params.js';
import { type ConfirmedEmailDto, type OwnAccountDto } from './dto/user-answers.dto.js';
import { MailedAddresses } from './mailed-addresses.service.js';
import { EmailTakenError, LinkExpiredError, VerificationFailedError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import {
  auditedUser,
  isSameEmail,
  nameForOthers,
  OWN_FLAGS,
  toOnboardingFlags,
  type User,
  type UserFields,
  viewerOf,
} from '../user/user.types.js';

const CONFIRMATION_SECONDS = DAY;

/** What users change of their own accounts. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly users: UserService,
    private readonly verifier: LoginVerifier,
    private readonly accountLinks: AccountLinks,
    private readonly links: Links,
    private readonly mailer: Mailer,
    private readonly mailed: MailedAddresses,
    private readonly transactions: Transactions,
    private readonly events: EventRecorder,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * @param address network address that a wrong password is counted for
   * @throws DemoAccountError, ValidationFailedError, LoginFailedError, RateLimitedError, EmailTakenError
   */
  async update(
    caller: UserCaller,
    params: UpdateOwnAccountParams,
    address: string | undefined,
  ): Promise<OwnAccountDto> {
    const orgId = caller.org.id;
    if (caller.demo && asksForMore(params)) throw new DemoAccountError('session');
    const before = await this.users.getById(orgId, caller.userId);
    const email = params.email === undefined || params.email === before.email ? null : params.email;
    if (email !== null) await this.requirePassword(before, params.password, address);

    // Another spelling leads to the same mailbox, which needs no proof.
    const isAtOnce = email !== null && (isSameEmail(email, before.email) || !this.mailer.isConfigured);
    if (email !== null && !isAtOnce) await this.mailed.count(email);
    const after = await this.transactions.run(async (tx) => {
      const fields = requestedFields(params);
      const after = await this.users.update(orgId, before.id, fields, tx);
      await this.setFlags(caller, params, tx);
      if (email !== null && !isAtOnce) await this.askToConfirm(after, email, tx);
      return email !== null && isAtOnce ? this.replaceEmail(caller, after, email, tx) : after;
    });
    caller.onboardingFlags = toOnboardingFlags((await this.users.getById(orgId, before.id)).onboardingFlags);
    if (changesBetween(shownOf(before), shownOf(after)).length > 0) {
      this.recordEvent(orgId, after, `${nameForOthers(after)} changed the own account.`);
    }
    const user = await this.users.record(orgId, before.id, viewerOf(caller));
    return { user, email_pending: isAtOnce ? null : email };
  }

  /** @throws VerificationFailedError, LinkExpiredError, EmailTakenError */
  async confirmEmail(token: string): Promise<ConfirmedEmailDto> {
    const { user, orgId } = await this.transactions.run(async (tx) => {
      const link = await this.accountLinks.redeem('email_change', token, tx);
      if (link === 'expired') throw new LinkExpiredError();
      const orgId = link === 'unknown' ? null : await this.users.orgOf(link.userId, tx);
      if (link === 'unknown' || link.payload === null || orgId === null) throw new VerificationFailedError();
      const before = await this.users.getById(orgId, link.userId, tx);
      if (before.state === 'disabled') throw new LinkExpiredError();
      return { orgId, user: await this.replaceEmail(null, before, link.payload, tx) };
    });
    this.recordEvent(orgId, user, `${nameForOthers(user)} changed the own account.`);
    return { email: user.email ?? '', message: 'OK' };
  }

  private async requirePassword(
    { email }: User,
    password: string | undefined,
    address: string | undefined,
  ): Promise<void> {
    if (password === undefined) {
      const message = 'password is required to change email';
      throw new ValidationFailedError([{ field: 'password', code: 'required', message }]);
    }
    await this.verifier.verify(email ?? '', password, address);
  }

  private async setFlags(caller: UserCaller, params: UpdateOwnAccountParams, tx: Tx): Promise<void> {
    const named = flagsOf(params);
    const set = OWN_FLAGS.filter((flag) => named[flag] === true);
    const cleared = OWN_FLAGS.filter((flag) => named[flag] === false);
    if (set.length > 0) {
      const flags = Object.fromEntries(set.map((flag) => [flag, true as const]));
      await this.users.setFlags(caller.org.id, caller.userId, flags, tx);
    }
    if (cleared.length > 0) await this.users.clearFlags(caller.org.id, caller.userId, cleared, tx);
  }

  /** The address is used once its owner has shown to have it; the old one is notified, in case it was somebody else. */
  private async askToConfirm(user: User, email: string, tx: Tx): Promise<void> {
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

  /** @param caller null when the link has proven who it is */
  private async replaceEmail(caller: UserCaller | null, user: User, email: string, tx: Tx): Promise<User> {
    const orgId = user.orgId ?? 0;
    // The confirmation by mail proves the address; another spelling of it proves as much as it did before.
    const isProven = caller === null || (isSameEmail(email, user.email) && !user.emailUnproven);
    const after = await this.users.update(orgId, user.id, { email, emailUnproven: !isProven }, tx);
    // What was mailed to the old address opens nothing any more.
    await this.accountLinks.revokeAllOf(user.id, undefined, tx);
    await this.audit.record(
      {
        orgId,
        actor: caller === null ? { type: 'user', userId: user.id } : actorOf(caller),
        action: 'user.email_change',
        object: auditedUser(after),
        changes: changesBetween({ email: user.email }, { email }),
      },
      tx,
    );
    return after;
  }

  private recordEvent(orgId: number, user: User, message: string): void {
    const ref = { kind: 'user', id: String(user.id) };
    this.events.record({ orgId, type: 'user_changed', level: 'info', message, userId: user.id, ref });
  }
}

function requestedFields(params: UpdateOwnAccountParams): UserFields {
  const { name, phone_number: phoneNumber, chat_member_id: chatMemberId, email_alerts: emailAlerts } = params;
  const fields = { name, phoneNumber, chatMemberId, emailAlerts };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** What is worth an event. */
function shownOf({ name, email, phoneNumber, chatMemberId, emailAlerts }: User): object {
  return { name, email, phoneNumber, chatMemberId, emailAlerts };
}
