import { OrganisationModule } from '../../apps/server/src/views/organisation/organisation.module.js';
import { ProgressModule } from '../../apps/server/src/people/progress/progress.module.js';
import { SessionModule } from '../../apps/server/src/people/session/session.module.js';
import { SessionService } from '../../apps/server/src/people/session/session.service.js';
import { TokenModule } from '../../apps/server/src/people/token/token.module.js';
import { UserModule } from '../../apps/server/src/people/user/user.module.js';
import { UserService } from '../../apps/server/src/people/user/user.service.js';
import { type User } from '../../apps/server/src/people/user/user.types.js';
import { AreaApp, type AreaAppOptions } from './area-app.js';
import { HandClock } from './hand-clock.js';

/** The progress area, with the areas of the users who see it. */
export class ProgressApp extends AreaApp {
  private addresses = 0;

  static async create({ clock = new HandClock(), ...options }: AreaAppOptions = {}): Promise<ProgressApp> {
    const areas = [ProgressModule, SessionModule, TokenModule, UserModule, OrganisationModule];
    return new ProgressApp(await this.start(areas, { ...options, clock }), clock);
  }

  aUser(orgId: number): Promise<User> {
    const email = `user${String(++this.addresses)}@example.org`;
    return this.get(UserService).create({ orgId, email, password: 'correct horse battery' });
  }

  /** Begins a session; returns its id. */
  async aSession(userId: number): Promise<string> {
    return (await this.get(SessionService).begin(userId)).id;
  }
}
