import { Module } from '@nestjs/common';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { OrgModule } from '../org/org.module.js';
import { ExclusionEffectsModule } from './exclusion-effects.module.js';
import { ExclusionRecordsModule } from './exclusion-records.module.js';
import { ExclusionController } from './exclusion.controller.js';
import { ExclusionService } from './exclusion.service.js';

@Module({
  imports: [AuditTrailModule, EventRecordingModule, ExclusionEffectsModule, ExclusionRecordsModule, OrgModule],
  controllers: [ExclusionController],
  providers: [ExclusionService],
})
export class ExclusionModule {}
