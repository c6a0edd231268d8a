import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserModule } from '../../people/user/user.module.js';
import { ExclusionDirectory } from './exclusion-directory.service.js';
import { ExclusionPresenter } from './exclusion-presenter.service.js';
import { ExclusionEntity } from './exclusion.entity.js';
import { ExclusionRepository } from './exclusion.repository.js';
import { ExclusionService } from './exclusion.service.js';

/** The exclusions that are there, in memory, for areas that take data in or show metrics. */
@Module({
  imports: [TypeOrmModule.forFeature([ExclusionEntity]), UserModule],
  providers: [ExclusionDirectory, ExclusionPresenter, ExclusionRepository, ExclusionService],
  exports: [ExclusionDirectory, ExclusionPresenter, ExclusionService],
})
export class ExclusionModule {}
