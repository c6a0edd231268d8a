import { Module } from '@nestjs/common';
import { DetectionBacklogRepository } from './detection-backlog.repository.js';
import { DetectionBacklog } from './detection-backlog.service.js';

/** How far detection is behind: `ingest` refuses points by it, `detect` reports it. */
@Module({
  providers: [DetectionBacklog, DetectionBacklogRepository],
  exports: [DetectionBacklog],
})
export class DetectionBacklogModule {}
