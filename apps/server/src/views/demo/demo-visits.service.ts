import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { addressKey } from '../../common/http/client-address.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { DAY } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { SessionEntry } from '../../people/session/session-entry.service.js';
import { type LoginClient } from '../../people/session/session.types.js';
import { DemoSwitch } from '../../people/setup/demo-switch.service.js';
import { SIGNUP_ADDRESS } from '../../people/signup/signup-limits.types.js';
import { DemoOrgs } from './demo-orgs.service.js';
import { demoTheme } from './demo-themes.js';
import { DemoFullError, DemoOffError, DemoOrgNotFoundError } from './demo.errors.js';
import { DemoRepository } from './demo.repository.js';
import { type DemoOrgsDto, type DemoSignupDto } from './dto/demo-signup.dto.js';
import { type DemoSignupParams } from './dto/demo-signup.params.js';

/** A visit lasts so long. */
const VISIT_SECONDS = DAY;
/** Visitors are forgotten after this. */
const KEPT_SECONDS = 7 * DAY;
/** Users of an organisation, visitors also. */
const MAX_USERS = 500;

/** Visitors of the demo: users who look, without address and password. */
@Injectable()
export class DemoVisits {
  constructor(
    private readonly repository: DemoRepository,
    private readonly demos: DemoOrgs,
    private readonly demo: DemoSwitch,
    private readonly orgs: OrgService,
    private readonly entry: SessionEntry,
    private readonly limits: RateLimits,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  async list(): Promise<DemoOrgsDto> {
    const orgs = (await this.demos.open()).map(({ id, theme, name, timezone, metricsCount }) => ({
      id,
      name,
      description: demoTheme(theme)?.description ?? '',
      timezone,
      metrics_count: metricsCount,
    }));
    return { orgs };
  }

  /**
   * Lets a visitor in: the session that the client has ends.
   * @throws RateLimitedError, DemoOffError, DemoOrgNotFoundError, DemoFullError; LoginFailedError when the demo was closed meanwhile
   */
  async enter(params: DemoSignupParams, client: LoginClient): Promise<DemoSignupDto> {
    if (!this.demo.isOn) throw new DemoOffError();
    // By address for every caller, together with other sign-ups: each visit hands out a session, which must not open a count of its own.
    await this.limits.consume(SIGNUP_ADDRESS, `address:${addressKey(client.address)}`);
    const orgId = await this.chosen(params.demo_org_id);
    const begun = await this.transactions.run(async (tx) => {
      await this.makeRoom(orgId, tx);
      const visitor = await this.repository.insertVisitor(orgId, params.user_name, this.dateAt(0), tx);
      if (params.consent) {
        const consent = { email: params.email ?? null, at: this.dateAt(0) };
        await this.repository.noteConsent(orgId, visitor, consent, tx);
      }
      return this.entry.prepareVisit(client, orgId, visitor, VISIT_SECONDS, tx);
    });
    const session = await this.entry.complete(client, begun);
    return { user: session.user, session };
  }

  /** Deletes visitors whose time is over, in every demo organisation. */
  async forgetOld(): Promise<void> {
    for (const { orgId } of await this.repository.listAll()) {
      await this.repository.deleteVisitors(orgId, this.dateAt(-KEPT_SECONDS));
    }
  }

  private async chosen(id: number | undefined): Promise<number> {
    const open = await this.demos.open();
    const org = id === undefined ? open[0] : open.find((one) => one.id === id);
    if (org) return org.id;
    if (id === undefined) throw new DemoOffError();
    throw new DemoOrgNotFoundError(id);
  }

  /** When a demo is full, visits that are over give way early. */
  private async makeRoom(orgId: number, tx: Tx): Promise<void> {
    await this.orgs.lock(orgId, tx);
    if ((await this.repository.countUsers(orgId, tx)) < MAX_USERS) return;
    await this.repository.deleteVisitors(orgId, this.dateAt(-VISIT_SECONDS), tx);
    if ((await this.repository.countUsers(orgId, tx)) >= MAX_USERS) throw new DemoFullError(MAX_USERS);
  }

  /** So many seconds from now. */
  private dateAt(seconds: number): Date {
    return new Date((this.clock.now() + seconds) * 1000);
  }
}
