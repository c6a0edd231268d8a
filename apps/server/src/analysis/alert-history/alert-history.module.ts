import { Module } from '@nestjs/common';
import { AlertHistory } from './alert-history.service.js';

/** What was alerted, for areas that know nothing of alerting. */
@Module({ providers: [AlertHistory], exports: [AlertHistory] })
export class AlertHistoryModule {}
