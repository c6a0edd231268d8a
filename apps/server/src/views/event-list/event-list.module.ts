import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { EventListController } from './event-list.controller.js';
import { EventListRepository } from './event-list.repository.js';
import { EventListService } from './event-list.service.js';
import { OrgEventEntity } from '../../platform/event/org-event.entity.js';

/** Lists the events of an organisation for its users. */
@Module({
  imports: [TypeOrmModule.forFeature([OrgEventEntity]), MetricModule, OrgModule, UserModule],
  controllers: [EventListController],
  providers: [EventListService, EventListRepository],
  exports: [EventListService],
})
export class EventListModule {}
