import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ConfigKindModule } from '../../platform/config-kind/config-kind.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { PointIntakeModule } from '../ingest/point-intake.module.js';
import { GraphiteDriver } from './graphite/graphite-driver.service.js';
import { InfluxqlDriver } from './influxql/influxql-driver.service.js';
import { PromqlDriver } from './promql/promql-driver.service.js';
import { SourceActs } from './source-acts.service.js';
import { SourceAddresses } from './source-addresses.service.js';
import { SourceClaimsRepository } from './source-claims.repository.js';
import { SourceConfigKind } from './source-config-kind.service.js';
import { SourceDrivers } from './source-drivers.service.js';
import { SourceIntake } from './source-intake.service.js';
import { SourceReader } from './source-reader.service.js';
import { SourceSecretsBox } from './source-secrets.service.js';
import { SourceTelemetry } from './source-telemetry.service.js';
import { SourceTest } from './source-test.service.js';
import { SourceWriteBackEntity } from './source-write-back.entity.js';
import { SourceWriter } from './source-writer.service.js';
import { SourceController } from './source.controller.js';
import { SourceEntity } from './source.entity.js';
import { SourceRepository } from './source.repository.js';
import { SourceService } from './source.service.js';
import { SqlDriver } from './sql/sql-driver.service.js';

/** Metrics that are fetched from other systems: what people set, the reading itself (role `ingest`), and the way to write back. */
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
    GraphiteDriver,
    InfluxqlDriver,
    PromqlDriver,
    SourceActs,
    SourceAddresses,
    SourceClaimsRepository,
    SourceConfigKind,
    SourceDrivers,
    SourceIntake,
    SourceReader,
    SourceRepository,
    SourceSecretsBox,
    SourceService,
    SourceTelemetry,
    SourceTest,
    SourceWriter,
    SqlDriver,
  ],
  exports: [SourceActs, SourceDrivers, SourceTelemetry, SourceWriter],
})
export class SourceModule {}
