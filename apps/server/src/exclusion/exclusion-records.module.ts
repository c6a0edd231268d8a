import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserModule } from '../user/user.module.js';
import { ExclusionDirectory } from './exclusion-directory.service.js';
import { ExclusionPresenter } from './exclusion-presenter.service.js';
import { ExclusionEntity } from './exclusion.entity.js';
import { ExclusionRepository } from './exclusion.repository.js';

/** What exclusions there are, in memory, for whoever takes data in or shows metrics. The API is ExclusionModule. */
@Module({
  imports: [TypeOrmModule.forFeature([ExclusionEntity]), UserModule],
  providers: [ExclusionDirectory, ExclusionPresenter, ExclusionRepository],
  exports: [ExclusionDirectory, ExclusionPresenter, ExclusionRepository],
})
export class ExclusionRecordsModule {}
