import { Module } from '@nestjs/common';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { OrgModule } from '../org/org.module.js';
import { ProgressTrackingModule } from '../progress/progress-tracking.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [OrgModule, MetricRegistryModule, ProgressTrackingModule, StorageModule],
  providers: [DemoService],
  exports: [DemoService],
})
export class DemoModule {}
