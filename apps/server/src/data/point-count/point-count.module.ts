import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgPointCountEntity } from './org-point-count.entity.js';
import { OrgPointCountRepository } from './org-point-count.repository.js';
import { PointCountsService } from './point-counts.service.js';

/** How many points each organisation sends over time: counted by the areas that store points. */
@Module({
  imports: [TypeOrmModule.forFeature([OrgPointCountEntity])],
  providers: [OrgPointCountRepository, PointCountsService],
  exports: [PointCountsService],
})
export class PointCountModule {}
