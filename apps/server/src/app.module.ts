import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ConfigModule } from './common/config/config.module.js';
import { type Role } from './common/config/server.config.js';
import { DatabaseConnectionModule } from './common/database/database.module.js';
import { EdgeModule } from './common/http/edge.module.js';
import { HttpModule } from './common/http/http.module.js';
import { NotImplementedModule } from './common/http/not-implemented.module.js';
import { SharedRateLimitsModule } from './common/http/shared-rate-limits.module.js';
import { SecretsModule } from './common/secrets/secrets.module.js';
import { TelemetryModule } from './common/telemetry/telemetry.module.js';
import { CONFIG_CLASSES } from './config.registry.js';
import { AnomalyHousekeepingModule } from './anomaly/anomaly-housekeeping.module.js';
import { AnomalyModule } from './anomaly/anomaly.module.js';
import { AuditHousekeepingModule } from './audit/audit-housekeeping.module.js';
import { AuditModule } from './audit/audit.module.js';
import { BillingModule } from './billing/billing.module.js';
import { DemoVisitsModule } from './demo/demo-visits.module.js';
import { DemoModule } from './demo/demo.module.js';
import { DetectionModule } from './detection/detection.module.js';
import { DocModule } from './doc/doc.module.js';
import { ErasureRecordsModule } from './erasure/erasure-records.module.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { EventHousekeepingModule } from './event/event-housekeeping.module.js';
import { EventModule } from './event/event.module.js';
import { ExclusionUpkeepModule } from './exclusion/exclusion-upkeep.module.js';
import { ExclusionModule } from './exclusion/exclusion.module.js';
import { ExpectationModule } from './expectation/expectation.module.js';
import { ImageModule } from './image/image.module.js';
import { IngestModule } from './ingest/ingest.module.js';
import { TestMetricsModule } from './ingest/test-metrics.module.js';
import { IssueReportModule } from './issue-report/issue-report.module.js';
import { MailDeliveryModule } from './mail/mail-delivery.module.js';
import { KeysModule } from './keys/keys.module.js';
import { MetricStatesModule } from './metric/metric-states.module.js';
import { MetricModule } from './metric/metric.module.js';
import { MiscModule } from './misc/misc.module.js';
import { OrgApiModule } from './org/org-api.module.js';
import { ProgressModule } from './progress/progress.module.js';
import { OrgUpkeepModule } from './org/org-upkeep.module.js';
import { CredentialsModule } from './session/credentials.module.js';
import { SessionModule } from './session/session.module.js';
import { SetupModule } from './setup/setup.module.js';
import { SsoModule } from './sso/sso.module.js';
import { TokenModule } from './token/token.module.js';
import { SignupModule } from './signup/signup.module.js';
import { UserApiModule } from './user/user-api.module.js';
import { UserOperationsModule } from './user/user-operations.module.js';

/** Areas that answer the HTTP API. */
const API_AREAS: readonly Type[] = [
  AnomalyModule,
  AuditModule,
  BillingModule,
  DemoVisitsModule,
  DocModule,
  EventModule,
  ExclusionModule,
  ExpectationModule,
  ImageModule,
  IssueReportModule,
  MailDeliveryModule,
  MetricModule,
  MiscModule,
  OrgApiModule,
  ProgressModule,
  SessionModule,
  SsoModule,
  SignupModule,
  TestMetricsModule,
  TokenModule,
  UserApiModule,
  NotImplementedModule,
];

/** What each role adds to a process. */
const AREAS_OF_ROLE: Readonly<Record<Role, readonly Type[]>> = {
  api: API_AREAS,
  ingest: [IngestModule, DemoModule],
  detect: [
    AnomalyHousekeepingModule,
    AuditHousekeepingModule,
    DetectionModule,
    ErasureModule,
    EventHousekeepingModule,
    ExclusionUpkeepModule,
    MetricStatesModule,
    OrgUpkeepModule,
  ],
  notify: [MailDeliveryModule],
};

@Module({})
export class AppModule {
  /** The server with the areas of its roles, on a database that is open and migrated. */
  static forRoot(databaseUrl: string, roles: readonly Role[]): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ...foundation(databaseUrl),
        EdgeModule.forRoot({ imports: [CredentialsModule] }),
        KeysModule,
        SetupModule,
        ...new Set(roles.flatMap((role) => AREAS_OF_ROLE[role])),
      ],
    };
  }

  /** The services that commands use: no HTTP, no consumer. */
  static forCommandLine(databaseUrl: string): DynamicModule {
    const areas = [ErasureRecordsModule, KeysModule, SetupModule, UserOperationsModule];
    return { module: AppModule, imports: [...foundation(databaseUrl), ...areas] };
  }
}

function foundation(databaseUrl: string): (DynamicModule | Type)[] {
  return [
    ConfigModule.forRoot(CONFIG_CLASSES),
    SecretsModule,
    TelemetryModule,
    HttpModule,
    SharedRateLimitsModule,
    DatabaseConnectionModule.forRoot(databaseUrl),
  ];
}
