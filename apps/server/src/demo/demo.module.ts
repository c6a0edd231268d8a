import { Module } from '@nestjs/common';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { OrgModule } from '../org/org.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [OrgModule, MetricRegistryModule, StorageModule],
  providers: [DemoService],
  exports: [DemoService],
})
export class DemoModule {}
