import { Module } from '@nestjs/common';
import { AlertHistoryService } from './alert-history.service.js';

/** What was alerted, for areas that know nothing of alerting. */
@Module({ providers: [AlertHistoryService], exports: [AlertHistoryService] })
export class AlertHistoryModule {}
