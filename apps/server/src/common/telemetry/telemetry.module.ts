import { Global, Module } from '@nestjs/common';
import { ServerConfig } from '../config/server.config.js';
import { AccessLog } from './access-log.js';
import { ComponentReports } from './component-reports.js';
import { InstallationReport } from './installation-report.js';
import { createLog, LOG, NestLog } from './log.js';
import { ManagementServer } from './management-server.js';
import { ReadinessRegistry } from './readiness.js';
import { MetricsRegistry } from './metrics.js';
import { RefusalCounts } from './refusal-counts.js';
import { WarmUp } from './warm-up.js';

const SERVICES = [
  NestLog,
  MetricsRegistry,
  AccessLog,
  ReadinessRegistry,
  ComponentReports,
  InstallationReport,
  ManagementServer,
  RefusalCounts,
  WarmUp,
];

/** Logs, measurements and probes; injectable in every area. */
@Global()
@Module({
  providers: [
    { provide: LOG, inject: [ServerConfig], useFactory: (config: ServerConfig) => createLog(config) },
    ...SERVICES,
  ],
  exports: [LOG, ...SERVICES],
})
export class TelemetryModule {}
