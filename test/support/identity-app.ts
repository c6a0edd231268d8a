import { EventListModule } from '../../apps/server/src/views/event-list/event-list.module.js';
import { IssueReportModule } from '../../apps/server/src/views/issue-report/issue-report.module.js';
import { MailDeliveryModule } from '../../apps/server/src/platform/mail/mail-delivery.module.js';
import { OrganisationModule } from '../../apps/server/src/views/organisation/organisation.module.js';
import { LoginMethodsModule } from '../../apps/server/src/people/login-methods/login-methods.module.js';
import { SessionModule } from '../../apps/server/src/people/session/session.module.js';
import { SessionService } from '../../apps/server/src/people/session/session.service.js';
import { SetupModule } from '../../apps/server/src/people/setup/setup.module.js';
import { SsoModule } from '../../apps/server/src/people/sso/sso.module.js';
import { TokenModule } from '../../apps/server/src/people/token/token.module.js';
import { SignupModule } from '../../apps/server/src/people/signup/signup.module.js';
import { AccountModule } from '../../apps/server/src/people/account/account.module.js';
import { UserService } from '../../apps/server/src/people/user/user.service.js';
import { type NewUser, type User } from '../../apps/server/src/people/user/user.types.js';
import { AreaApp, type AreaAppOptions } from './area-app.js';
import { HandClock } from './hand-clock.js';

export const PASSWORD = 'correct horse battery';

/** The areas of organisations and people. */
export class IdentityApp extends AreaApp {
  private addresses = 0;

  static async create({ env, clock = new HandClock(), ...options }: AreaAppOptions = {}): Promise<IdentityApp> {
    const areas = [
      SessionModule,
      TokenModule,
      AccountModule,
      OrganisationModule,
      SetupModule,
      SignupModule,
      EventListModule,
      IssueReportModule,
      MailDeliveryModule,
      SsoModule,
      LoginMethodsModule,
    ];
    const withIngestUrl = { PLUMBLINE_INGEST_URL: 'https://ingest.example.org', ...env };
    return new IdentityApp(await this.start(areas, { ...options, env: withIngestUrl, clock }), clock);
  }

  /** A user with PASSWORD and a unique address. */
  aUser(orgId: number, overrides: Partial<NewUser> = {}): Promise<User> {
    const email = `user${String(++this.addresses)}@example.org`;
    return this.get(UserService).create({ orgId, email, password: PASSWORD, ...overrides });
  }

  /** Begins a session; returns its id. */
  async aSession(userId: number): Promise<string> {
    return (await this.get(SessionService).begin(userId)).id;
  }
}
