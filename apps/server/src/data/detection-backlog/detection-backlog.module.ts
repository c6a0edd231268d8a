import { Module } from '@nestjs/common';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { DetectionBacklogRepository } from './detection-backlog.repository.js';
import { DetectionBacklogService } from './detection-backlog.service.js';

/** How far detection is behind: `detect` reports it, and `ingest` refuses points if it is too much. */
@Module({
  imports: [StorageModule],
  providers: [DetectionBacklogService, DetectionBacklogRepository],
  exports: [DetectionBacklogService],
})
export class DetectionBacklogModule {}
