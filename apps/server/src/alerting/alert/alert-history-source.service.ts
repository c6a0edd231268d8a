import { Injectable } from '@nestjs/common';
import { type AlertDeliveryDto } from '../../analysis/alert-history/alert-delivery.dto.js';
import { AlertHistoryService } from '../../analysis/alert-history/alert-history.service.js';
import {
  type AlertedAnomaly,
  type AlertHistorySource,
  type SentAlerts,
} from '../../analysis/alert-history/alert-history.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { type Window } from '../../common/window/window.js';
import { AlertOutboxService } from './alert-outbox.service.js';
import { AlertRecordsService } from './alert-records.service.js';

/** Answers queries of lower areas about alerts. */
@Injectable()
export class AlertHistorySourceService implements AlertHistorySource {
  constructor(
    private readonly records: AlertRecordsService,
    private readonly outbox: AlertOutboxService,
    history: AlertHistoryService,
  ) {
    history.register(this);
  }

  listOfAnomaly(caller: KnownCaller, anomalyId: number, limit: number): Promise<AlertDeliveryDto[]> {
    return this.records.list(caller, { anomalyId }, limit);
  }

  listAlerted(orgId: number, anomalyIds: readonly number[]): Promise<AlertedAnomaly[]> {
    return this.records.listAlerted(orgId, anomalyIds);
  }

  countSent(orgId: number, window: Window, metricIds: readonly number[]): Promise<SentAlerts> {
    return this.records.countSent(orgId, window, metricIds);
  }

  countSentOf(orgId: number, window: Window, metricIds: readonly number[]): Promise<number> {
    return this.records.countSentOf(orgId, window, metricIds);
  }

  async silence(orgId: number, anomalyIds: readonly number[], tx: Tx): Promise<void> {
    await this.outbox.silence(orgId, { anomalyIds }, 'acknowledged', tx);
  }
}
