import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { type Window } from '../../common/window/window.js';
import { type AlertDeliveryDto } from './alert-delivery.dto.js';
import { type AlertedAnomaly, type AlertHistorySource, type SentAlerts } from './alert-history.types.js';

const NO_ALERTS: AlertHistorySource = {
  listOfAnomaly: () => Promise.resolve([]),
  listAlerted: () => Promise.resolve([]),
  countSent: () => Promise.resolve({ total: 0, byMetric: new Map() }),
  countSentOf: () => Promise.resolve(0),
  silence: () => Promise.resolve(),
};

/** Past alerts about anomalies, as the area that sends alerts reports them; empty if that area is not loaded. */
@Injectable()
export class AlertHistoryService implements AlertHistorySource {
  private source = NO_ALERTS;

  register(source: AlertHistorySource): void {
    this.source = source;
  }

  listOfAnomaly(caller: KnownCaller, anomalyId: number, limit: number): Promise<AlertDeliveryDto[]> {
    return this.source.listOfAnomaly(caller, anomalyId, limit);
  }

  listAlerted(orgId: number, anomalyIds: readonly number[]): Promise<AlertedAnomaly[]> {
    return this.source.listAlerted(orgId, anomalyIds);
  }

  countSent(orgId: number, window: Window, metricIds: readonly number[]): Promise<SentAlerts> {
    return this.source.countSent(orgId, window, metricIds);
  }

  countSentOf(orgId: number, window: Window, metricIds: readonly number[]): Promise<number> {
    return this.source.countSentOf(orgId, window, metricIds);
  }

  silence(orgId: number, anomalyIds: readonly number[], tx: Tx): Promise<void> {
    return this.source.silence(orgId, anomalyIds, tx);
  }
}
