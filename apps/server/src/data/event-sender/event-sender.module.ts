import { Module } from '@nestjs/common';
import { PointIntakeModule } from '../ingest/point-intake.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { EventSenderController } from './event-sender.controller.js';
import { EventSenderService } from './event-sender.service.js';

/** Counts the reports of web pages, and serves the script that sends them. */
@Module({
  imports: [EventModule, PointIntakeModule],
  controllers: [EventSenderController],
  providers: [EventSenderService],
})
export class EventSenderModule {}
