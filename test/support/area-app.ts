import { type INestApplication, type Type } from '@nestjs/common';
import request from 'supertest';
import { type Permission } from '#libs/contracts';
import { ConfigModule } from '../../apps/server/src/common/config/config.module.js';
import { DatabaseConnectionModule } from '../../apps/server/src/common/database/database.module.js';
import { EdgeModule } from '../../apps/server/src/common/http/edge.module.js';
import { HttpModule } from '../../apps/server/src/common/http/http.module.js';
import { SharedRateLimitsModule } from '../../apps/server/src/common/http/shared-rate-limits.module.js';
import { type RecurringWork } from '../../apps/server/src/common/recurring-work.js';
import { SecretsModule } from '../../apps/server/src/common/secrets/secrets.module.js';
import { TelemetryModule } from '../../apps/server/src/common/telemetry/telemetry.module.js';
import { CONFIG_CLASSES } from '../../apps/server/src/config.registry.js';
import { EventRecorderService } from '../../apps/server/src/platform/event/event-recorder.service.js';
import { OrgService } from '../../apps/server/src/people/org/org.service.js';
import { type NewOrg, type Org } from '../../apps/server/src/people/org/org.types.js';
import { CredentialsModule } from '../../apps/server/src/people/credentials/credentials.module.js';
import { TokenService } from '../../apps/server/src/people/token/token.service.js';
import { byHand } from './by-hand.js';
import { type TestDatabase } from './database.js';
import { createDatabaseApp, type DatabaseApp, type DatabaseAppOptions } from './database-app.js';
import { type HandClock } from './hand-clock.js';

export interface AreaAppOptions extends DatabaseAppOptions {
  clock?: HandClock;
}

/** Some areas of the server behind the real edge, on a migrated database. */
export abstract class AreaApp {
  readonly app: INestApplication;
  readonly database: TestDatabase;
  /** Stops the application, and drops its database if it created one. */
  readonly close: () => Promise<void>;

  protected constructor(
    { app, database, close }: DatabaseApp,
    readonly clock: HandClock,
  ) {
    this.app = app;
    this.database = database;
    this.close = close;
  }

  protected static start(areas: readonly Type[], options: AreaAppOptions): Promise<DatabaseApp> {
    const importsFor = (databaseUrl: string) => [
      ConfigModule.forRoot(CONFIG_CLASSES),
      SecretsModule,
      TelemetryModule,
      HttpModule,
      SharedRateLimitsModule,
      DatabaseConnectionModule.forRoot(databaseUrl),
      EdgeModule.forRoot({ imports: [CredentialsModule] }),
      ...areas,
    ];
    return createDatabaseApp(importsFor, options);
  }

  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.app.get<T>(type, { strict: false });
  }

  /** Stops the timer of recurring work, so that only the test runs it. */
  byHand<Work extends RecurringWork>(type: abstract new (...args: never[]) => Work): Promise<Work> {
    return byHand(this.get(type));
  }

  http(): ReturnType<typeof request> {
    return request(this.app.getHttpServer() as Parameters<typeof request>[0]);
  }

  anOrg(overrides: Partial<NewOrg> = {}): Promise<Org> {
    return this.get(OrgService).create({ name: 'Example Ltd', ...overrides });
  }

  /** A whole token. */
  async aToken(orgId: number, ...permissions: Permission[]): Promise<string> {
    const bits = permissions.reduce((sum, bit) => sum | bit, 0);
    const created = { name: 'a token', permissions: bits, validUntil: null, createdUserId: null };
    return (await this.get(TokenService).create(orgId, created)).id;
  }

  /** Events of an organisation as [type, text], oldest first. */
  async eventTexts(orgId: number): Promise<[type: string, text: string][]> {
    await this.get(EventRecorderService).flush();
    const rows = await this.database.dataSource.query<{ type: string; text: string }[]>(
      'SELECT type, text FROM org_event WHERE org_id = $1 ORDER BY id',
      [orgId],
    );
    return rows.map(({ type, text }) => [type, text]);
  }
}
