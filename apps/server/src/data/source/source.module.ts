import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ConfigKindModule } from '../../platform/config-kind/config-kind.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { PointIntakeModule } from '../ingest/point-intake.module.js';
import { GraphiteDriverService } from './graphite/graphite-driver.service.js';
import { InfluxqlDriverService } from './influxql/influxql-driver.service.js';
import { PromqlDriverService } from './promql/promql-driver.service.js';
import { SourceActsService } from './source-acts.service.js';
import { SourceAddressesService } from './source-addresses.service.js';
import { SourceClaimsRepository } from './source-claims.repository.js';
import { SourceConfigKindService } from './source-config-kind.service.js';
import { SourceDriversService } from './source-drivers.service.js';
import { SourceIntakeService } from './source-intake.service.js';
import { SourceReaderService } from './source-reader.service.js';
import { SourceSecretsService } from './source-secrets.service.js';
import { SourceTelemetryService } from './source-telemetry.service.js';
import { SourceTestService } from './source-test.service.js';
import { SourceWriteBackEntity } from './source-write-back.entity.js';
import { SourceWriterService } from './source-writer.service.js';
import { SourceController } from './source.controller.js';
import { SourceEntity } from './source.entity.js';
import { SourceRepository } from './source.repository.js';
import { SourceService } from './source.service.js';
import { SqlDriverService } from './sql/sql-driver.service.js';

/**
 * Fetches metrics from other systems: settings of sources, fetching (role `ingest`), and the client that writes results
 * back.
 */
@Module({
  imports: [
    AuditModule,
    ConfigKindModule,
    EventModule,
    OrgModule,
    OutgoingModule,
    PointIntakeModule,
    TypeOrmModule.forFeature([SourceEntity, SourceWriteBackEntity]),
  ],
  controllers: [SourceController],
  providers: [
    GraphiteDriverService,
    InfluxqlDriverService,
    PromqlDriverService,
    SourceActsService,
    SourceAddressesService,
    SourceClaimsRepository,
    SourceConfigKindService,
    SourceDriversService,
    SourceIntakeService,
    SourceReaderService,
    SourceRepository,
    SourceSecretsService,
    SourceService,
    SourceTelemetryService,
    SourceTestService,
    SourceWriterService,
    SqlDriverService,
  ],
  exports: [SourceActsService, SourceDriversService, SourceTelemetryService, SourceWriterService],
})
export class SourceModule {}
