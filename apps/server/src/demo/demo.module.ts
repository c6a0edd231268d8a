import { Module } from '@nestjs/common';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { OrgModule } from '../org/org.module.js';
import { PointCountsModule } from '../org/point-counts.module.js';
import { ProgressTrackingModule } from '../progress/progress-tracking.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { DemoOrgsModule } from './demo-orgs.module.js';
import { DemoReset } from './demo-reset.service.js';
import { DemoService } from './demo.service.js';

/** Fills demo organisations and puts them back every night. The way in for visitors is DemoVisitsModule. */
@Module({
  imports: [
    AuditTrailModule,
    DemoOrgsModule,
    EventRecordingModule,
    MetricRegistryModule,
    OrgModule,
    PointCountsModule,
    ProgressTrackingModule,
    StorageModule,
  ],
  providers: [DemoReset, DemoService],
  exports: [DemoReset, DemoService],
})
export class DemoModule {}
