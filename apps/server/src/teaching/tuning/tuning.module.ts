import { Module } from '@nestjs/common';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { ConfigKindModule } from '../../platform/config-kind/config-kind.module.js';
import { ExpectationModule } from '../../analysis/expectation/expectation.module.js';
import { TuningActsService } from './tuning-acts.service.js';
import { TuningApplicationModule } from './tuning-application.module.js';
import { TuningConfigKindService } from './tuning-config-kind.service.js';
import { TuningPreviewService } from './tuning-preview.service.js';
import { TuningController } from './tuning.controller.js';
import { TuningService } from './tuning.service.js';

/** Settings of detection for the metrics that chips select, and the preview of their effect. */
@Module({
  imports: [
    AuditModule,
    ConfigKindModule,
    EventModule,
    ExpectationModule,
    MetricModule,
    OrgModule,
    TuningApplicationModule,
    UserModule,
  ],
  controllers: [TuningController],
  providers: [TuningActsService, TuningConfigKindService, TuningPreviewService, TuningService],
  exports: [TuningService],
})
export class TuningModule {}
