import { Injectable, Logger } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { type Tx } from '../../common/database/transactions.js';
import { changesBetween } from '../../platform/audit/audit-act.functions.js';
import { type OrgEvent } from '../../platform/event/event.types.js';
import { OrgService } from '../org/org.service.js';
import { type Org } from '../org/org.types.js';
import { AccountAccessService } from '../session/account-access.service.js';
import { AdministratorsService } from '../user/administrators.service.js';
import { auditedUser, nameForOthers } from '../user/user.functions.js';
import { BadEmailError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';
import { SsoConfig } from './sso.config.js';
import { SsoNotConfiguredError, SsoRefusedError } from './sso.errors.js';
import { SsoRepository } from './sso.repository.js';
import { type SsoPerson } from './sso.types.js';

/** A user who may log in, and the events of the login. */
export interface AdmittedUser {
  orgId: number;
  userId: number;
  events: OrgEvent[];
}

/**
 * Finds the user of a person whom the provider has identified; creates and changes users of the one participating
 * organisation.
 */
@Injectable()
export class SsoAccountsService {
  private readonly logger = new Logger(SsoAccountsService.name);

  constructor(
    private readonly repository: SsoRepository,
    private readonly users: UserService,
    private readonly orgs: OrgService,
    private readonly access: AccountAccessService,
    private readonly administrators: AdministratorsService,
    private readonly audit: AuditTrailService,
    private readonly config: SsoConfig,
  ) {}

  /** @throws SsoNotConfiguredError, SsoRefusedError, UserLimitReachedError */
  async admit(person: SsoPerson, tx: Tx): Promise<AdmittedUser> {
    const org = await this.org(tx);
    // Serialises concurrent first logins, and changes of administrators.
    await this.orgs.lock(org.id, tx);
    const events: OrgEvent[] = [];
    const known = await this.repository.findIdentity(person.issuer, person.subject, tx);
    if (known !== null && known.orgId !== org.id) {
      throw new SsoRefusedError('Your account belongs to an organisation that has no single sign-on any more.');
    }
    const user =
      known === null ? await this.join(org, person, events, tx) : await this.users.getById(org.id, known.userId, tx);
    this.requireAllowedDomain(known === null ? person.email : (person.email ?? user.email));
    if (user.state === 'disabled') {
      throw new SsoRefusedError('Your account is disabled. Ask an administrator of your organisation.');
    }
    await this.applyAdmin(user, person.isAdmin, events, tx);
    return { orgId: org.id, userId: user.id, events };
  }

  private async org(tx: Tx): Promise<Org> {
    const { org: wanted } = this.config;
    const all = await this.orgs.listAll(tx);
    const real = all.filter(({ isDemo }) => !isDemo);
    const found =
      wanted === undefined
        ? real
        : [all.filter(({ id }) => String(id) === wanted), all.filter(({ name }) => name === wanted)].find(
            ({ length }) => length > 0,
          );
    if (found?.length === 1) return found[0]!;
    const count = found?.length ?? 0;
    this.logger.error(
      wanted === undefined
        ? `Single sign-on needs OIDC_ORG: there are ${String(count)} organisations that are not demos`
        : `Single sign-on needs one organisation with the id or name OIDC_ORG names; there are ${String(count)}`,
    );
    throw new SsoNotConfiguredError('Single sign-on is not set up for an organisation. The operator has to name it.');
  }

  /** On the first login: links the account with the same confirmed address, or creates one. */
  private async join(org: Org, person: SsoPerson, events: OrgEvent[], tx: Tx): Promise<User> {
    const { email } = person;
    if (email === null) {
      throw new SsoRefusedError('The provider did not send your e-mail address, which is needed for the first login.');
    }
    if (!person.isEmailConfirmed) {
      throw new SsoRefusedError(
        `The provider does not say that ${email} is your confirmed address, which is needed for the first login.`,
      );
    }
    this.requireAllowedDomain(email);
    const account = await this.users.findLogin(email, tx);
    if (account !== null && account.orgId !== org.id) {
      throw new SsoRefusedError(`The address ${email} belongs to a user of another organisation.`);
    }
    const user =
      account === null ? await this.create(org.id, email, person, tx) : await this.link(org.id, account.userId, tx);
    await this.repository.insertIdentity(org.id, user.id, person, tx);
    if (await this.activateUnlessDisabled(user, tx)) {
      events.push({
        orgId: org.id,
        type: 'user_joined',
        level: 'info',
        message: `${nameForOthers(user)} joined by single sign-on.`,
        userId: user.id,
        ref: { kind: 'user', id: String(user.id) },
      });
    }
    return this.users.getById(org.id, user.id, tx);
  }

  private async create(orgId: number, email: string, { name, isAdmin }: SsoPerson, tx: Tx): Promise<User> {
    await this.users.requireRoom(orgId, tx);
    const fields = { email, name, admin: isAdmin ?? false };
    try {
      const user = await this.users.create({ orgId, ...fields }, tx);
      const act = { orgId, actor: SYSTEM_ACTOR, action: 'sso.user_created', object: auditedUser(user) };
      await this.audit.record({ ...act, changes: changesBetween({}, fields) }, tx);
      return user;
    } catch (error) {
      if (error instanceof BadEmailError) {
        throw new SsoRefusedError('The provider did not send a valid e-mail address for you.');
      }
      throw error;
    }
  }

  private async link(orgId: number, userId: number, tx: Tx): Promise<User> {
    const user = await this.users.getById(orgId, userId, tx);
    const act = { orgId, actor: SYSTEM_ACTOR, action: 'sso.user_linked', object: auditedUser(user) };
    await this.audit.record(act, tx);
    if (user.emailUnproven) {
      // Another person may have registered the address before its owner logged in; that person loses access now.
      await this.users.handOver(orgId, userId, tx);
      await this.access.endAllOf(userId, tx);
    }
    return user;
  }

  private async activateUnlessDisabled({ id, orgId, state }: User, tx: Tx): Promise<boolean> {
    return state === 'invited' && orgId !== null && (await this.users.activate(orgId, id, tx));
  }

  private requireAllowedDomain(email: string | null): void {
    const { allowedDomains } = this.config;
    if (allowedDomains.length === 0) return;
    const domain = email?.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (!allowedDomains.some((allowed) => allowed.toLowerCase() === domain)) {
      throw new SsoRefusedError('Your e-mail address is not of a domain that may log in here.');
    }
  }

  /** The claim is applied at every login, but never leaves the organisation without an administrator. */
  private async applyAdmin(user: User, isAdmin: boolean | null, events: OrgEvent[], tx: Tx): Promise<void> {
    const { id, orgId } = user;
    if (isAdmin === null || isAdmin === user.admin || orgId === null) return;
    if (!isAdmin && (await this.administrators.isLast(orgId, id, tx))) {
      this.logger.warn(
        `User ${String(id)} stays an administrator although the claim says otherwise: it is the last one`,
      );
      return;
    }
    const after = await this.users.update(orgId, id, { admin: isAdmin }, tx);
    const act = { orgId, actor: SYSTEM_ACTOR, action: 'user.update', object: auditedUser(after) };
    await this.audit.record({ ...act, changes: changesBetween({ admin: user.admin }, { admin: isAdmin }) }, tx);
    events.push({
      orgId,
      type: 'user_changed',
      level: 'info',
      message: `${nameForOthers(after)} is ${isAdmin ? 'an administrator' : 'no longer an administrator'}, says the provider of the single sign-on.`,
      userId: id,
      ref: { kind: 'user', id: String(id) },
    });
  }
}
