import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { DAY, HOUR } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { DemoFullError } from './demo.errors.js';
import { DemoRepository } from './demo.repository.js';
import { type DemoSignupParams } from './dto/demo-signup.params.js';

/** Duration of a visit. */
export const VISIT_SECONDS = DAY;
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
