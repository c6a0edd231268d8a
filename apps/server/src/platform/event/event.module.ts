import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventRecorderService } from './event-recorder.service.js';
import { EventRecordingRepository } from './event-recording.repository.js';
import { OrgEventEntity } from './org-event.entity.js';

/** Recording events, for every area that has something to report. Reading them is EventListModule's. */
@Module({
  imports: [TypeOrmModule.forFeature([OrgEventEntity])],
  providers: [EventRecorderService, EventRecordingRepository],
  exports: [EventRecorderService],
})
export class EventModule {}
