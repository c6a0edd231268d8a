import { Module } from '@nestjs/common';
import { DetectionBacklogRepository } from './detection-backlog.repository.js';
import { DetectionBacklog } from './detection-backlog.service.js';

/** Apart from DetectionModule, so that `ingest` can look at the backlog without the detector. */
@Module({
  providers: [DetectionBacklog, DetectionBacklogRepository],
  exports: [DetectionBacklog],
})
export class DetectionBacklogModule {}
