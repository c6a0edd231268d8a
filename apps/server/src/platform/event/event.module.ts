import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventRecorderService } from './event-recorder.service.js';
import { EventRecordingRepository } from './event-recording.repository.js';
import { OrgEventEntity } from './org-event.entity.js';

/** Records events, for every area that reports some. EventListModule reads them. */
@Module({
  imports: [TypeOrmModule.forFeature([OrgEventEntity])],
  providers: [EventRecorderService, EventRecordingRepository],
  exports: [EventRecorderService],
})
export class EventModule {}
