import { type INestApplication, type Type } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { type Permission } from '#libs/contracts';
import { Clock } from '../../apps/server/src/common/clock.js';
import { CONFIG_ENVIRONMENT, ConfigModule } from '../../apps/server/src/common/config/config.module.js';
import { type Environment } from '../../apps/server/src/common/config/environment.config.js';
import { ServerConfig } from '../../apps/server/src/common/config/server.config.js';
import { type ConfigClass } from '../../apps/server/src/common/config/setting.decorator.js';
import { DatabaseConfig } from '../../apps/server/src/common/database/database.config.js';
import { DatabaseConnectionModule } from '../../apps/server/src/common/database/database.module.js';
import { EdgeModule } from '../../apps/server/src/common/http/edge.module.js';
import { configureHttp, createHttpAdapter, HTTP_OPTIONS } from '../../apps/server/src/common/http/http-application.js';
import { HttpModule } from '../../apps/server/src/common/http/http.module.js';
import { RateLimitConfig } from '../../apps/server/src/common/http/rate-limit.config.js';
import { SecretsModule } from '../../apps/server/src/common/secrets/secrets.module.js';
import { TelemetryModule } from '../../apps/server/src/common/telemetry/telemetry.module.js';
import { OrgApiModule } from '../../apps/server/src/org/org-api.module.js';
import { OrgService } from '../../apps/server/src/org/org.service.js';
import { type NewOrg, type Org } from '../../apps/server/src/org/org.types.js';
import { CredentialsModule } from '../../apps/server/src/session/credentials.module.js';
import { SessionConfig } from '../../apps/server/src/session/session.config.js';
import { SessionModule } from '../../apps/server/src/session/session.module.js';
import { SessionService } from '../../apps/server/src/session/session.service.js';
import { SetupConfig } from '../../apps/server/src/setup/setup.config.js';
import { SetupModule } from '../../apps/server/src/setup/setup.module.js';
import { TokenModule } from '../../apps/server/src/token/token.module.js';
import { TokenService } from '../../apps/server/src/token/token.service.js';
import { UserModule } from '../../apps/server/src/user/user.module.js';
import { UserService } from '../../apps/server/src/user/user.service.js';
import { type NewUser, type User } from '../../apps/server/src/user/user.types.js';

export const PASSWORD = 'correct horse battery';

/** Thu 9 Oct 2025 08:53:20 UTC */
export const START = 1_760_000_000;

/** A clock that is moved by hand. Like real ones it never shows a whole second. */
export class HandClock extends Clock {
  constructor(public seconds = START) {
    super();
  }

  now(): number {
    return this.seconds + 0.25;
  }
}

const ENVIRONMENT: Environment = {
  PUBLIC_URL: 'https://plumbline.example.org',
  PLUMBLINE_INGEST_URL: 'https://ingest.example.org',
  PLUMBLINE_SECRET_KEY: '0'.repeat(64),
  PLUMBLINE_LOG_LEVEL: 'silent',
  PLUMBLINE_LIMIT_ANONYMOUS: '100000',
  PLUMBLINE_LIMIT_API: '100000',
};

/** The areas of organisations and people behind the real edge, on a migrated database. */
export class IdentityApp {
  private addresses = 0;

  private constructor(
    readonly app: INestApplication,
    readonly clock: HandClock,
  ) {}

  static async create(
    databaseUrl: string,
    { env = {}, imports = [] }: { env?: Environment; imports?: Type[] } = {},
  ): Promise<IdentityApp> {
    const clock = new HandClock();
    const configs: ConfigClass[] = [ServerConfig, RateLimitConfig, DatabaseConfig, SessionConfig, SetupConfig];
    const module = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoot(configs),
        SecretsModule,
        TelemetryModule,
        HttpModule,
        DatabaseConnectionModule.forRoot(databaseUrl),
        EdgeModule.forRoot({ imports: [CredentialsModule] }),
        SessionModule,
        TokenModule,
        UserModule,
        OrgApiModule,
        SetupModule,
        ...imports,
      ],
    })
      .overrideProvider(CONFIG_ENVIRONMENT)
      .useValue({ ...ENVIRONMENT, ...env })
      .overrideProvider(Clock)
      .useValue(clock)
      .compile();
    const app = module.createNestApplication<NestExpressApplication>(createHttpAdapter(), {
      ...HTTP_OPTIONS,
      logger: false,
    });
    configureHttp(app);
    await app.init();
    return new IdentityApp(app, clock);
  }

  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.app.get<T>(type);
  }

  http(): ReturnType<typeof request> {
    return request(this.app.getHttpServer() as Parameters<typeof request>[0]);
  }

  close(): Promise<void> {
    return this.app.close();
  }

  anOrg(overrides: Partial<NewOrg> = {}): Promise<Org> {
    return this.get(OrgService).create({ name: 'Example Ltd', ...overrides });
  }

  /** A user with PASSWORD and an address of its own. */
  aUser(orgId: number, overrides: Partial<NewUser> = {}): Promise<User> {
    const email = `user${String(++this.addresses)}@example.org`;
    return this.get(UserService).create({ orgId, email, password: PASSWORD, ...overrides });
  }

  /** The id of a new session. */
  async aSession(userId: number): Promise<string> {
    return (await this.get(SessionService).begin(userId)).id;
  }

  /** A whole token. */
  async aToken(orgId: number, ...permissions: Permission[]): Promise<string> {
    const bits = permissions.reduce((sum, bit) => sum | bit, 0);
    const made = { name: 'a token', permissions: bits, validUntil: null, createdUserId: null };
    return (await this.get(TokenService).create(orgId, made)).id;
  }
}
