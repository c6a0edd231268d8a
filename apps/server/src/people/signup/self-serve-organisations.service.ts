import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { PlanDirectoryService } from '../billing/plan-directory.service.js';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { DAY, HOUR } from '../../common/time.js';
import { changesBetween } from '../../platform/audit/audit-act.functions.js';
import { OrgService } from '../org/org.service.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';
import { type SelfServeParams } from './dto/signup.params.js';
import { VERIFICATION_SECONDS } from './verification-links.service.js';

/** An organisation that was not confirmed is erased after its link expires, which also frees the address. */
const UNCONFIRMED_KEPT_SECONDS = VERIFICATION_SECONDS + HOUR;
const TEST_DATA_KEPT_SECONDS = 30 * DAY;

/** Organisations that people create for themselves: their creation and their lifetime. */
@Injectable()
export class SelfServeOrganisationsService {
  constructor(
    private readonly plans: PlanDirectoryService,
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly audit: AuditTrailService,
    private readonly clock: Clock,
  ) {}

  /** Creates an unconfirmed organisation. Returns its administrator. @throws EmailTakenError */
  async create(params: SelfServeParams, tx: Tx): Promise<User> {
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

  /** Keeps a confirmed organisation: permanently, or for a limited time if it is a trial. */
  async confirm(orgId: number, isTestData: boolean, tx: Tx): Promise<void> {
    await this.orgs.setWipe(orgId, isTestData ? this.clock.now() + TEST_DATA_KEPT_SECONDS : null, tx);
  }
}
