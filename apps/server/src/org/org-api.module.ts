import { Module } from '@nestjs/common';
import { AnomalyModule } from '../anomaly/anomaly.module.js';
import { EventModule } from '../event/event.module.js';
import { ProgressTrackingModule } from '../progress/progress-tracking.module.js';
import { OrgOverviewService } from './org-overview.service.js';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { PlanDirectoryModule } from '../billing/plan-directory.module.js';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { UserModule } from '../user/user.module.js';
import { ChatChannels } from './chat-channels.service.js';
import { OrgInfoService } from './org-info.service.js';
import { OrgSummaryRepository } from './org-summary.repository.js';
import { OrgSummaryService } from './org-summary.service.js';
import { OrgUpdateGuard } from './org-update.guard.js';
import { OrgUpdateService } from './org-update.service.js';
import { OrgController } from './org.controller.js';
import { OrgModule } from './org.module.js';
import { OrganisationBlockModule } from './organisation-block.module.js';

/** The calls about the organisation. */
@Module({
  imports: [
    AnomalyModule,
    EventModule,
    ProgressTrackingModule,
    AuditTrailModule,
    EventRecordingModule,
    OrgModule,
    OrganisationBlockModule,
    PlanDirectoryModule,
    UserModule,
  ],
  controllers: [OrgController],
  providers: [
    OrgOverviewService,
    OrgInfoService,
    OrgSummaryService,
    OrgSummaryRepository,
    OrgUpdateGuard,
    OrgUpdateService,
    ChatChannels,
  ],
})
export class OrgApiModule {}
