import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventRecorder } from './event-recorder.service.js';
import { EventRecordingRepository } from './event-recording.repository.js';
import { OrgEventEntity } from './org-event.entity.js';

/** Recording events, for every area that has something to report. Reading them is EventListModule's. */
@Module({
  imports: [TypeOrmModule.forFeature([OrgEventEntity])],
  providers: [EventRecorder, EventRecordingRepository],
  exports: [EventRecorder],
})
export class EventModule {}
