import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions.js';
import { addressKey } from '../../common/http/client-address.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { SessionEntryService } from '../../people/session/session-entry.service.js';
import { type LoginClient } from '../../people/session/session.types.js';
import { DemoSwitchService } from '../../people/setup/demo-switch.service.js';
import { SIGNUP_ADDRESS } from '../../people/signup/signup-limits.types.js';
import { DemoOrgsService } from './demo-orgs.service.js';
import { demoTheme } from './demo-themes.js';
import { DemoOffError, DemoOrgNotFoundError } from './demo.errors.js';
import { DemoVisitorsService, VISIT_SECONDS } from './demo-visitors.service.js';
import { type DemoOrgsDto, type DemoSignupDto } from './dto/demo-signup.dto.js';
import { type DemoSignupParams } from './dto/demo-signup.params.js';

/** How visitors enter the demo organisations. */
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
   * Lets a visitor in: the session that the client has ends.
   * @throws RateLimitedError, DemoOffError, DemoOrgNotFoundError, DemoFullError; LoginFailedError when the demo was
   *   closed in the meantime
   */
  async enter(params: DemoSignupParams, client: LoginClient): Promise<DemoSignupDto> {
    if (!this.demo.isOn) throw new DemoOffError();
    // By address for every caller, together with other sign-ups: each visit creates a session, which must not get a
    // separate count.
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
