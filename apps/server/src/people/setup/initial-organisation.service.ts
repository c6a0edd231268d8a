import { Injectable } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { type Tx } from '../../common/database/transactions.js';
import { changesBetween } from '../../platform/audit/audit-act.functions.js';
import { OrgService } from '../org/org.service.js';
import { TokenService } from '../token/token.service.js';
import { UserService } from '../user/user.service.js';
import { SetupConfig } from './setup.config.js';
import { type FirstStart } from './setup.types.js';

const ORG_NAME = 'My organisation';
const DEMO_ORG_NAME = 'Demo shop';

/** Creates the organisation of an empty database, its administrator, and the first tokens. */
@Injectable()
export class InitialOrganisationService {
  constructor(
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly tokens: TokenService,
    private readonly audit: AuditTrailService,
    private readonly config: SetupConfig,
  ) {}

  async create(adminPassword: string, tx: Tx): Promise<FirstStart> {
    const { demo, adminEmail } = this.config;
    const org = await this.orgs.create({ name: demo ? DEMO_ORG_NAME : ORG_NAME, isDemo: demo }, tx);
    const admin = await this.users.create(
      { orgId: org.id, email: adminEmail, name: 'Administrator', admin: true, password: adminPassword },
      tx,
    );
    const act = { orgId: org.id, actor: SYSTEM_ACTOR };
    const object = { type: 'org', id: String(org.id), name: org.name };
    await this.audit.record({ ...act, action: 'org.create', object }, tx);
    await this.audit.record(
      {
        ...act,
        action: 'user.create',
        object: { type: 'user', id: String(admin.id), name: admin.name },
        changes: changesBetween({}, { email: admin.email, admin: true }),
      },
      tx,
    );
    await this.orgs.addRecipient(org.id, admin.id, ['email', 'admin_email'], tx);
    const token = async (name: string, permissions: Permission): Promise<string> => {
      const created = { name, permissions, validUntil: null, createdUserId: admin.id, actor: SYSTEM_ACTOR };
      return (await this.tokens.create(org.id, created, tx)).id;
    };
    return {
      orgId: org.id,
      orgName: org.name,
      isDemo: demo,
      adminEmail,
      adminPassword,
      isPasswordGenerated: this.config.adminPassword === undefined,
      ingestToken: await token('first ingest token', Permission.Ingest),
      readToken: await token('first read token', Permission.Read),
    };
  }
}
