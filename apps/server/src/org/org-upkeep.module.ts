import { Module } from '@nestjs/common';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { OrgUpkeep } from './org-upkeep.service.js';
import { OrgModule } from './org.module.js';
import { PointCountsModule } from './point-counts.module.js';

/** What is done for all organisations now and then, for the role `detect`. */
@Module({ imports: [EventRecordingModule, OrgModule, PointCountsModule], providers: [OrgUpkeep], exports: [OrgUpkeep] })
export class OrgUpkeepModule {}
