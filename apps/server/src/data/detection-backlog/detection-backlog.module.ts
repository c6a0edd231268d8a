import { Module } from '@nestjs/common';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { DetectionBacklogRepository } from './detection-backlog.repository.js';
import { DetectionBacklogService } from './detection-backlog.service.js';

/** How far detection is behind: `ingest` refuses points by it, `detect` reports it. */
@Module({
  imports: [StorageModule],
  providers: [DetectionBacklogService, DetectionBacklogRepository],
  exports: [DetectionBacklogService],
})
export class DetectionBacklogModule {}
