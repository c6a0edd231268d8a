import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertDeliveryEntity } from '../../alerting/alert/alert-delivery.entity.js';
import { AlertModule } from '../../alerting/alert/alert.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { DeliveryListController } from './delivery-list.controller.js';
import { DeliveryListRepository } from './delivery-list.repository.js';
import { DeliveryListService } from './delivery-list.service.js';

/** Lists messages of alerts, and sends failed ones again. */
@Module({
  imports: [TypeOrmModule.forFeature([AlertDeliveryEntity]), AlertModule, OrgModule],
  controllers: [DeliveryListController],
  providers: [DeliveryListService, DeliveryListRepository],
})
export class DeliveryListModule {}
