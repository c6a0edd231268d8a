import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { OrgModule } from '../org/org.module.js';
import { OnboardingService } from './onboarding.service.js';
import { ProgressGuideService } from './progress-guide.service.js';
import { UserModule } from '../user/user.module.js';
import { ProgressController } from './progress.controller.js';
import { ProgressEntity } from './progress.entity.js';
import { ProgressRepository } from './progress.repository.js';
import { ProgressService } from './progress.service.js';

/**
 * Onboarding steps of an organisation, and long-running work that people watch: areas record it, this area shows it.
 */
@Module({
  imports: [TypeOrmModule.forFeature([ProgressEntity]), EventModule, OrgModule, StreamLogModule, UserModule],
  controllers: [ProgressController],
  providers: [OnboardingService, ProgressService, ProgressGuideService, ProgressRepository],
  exports: [OnboardingService, ProgressService, ProgressGuideService],
})
export class ProgressModule {}
