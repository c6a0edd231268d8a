import request from 'supertest';
import { ALL_PERMISSIONS } from '#libs/contracts';
import { AppModule } from '../../apps/server/src/app.module.js';
import { ROLES } from '../../apps/server/src/common/config/server.config.js';
import { OrgService } from '../../apps/server/src/people/org/org.service.js';
import { type Org } from '../../apps/server/src/people/org/org.types.js';
import { SessionService } from '../../apps/server/src/people/session/session.service.js';
import { TokenService } from '../../apps/server/src/people/token/token.service.js';
import { UserService } from '../../apps/server/src/people/user/user.service.js';
import { type User } from '../../apps/server/src/people/user/user.types.js';
import { createDatabaseApp, type DatabaseApp, type DatabaseAppOptions } from './database-app.js';

export const PASSWORD = 'correct horse battery';

/** Raises limits that a walk over all routes would reach. */
const NO_LIMITS = Object.fromEntries(
  [
    'HEAVY',
    'EVENT_SENDER',
    'LOGIN_ACCOUNT',
    'LOGIN_ADDRESS',
    'FORGOT_ACCOUNT',
    'FORGOT_ADDRESS',
    'RESET_ADDRESS',
    'SIGNUP_ADDRESS',
  ].map((name) => [`PLUMBLINE_LIMIT_${name}`, '10000']),
);

export type Headers = Readonly<Record<string, string>>;

/** The whole server with all roles on its own database; creates people and credentials on demand. */
export class WholeApp {
  private addresses = 0;

  private constructor(readonly server: DatabaseApp) {}

  static async create({ env, ...options }: DatabaseAppOptions = {}): Promise<WholeApp> {
    const importsFor = (databaseUrl: string) => [AppModule.forRoot(databaseUrl, ROLES)];
    return new WholeApp(await createDatabaseApp(importsFor, { ...options, env: { ...NO_LIMITS, ...env } }));
  }

  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.server.app.get<T>(type, { strict: false });
  }

  http(): ReturnType<typeof request> {
    return request(this.server.app.getHttpServer());
  }

  query<T = unknown>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return this.server.database.dataSource.query<T[]>(sql, [...parameters]);
  }

  anOrg(name: string): Promise<Org> {
    return this.get(OrgService).create({ name });
  }

  aUser(orgId: number, options: { admin?: boolean; password?: string } = {}): Promise<User> {
    const email = `person${String(++this.addresses)}@example.org`;
    return this.get(UserService).create({ orgId, email, name: 'Ann', password: PASSWORD, ...options });
  }

  /** A demo user, who may only read. */
  async aDemoUser(orgId: number): Promise<User> {
    const user = await this.aUser(orgId);
    await this.query('UPDATE user_account SET demo = true WHERE id = $1', [user.id]);
    return { ...user, demo: true };
  }

  async sessionOf(userId: number): Promise<Headers> {
    return { 'X-Session-Id': (await this.get(SessionService).begin(userId)).id };
  }

  async tokenOf(
    orgId: number,
    permissions: number = ALL_PERMISSIONS,
    validUntil: Date | null = null,
  ): Promise<Headers> {
    const created = { name: 'a token', permissions, validUntil, createdUserId: null };
    return { 'X-Auth-Token': (await this.get(TokenService).create(orgId, created)).id };
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
