import { Module } from '@nestjs/common';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { DetectionBacklogRepository } from './detection-backlog.repository.js';
import { DetectionBacklog } from './detection-backlog.service.js';

/** How far detection is behind: `ingest` refuses points by it, `detect` reports it. */
@Module({
  imports: [StorageModule],
  providers: [DetectionBacklog, DetectionBacklogRepository],
  exports: [DetectionBacklog],
})
export class DetectionBacklogModule {}
