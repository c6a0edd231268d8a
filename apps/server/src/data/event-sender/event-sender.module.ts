import { Module } from '@nestjs/common';
import { PointIntakeModule } from '../ingest/point-intake.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { EventSenderController } from './event-sender.controller.js';
import { EventSender } from './event-sender.service.js';
import { SentEvents } from './sent-events.service.js';

/** Counts what web pages report, and serves the script with which they do. */
@Module({
  imports: [EventModule, PointIntakeModule],
  controllers: [EventSenderController],
  providers: [EventSender, SentEvents],
})
export class EventSenderModule {}
