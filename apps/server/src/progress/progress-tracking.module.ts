import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { OrgModule } from '../org/org.module.js';
import { Onboarding } from './onboarding.service.js';
import { ProgressEntity } from './progress.entity.js';
import { ProgressRepository } from './progress.repository.js';
import { Progress } from './progress.service.js';

/** The writing side, for every area that does work which takes its time; the API is ProgressModule. */
@Module({
  imports: [TypeOrmModule.forFeature([ProgressEntity]), EventRecordingModule, OrgModule],
  providers: [Progress, Onboarding, ProgressRepository],
  exports: [Progress, Onboarding, ProgressRepository],
})
export class ProgressTrackingModule {}
