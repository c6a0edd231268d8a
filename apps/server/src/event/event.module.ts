import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricModule } from '../metric/metric.module.js';
import { OrgModule } from '../org/org.module.js';
import { UserModule } from '../user/user.module.js';
import { EventController } from './event.controller.js';
import { EventRepository } from './event.repository.js';
import { EventService } from './event.service.js';
import { OrgEventEntity } from './org-event.entity.js';

/** Reading events. Writing them is EventRecordingModule's. */
@Module({
  imports: [TypeOrmModule.forFeature([OrgEventEntity]), MetricModule, OrgModule, UserModule],
  controllers: [EventController],
  providers: [EventService, EventRepository],
  exports: [EventService],
})
export class EventModule {}
