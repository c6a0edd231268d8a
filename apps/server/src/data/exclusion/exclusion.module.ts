import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserModule } from '../../people/user/user.module.js';
import { ExclusionDirectoryService } from './exclusion-directory.service.js';
import { ExclusionPresenterService } from './exclusion-presenter.service.js';
import { ExclusionEntity } from './exclusion.entity.js';
import { ExclusionRepository } from './exclusion.repository.js';
import { ExclusionService } from './exclusion.service.js';

/** The current exclusions, in memory, for areas that accept data or show metrics. */
@Module({
  imports: [TypeOrmModule.forFeature([ExclusionEntity]), UserModule],
  providers: [ExclusionDirectoryService, ExclusionPresenterService, ExclusionRepository, ExclusionService],
  exports: [ExclusionDirectoryService, ExclusionPresenterService, ExclusionService],
})
export class ExclusionModule {}
