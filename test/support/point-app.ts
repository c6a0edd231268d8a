import { type INestApplication } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { type Permission, toFlags } from '#libs/contracts';
import { AnomalyModule } from '../../apps/server/src/anomaly/anomaly.module.js';
import { Clock } from '../../apps/server/src/common/clock.js';
import { CONFIG_ENVIRONMENT, ConfigModule } from '../../apps/server/src/common/config/config.module.js';
import { type Environment } from '../../apps/server/src/common/config/environment.config.js';
import { DatabaseConnectionModule } from '../../apps/server/src/common/database/database.module.js';
import { EdgeModule } from '../../apps/server/src/common/http/edge.module.js';
import { configureHttp, createHttpAdapter, HTTP_OPTIONS } from '../../apps/server/src/common/http/http-application.js';
import { HttpModule } from '../../apps/server/src/common/http/http.module.js';
import { SecretsModule } from '../../apps/server/src/common/secrets/secrets.module.js';
import { TelemetryModule } from '../../apps/server/src/common/telemetry/telemetry.module.js';
import { CONFIG_CLASSES } from '../../apps/server/src/config.registry.js';
import { DetectionModule } from '../../apps/server/src/detection/detection.module.js';
import { IngestModule } from '../../apps/server/src/ingest/ingest.module.js';
import { OrgService } from '../../apps/server/src/org/org.service.js';
import { type NewOrg, type Org } from '../../apps/server/src/org/org.types.js';
import { CredentialsModule } from '../../apps/server/src/session/credentials.module.js';
import { TokenService } from '../../apps/server/src/token/token.service.js';
import {
  POINT_LOG,
  type PointLog,
  SERIES_STORE,
  type SeriesStore,
} from '../../apps/server/src/storage/storage.types.js';
import { HandClock } from './identity-app.js';

const ENVIRONMENT: Environment = {
  PUBLIC_URL: 'https://plumbline.example.org',
  PLUMBLINE_SECRET_KEY: '0'.repeat(64),
  PLUMBLINE_LOG_LEVEL: 'silent',
  PLUMBLINE_LIMIT_API: '100000',
  PLUMBLINE_LIMIT_ANONYMOUS: '100000',
  PLUMBLINE_DETECTION_GATHER_MS: '0',
};

/** The whole way of a point (ingest, log, detection, store, anomalies and their API) on a migrated database. */
export class PointApp {
  private constructor(
    readonly app: INestApplication,
    readonly clock: HandClock,
  ) {}

  static async create(
    databaseUrl: string,
    { env = {}, clock = new HandClock() }: { env?: Environment; clock?: HandClock } = {},
  ): Promise<PointApp> {
    const module = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoot(CONFIG_CLASSES),
        SecretsModule,
        TelemetryModule,
        HttpModule,
        DatabaseConnectionModule.forRoot(databaseUrl),
        EdgeModule.forRoot({ imports: [CredentialsModule] }),
        IngestModule,
        DetectionModule,
        AnomalyModule,
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
    return new PointApp(app, clock);
  }

  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.app.get<T>(type, { strict: false });
  }

  get log(): PointLog {
    return this.app.get<PointLog>(POINT_LOG, { strict: false });
  }

  get series(): SeriesStore {
    return this.app.get<SeriesStore>(SERIES_STORE, { strict: false });
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

  async aToken(orgId: number, ...permissions: Permission[]): Promise<string> {
    const bits = permissions.reduce((sum, bit) => sum | bit, 0);
    const made = { name: Object.keys(toFlags(bits)).join(), permissions: bits, validUntil: null, createdUserId: null };
    return (await this.get(TokenService).create(orgId, made)).id;
  }
}
