import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AdminAlertModule } from './alerting/admin-alert/admin-alert.module.js';
import { AlertPlanModule } from './alerting/alert-plan/alert-plan.module.js';
import { WatcherPreviewModule } from './alerting/alert-plan/watcher-preview.module.js';
import { AlertDeliveryModule } from './alerting/alert/alert-delivery.module.js';
import { IngestSettingsModule } from './alerting/integration/ingest-settings.module.js';
import { IntegrationModule } from './alerting/integration/integration.module.js';
import { ThresholdEvaluationModule } from './alerting/threshold/threshold-evaluation.module.js';
import { WatcherModule } from './alerting/watcher/watcher.module.js';
import { AnomalyRecordingModule } from './analysis/anomaly/anomaly-recording.module.js';
import { AnomalyModule } from './analysis/anomaly/anomaly.module.js';
import { BenchmarkModule } from './analysis/benchmark/benchmark.module.js';
import { DetectionModule } from './analysis/detection/detection.module.js';
import { ExpectationModule } from './analysis/expectation/expectation.module.js';
import { IncidentListModule } from './analysis/incident-list/incident-list.module.js';
import { IncidentGroupingModule } from './analysis/incident/incident-grouping.module.js';
import { MetricRemovalModule } from './analysis/metric-removal/metric-removal.module.js';
import { PatternModule } from './analysis/pattern/pattern.module.js';
import { RelatedModule } from './analysis/related/related.module.js';
import { SparklineModule } from './analysis/sparkline/sparkline.module.js';
import { WriteBackModule } from './analysis/write-back/write-back.module.js';
import { ConfigModule } from './common/config/config.module.js';
import { type Role } from './common/config/server.config.js';
import { DatabaseConnectionModule } from './common/database/database.module.js';
import { HousekeepingModule } from './common/housekeeping/housekeeping.module.js';
import { EdgeModule } from './common/http/edge.module.js';
import { HttpModule } from './common/http/http.module.js';
import { SharedRateLimitsModule } from './common/http/shared-rate-limits.module.js';
import { SecretsModule } from './common/secrets/secrets.module.js';
import { TelemetryModule } from './common/telemetry/telemetry.module.js';
import { CONFIG_CLASSES } from './config.registry.js';
import { EventSenderModule } from './data/event-sender/event-sender.module.js';
import { IngestModule } from './data/ingest/ingest.module.js';
import { TestMetricsModule } from './data/ingest/test-metrics.module.js';
import { MetricRegistryModule } from './data/metric/metric-registry.module.js';
import { MetricModule } from './data/metric/metric.module.js';
import { PointCountModule } from './data/point-count/point-count.module.js';
import { SourceModule } from './data/source/source.module.js';
import { AccountModule } from './people/account/account.module.js';
import { BillingModule } from './people/billing/billing.module.js';
import { CredentialsModule } from './people/credentials/credentials.module.js';
import { ErasureModule } from './people/erasure/erasure.module.js';
import { LoginMethodsModule } from './people/login-methods/login-methods.module.js';
import { OrgModule } from './people/org/org.module.js';
import { ProgressModule } from './people/progress/progress.module.js';
import { SessionModule } from './people/session/session.module.js';
import { SetupModule } from './people/setup/setup.module.js';
import { SignupModule } from './people/signup/signup.module.js';
import { SsoModule } from './people/sso/sso.module.js';
import { TokenModule } from './people/token/token.module.js';
import { AuditModule } from './platform/audit/audit.module.js';
import { EventModule } from './platform/event/event.module.js';
import { KeysModule } from './platform/keys/keys.module.js';
import { MailDeliveryModule } from './platform/mail/mail-delivery.module.js';
import { StreamLogModule } from './platform/stream-log/stream-log.module.js';
import { ExclusionManagementModule } from './teaching/exclusion-management/exclusion-management.module.js';
import { MatchModule } from './teaching/match/match.module.js';
import { NoisyMetricsModule } from './teaching/noisy-metrics/noisy-metrics.module.js';
import { PatternBuildingModule } from './teaching/training/pattern-building.module.js';
import { TrainingModule } from './teaching/training/training.module.js';
import { TuningApplicationModule } from './teaching/tuning/tuning-application.module.js';
import { TuningModule } from './teaching/tuning/tuning.module.js';
import { AuditListModule } from './views/audit-list/audit-list.module.js';
import { ConfigDocumentModule } from './views/config-document/config-document.module.js';
import { DashboardModule } from './views/dashboard/dashboard.module.js';
import { DeliveryListModule } from './views/delivery-list/delivery-list.module.js';
import { DemoVisitsModule } from './views/demo/demo-visits.module.js';
import { DemoModule } from './views/demo/demo.module.js';
import { DetectApiModule } from './views/detect-api/detect-api.module.js';
import { DocModule } from './views/doc/doc.module.js';
import { EventListModule } from './views/event-list/event-list.module.js';
import { ImageModule } from './views/image/image.module.js';
import { IssueReportModule } from './views/issue-report/issue-report.module.js';
import { McpModule } from './views/mcp/mcp.module.js';
import { MetricBundleModule } from './views/metric-bundle/metric-bundle.module.js';
import { InstallationSummaryModule } from './views/misc/installation-summary.module.js';
import { MiscModule } from './views/misc/misc.module.js';
import { OrganisationModule } from './views/organisation/organisation.module.js';
import { PageModule } from './views/page/page.module.js';
import { PrometheusApiModule } from './views/prometheus-api/prometheus-api.module.js';
import { StreamModule } from './views/stream/stream.module.js';

/** Areas that serve the HTTP API. */
const API_AREAS: readonly Type[] = [
  AccountModule,
  AdminAlertModule,
  AlertDeliveryModule,
  AnomalyModule,
  AuditListModule,
  BenchmarkModule,
  BillingModule,
  ConfigDocumentModule,
  DashboardModule,
  DeliveryListModule,
  DemoVisitsModule,
  DetectApiModule,
  DocModule,
  EventListModule,
  EventSenderModule,
  ExclusionManagementModule,
  ExpectationModule,
  ImageModule,
  IncidentListModule,
  IntegrationModule,
  IssueReportModule,
  LoginMethodsModule,
  MailDeliveryModule,
  MatchModule,
  McpModule,
  MetricBundleModule,
  MetricModule,
  MetricRemovalModule,
  MiscModule,
  NoisyMetricsModule,
  OrganisationModule,
  PageModule,
  PatternModule,
  ProgressModule,
  PrometheusApiModule,
  RelatedModule,
  SessionModule,
  SignupModule,
  SourceModule,
  SparklineModule,
  SsoModule,
  StreamModule,
  TestMetricsModule,
  TokenModule,
  TrainingModule,
  TuningModule,
  WatcherPreviewModule,
  WatcherModule,
  WriteBackModule,
];

/** The areas that each role adds to a process. */
const AREAS_OF_ROLE: Readonly<Record<Role, readonly Type[]>> = {
  api: API_AREAS,
  // AdminAlertModule records organisations whose requests are refused; TuningApplicationModule applies tunings to new
  // metrics.
  ingest: [AdminAlertModule, IngestModule, IngestSettingsModule, DemoModule, SourceModule, TuningApplicationModule],
  detect: [
    AlertPlanModule,
    AnomalyRecordingModule,
    AuditModule,
    DetectionModule,
    ErasureModule,
    EventModule,
    ExclusionManagementModule,
    MatchModule,
    IncidentGroupingModule,
    MetricRegistryModule,
    OrgModule,
    PatternBuildingModule,
    PointCountModule,
    StreamLogModule,
    ThresholdEvaluationModule,
    TuningApplicationModule,
    WatcherModule,
  ],
  // WatcherModule has the addresses of Teams channels that watchers use, ImageModule draws the pictures of messages.
  notify: [AdminAlertModule, AlertDeliveryModule, ImageModule, IntegrationModule, MailDeliveryModule, WatcherModule],
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
        HousekeepingModule,
        InstallationSummaryModule,
        KeysModule,
        SetupModule,
        ...new Set(roles.flatMap((role) => AREAS_OF_ROLE[role])),
      ],
    };
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
