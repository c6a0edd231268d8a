import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { isEmail } from 'class-validator';
import { Permission } from '#libs/contracts';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { changesBetween, SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { ConfigError } from '../../common/config/load-config.js';
import { type SettingProblem } from '../../common/config/setting.decorator.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { OrgService } from '../org/org.service.js';
import { TokenService } from '../token/token.service.js';
import { PasswordService } from '../user/password.service.js';
import { UserService } from '../user/user.service.js';
import { FirstOrganisation } from '../org/first-organisation.service.js';
import { SetupConfig } from './setup.config.js';
import { type FirstStart } from './setup.types.js';

const ORG_NAME = 'My organisation';
const DEMO_ORG_NAME = 'Demo shop';

/** Without letters and digits that are mistaken for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const PASSWORD_GROUPS = 5;
const GROUP_LENGTH = 4;

/** Makes an empty database usable: one organisation, its administrator, and tokens to begin with. */
@Injectable()
export class FirstStartService {
  constructor(
    private readonly firstOrganisation: FirstOrganisation,
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly tokens: TokenService,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly config: SetupConfig,
  ) {}

  /**
   * Answers what was made, null when there is an organisation already. Of several processes that start at once, one
   * makes it.
   * @throws ConfigError when the settings name no proper administrator
   */
  async run(): Promise<FirstStart | null> {
    const madeUpPassword = makeUpPassword();
    return this.transactions.run(async (tx) => {
      if (!(await this.firstOrganisation.isMissing(tx))) return null;
      this.checkSettings();
      return this.fill(this.config.adminPassword ?? madeUpPassword, tx);
    });
  }

  private async fill(adminPassword: string, tx: Tx): Promise<FirstStart> {
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
      const made = { name, permissions, validUntil: null, createdUserId: admin.id, actor: SYSTEM_ACTOR };
      return (await this.tokens.create(org.id, made, tx)).id;
    };
    return {
      orgId: org.id,
      orgName: org.name,
      isDemo: demo,
      adminEmail,
      adminPassword,
      isPasswordMadeUp: this.config.adminPassword === undefined,
      ingestToken: await token('first ingest token', Permission.Ingest),
      readToken: await token('first read token', Permission.Read),
    };
  }

  private checkSettings(): void {
    const { adminEmail, adminPassword } = this.config;
    const problems: SettingProblem[] = [];
    if (!isEmail(adminEmail)) {
      problems.push({ env: 'PLUMBLINE_ADMIN_EMAIL', message: `"${adminEmail}" is not an e-mail address` });
    }
    const weakness = adminPassword === undefined ? undefined : this.passwords.problem(adminPassword, adminEmail);
    if (weakness !== undefined) {
      problems.push({ env: 'PLUMBLINE_ADMIN_PASSWORD', message: `the password ${weakness}` });
    }
    if (problems.length > 0) throw new ConfigError(problems);
  }
}

/** Easy to read aloud and to type; 20 of 31 characters are 99 bits. */
function makeUpPassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: PASSWORD_GROUPS }, group).join('-');
}
