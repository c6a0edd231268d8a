import { Module } from '@nestjs/common';
import { OrgCountsRepository } from './org-counts.repository.js';
import { OrgCountsService } from './org-counts.service.js';
import { OrgModule } from './org.module.js';
import { PointCountsModule } from './point-counts.module.js';

/** Counts over time, for graphs of an organisation. */
@Module({
  imports: [OrgModule, PointCountsModule],
  providers: [OrgCountsService, OrgCountsRepository],
  exports: [OrgCountsService],
})
export class OrgCountsModule {}
