import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { addressKey } from '../../common/http/client-address.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { DAY, HOUR } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { SessionEntryService } from '../../people/session/session-entry.service.js';
import { type LoginClient } from '../../people/session/session.types.js';
import { DemoSwitchService } from '../../people/setup/demo-switch.service.js';
import { SIGNUP_ADDRESS } from '../../people/signup/signup-limits.types.js';
import { DemoOrgsService } from './demo-orgs.service.js';
import { demoTheme } from './demo-themes.js';
import { DemoFullError, DemoOffError, DemoOrgNotFoundError } from './demo.errors.js';
import { DemoRepository } from './demo.repository.js';
import { type DemoOrgsDto, type DemoSignupDto } from './dto/demo-signup.dto.js';
import { type DemoSignupParams } from './dto/demo-signup.params.js';

/** A visit lasts so long. */
const VISIT_SECONDS = DAY;
/** Time after which visitors are deleted. */
const KEPT_SECONDS = 7 * DAY;
/** Maximum number of users of an organisation, including visitors. */
const MAX_USERS = 500;

/** Visitors of the demo: users with read access, without address and password. */
@Injectable()
export class DemoVisitorsService {
  constructor(
    private readonly repository: DemoRepository,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** Adds a visitor, with the consent if there is one; returns the id of the user. @throws DemoFullError */
  async add(orgId: number, params: DemoSignupParams, tx: Tx): Promise<number> {
    await this.makeRoom(orgId, tx);
    const visitor = await this.repository.insertVisitor(orgId, params.user_name, this.dateAt(0), tx);
    if (params.consent) {
      const consent = { email: params.email ?? null, at: this.dateAt(0) };
      await this.repository.noteConsent(orgId, visitor, consent, tx);
    }
    return visitor;
  }

  /** Deletes expired visitors in every demo organisation. */
  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Old visitors could not be deleted', role: 'api' })
  async forgetOld(): Promise<void> {
    for (const { orgId } of await this.repository.listAll()) {
      await this.repository.deleteVisitors(orgId, this.dateAt(-KEPT_SECONDS));
    }
  }

  /** If a demo is full, deletes visitors whose visit has ended, before the regular deletion. */
  private async makeRoom(orgId: number, tx: Tx): Promise<void> {
    await this.orgs.lock(orgId, tx);
    if ((await this.repository.countUsers(orgId, tx)) < MAX_USERS) return;
    await this.repository.deleteVisitors(orgId, this.dateAt(-VISIT_SECONDS), tx);
    if ((await this.repository.countUsers(orgId, tx)) >= MAX_USERS) throw new DemoFullError(MAX_USERS);
  }

  /** The time this many seconds from now. */
  private dateAt(seconds: number): Date {
    return new Date((this.clock.now() + seconds) * 1000);
  }
}

/** Lets visitors enter the demo organisations. */
@Injectable()
export class DemoVisitsService {
  constructor(
    private readonly visitors: DemoVisitorsService,
    private readonly demos: DemoOrgsService,
    private readonly demo: DemoSwitchService,
    private readonly entry: SessionEntryService,
    private readonly limits: RateLimits,
    private readonly transactions: Transactions,
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
   * Starts the session of a visitor: the current session of the client ends.
   * @throws RateLimitedError, DemoOffError, DemoOrgNotFoundError, DemoFullError; LoginFailedError if the demo was
   *   closed in the meantime
   */
  async enter(params: DemoSignupParams, client: LoginClient): Promise<DemoSignupDto> {
    if (!this.demo.isOn) throw new DemoOffError();
    // Counted by address for every caller, together with other sign-ups: each visit creates a session, which must not
    // get a separate count.
    await this.limits.consume(SIGNUP_ADDRESS, `address:${addressKey(client.address)}`);
    const orgId = await this.chosen(params.demo_org_id);
    const prepared = await this.transactions.run(async (tx) => {
      const visitor = await this.visitors.add(orgId, params, tx);
      return this.entry.prepareVisit(client, orgId, visitor, VISIT_SECONDS, tx);
    });
    const session = await this.entry.complete(client, prepared);
    return { user: session.user, session, message: 'OK' };
  }

  private async chosen(id: number | undefined): Promise<number> {
    const open = await this.demos.open();
    const org = id === undefined ? open[0] : open.find((one) => one.id === id);
    if (org) return org.id;
    if (id === undefined) throw new DemoOffError();
    throw new DemoOrgNotFoundError(id);
  }
}
