import { Module } from '@nestjs/common';
import { EventHousekeeping } from './event-housekeeping.service.js';
import { EventRecordingModule } from './event-recording.module.js';

/** Drops old events, for the role `detect`. */
@Module({ imports: [EventRecordingModule], providers: [EventHousekeeping] })
export class EventHousekeepingModule {}
