import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { AlertHistoryModule } from '../alert-history/alert-history.module.js';
import { AnomalyEntity } from '../anomaly/anomaly.entity.js';
import { AttentionController } from './attention.controller.js';
import { AttentionRepository } from './attention.repository.js';
import { AttentionService } from './attention.service.js';

/** Which metrics cost attention, and what to do about them. */
@Module({
  imports: [AlertHistoryModule, TypeOrmModule.forFeature([AnomalyEntity]), OrgModule],
  controllers: [AttentionController],
  providers: [AttentionRepository, AttentionService],
})
export class AttentionModule {}
