import { Module } from '@nestjs/common';
import { AlertHistoryService } from './alert-history.service.js';

/** Past alerts, for areas that do not import alerting. */
@Module({ providers: [AlertHistoryService], exports: [AlertHistoryService] })
export class AlertHistoryModule {}
