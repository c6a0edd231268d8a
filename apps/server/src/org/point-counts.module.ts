import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgPointCountEntity } from './org-point-count.entity.js';
import { OrgPointCountRepository } from './org-point-count.repository.js';
import { PointCounts } from './point-counts.service.js';

/** Counting points, for areas that store some. */
@Module({
  imports: [TypeOrmModule.forFeature([OrgPointCountEntity])],
  providers: [OrgPointCountRepository, PointCounts],
  exports: [OrgPointCountRepository, PointCounts],
})
export class PointCountsModule {}
