import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventRecorder } from './event-recorder.service.js';
import { EventRecordingRepository } from './event-recording.repository.js';
import { OrgEventEntity } from './org-event.entity.js';

/** The writing side, for every area that has something to tell; the API is EventModule. */
@Module({
  imports: [TypeOrmModule.forFeature([OrgEventEntity])],
  providers: [EventRecorder, EventRecordingRepository],
  exports: [EventRecorder, EventRecordingRepository],
})
export class EventRecordingModule {}
