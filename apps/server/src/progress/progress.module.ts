import { Module } from '@nestjs/common';
import { ProgressGuide } from './progress-guide.service.js';
import { ProgressHousekeeping } from './progress-housekeeping.service.js';
import { ProgressTrackingModule } from './progress-tracking.module.js';
import { ProgressController } from './progress.controller.js';

/** Reading progress, and what people do about it. Writing it is ProgressTrackingModule's. */
@Module({
  imports: [ProgressTrackingModule],
  controllers: [ProgressController],
  providers: [ProgressGuide, ProgressHousekeeping],
})
export class ProgressModule {}
