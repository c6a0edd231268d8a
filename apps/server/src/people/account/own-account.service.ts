import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { DemoAccountError } from '../../common/auth/auth.errors.js';
import { type UserCaller } from '../../common/auth/caller.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { LoginService } from '../session/login.service.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { auditedUser, isSameEmail, nameForOthers, toOnboardingFlags, viewerOf } from '../user/user.functions.js';
import { asksForMore, flagsOf, type UpdateOwnAccountParams } from './dto/own-account.params.js';
import { type ConfirmedEmailDto, type OwnAccountDto } from './dto/user-answers.dto.js';
import { EmailConfirmationService } from './email-confirmation.service.js';
import { UserService } from '../user/user.service.js';
import { OWN_FLAGS, type User, type UserFields } from '../user/user.types.js';

/** Changes of users to their own accounts. */
@Injectable()
export class OwnAccountService {
  constructor(
    private readonly users: UserService,
    private readonly logins: LoginService,
    private readonly confirmation: EmailConfirmationService,
    private readonly transactions: Transactions,
    private readonly events: EventRecorderService,
    private readonly accountLinks: AccountLinksService,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * @param address network address for which a wrong password is counted
   * @throws DemoAccountError, ValidationFailedError, LoginFailedError, RateLimitedError, EmailTakenError
   */
  async update(
    caller: UserCaller,
    judged: JudgedParams<UpdateOwnAccountParams>,
    address: string | undefined,
  ): Promise<OwnAccountDto> {
    const orgId = caller.org.id;
    if (caller.demo && asksForMore(judged.sound)) throw new DemoAccountError('session');
    const before = await this.users.getById(orgId, caller.userId);
    const params = judged.requireSound(passwordProblems(before, judged));
    const email = params.email === undefined || params.email === before.email ? null : params.email;
    if (email !== null)
      await this.logins.verify(before.email ?? '', params.password ?? '', { address, userId: caller.userId });

    // Another spelling of the address reaches the same mailbox, so it needs no proof.
    const isAtOnce = email !== null && (isSameEmail(email, before.email) || !this.confirmation.isPossible);
    if (email !== null && !isAtOnce) await this.confirmation.count(email);
    await this.transactions.run(async (tx) => {
      const fields = requestedFields(params);
      const after = await this.users.update(orgId, before.id, fields, tx);
      await this.setFlags(caller, params, tx);
      if (email !== null && !isAtOnce) await this.confirmation.ask(after, email, tx);
      const replaced = email !== null && isAtOnce ? await this.replaceEmail(caller, after, email, tx) : after;
      if (changesBetween(shownOf(before), shownOf(replaced)).length > 0) this.recordChange(orgId, replaced, tx);
    });
    caller.onboardingFlags = toOnboardingFlags((await this.users.getById(orgId, before.id)).onboardingFlags);
    const user = await this.users.record(orgId, before.id, viewerOf(caller));
    const pending = isAtOnce ? null : email;
    const message =
      pending === null ? 'OK' : `OK. ${pending} is used once it is confirmed by the link that was mailed to it.`;
    return { user, email_pending: pending, message };
  }

  /** @throws VerificationFailedError, LinkExpiredError, EmailTakenError */
  async confirmEmail(token: string): Promise<ConfirmedEmailDto> {
    const { user, orgId } = await this.transactions.run(async (tx) => {
      const { orgId, user, email } = await this.confirmation.redeem(token, tx);
      const replaced = await this.replaceEmail(null, user, email, tx);
      this.recordChange(orgId, replaced, tx);
      return { orgId, user: replaced };
    });
    // The holder of the token is the user, who may see the whole record.
    const viewer = { userId: user.id, admin: false, demo: user.demo };
    return { user: await this.users.record(orgId, user.id, viewer), message: 'OK' };
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

  private recordChange(orgId: number, user: User, tx: Tx): void {
    const message = `${nameForOthers(user)} changed their own account.`;
    const ref = { kind: 'user', id: String(user.id) };
    this.events.record({ orgId, type: 'user_changed', level: 'info', message, userId: user.id, ref }, tx);
  }

  /** @param caller null if the link is the proof of identity @throws EmailTakenError */
  private async replaceEmail(caller: UserCaller | null, user: User, email: string, tx: Tx): Promise<User> {
    const orgId = user.orgId ?? 0;
    // The confirmation by mail proves the address; a different spelling of the same address does not change what is
    // proven.
    const isProven = caller === null || (isSameEmail(email, user.email) && !user.emailUnproven);
    const after = await this.users.update(orgId, user.id, { email, emailUnproven: !isProven }, tx);
    // Links that were mailed to the old address are revoked.
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
}

/** A different address requires the password. */
function passwordProblems({ email }: User, judged: JudgedParams<UpdateOwnAccountParams>): ErrorDetail[] {
  const { email: wanted, password } = judged.sound;
  if (wanted === undefined || wanted === email || password !== undefined || judged.isFaulty('password')) return [];
  return [{ field: 'password', code: 'required', message: 'password is required to change email' }];
}

function requestedFields(params: UpdateOwnAccountParams): UserFields {
  const { name, phone_number: phoneNumber, chat_member_id: chatMemberId, email_alerts: emailAlerts } = params;
  const fields = { name, phoneNumber, chatMemberId, emailAlerts };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Fields whose change causes an event. */
function shownOf({ name, email, phoneNumber, chatMemberId, emailAlerts }: User): object {
  return { name, email, phoneNumber, chatMemberId, emailAlerts };
}
