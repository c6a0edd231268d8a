import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { type Window } from '../../common/window/window.js';
import { type AlertDeliveryDto } from './alert-delivery.dto.js';

/** The first alert about an anomaly. Unix seconds. */
export interface AlertedAnomaly {
  anomalyId: number;
  timestamp: number;
}

/** How many alerts were sent. */
export interface SentAlerts {
  /** Each counts once, however many metrics it is about. */
  total: number;
  /** By id of the metric; those without any are omitted. */
  byMetric: ReadonlyMap<number, number>;
}

/** The source of past alerts; implemented by a higher area. */
export interface AlertHistorySource {
  /** Messages of alerts about an anomaly, newest first. */
  listOfAnomaly(caller: KnownCaller, anomalyId: number, limit: number): Promise<AlertDeliveryDto[]>;
  listAlerted(orgId: number, anomalyIds: readonly number[]): Promise<AlertedAnomaly[]>;
  /** `from` and `until` are inclusive. */
  countSent(orgId: number, window: Window, metricIds: readonly number[]): Promise<SentAlerts>;
  /** How many alerts were about at least one of these metrics. */
  countSentOf(orgId: number, window: Window, metricIds: readonly number[]): Promise<number>;
  /** Cancels queued messages that are only about these anomalies, because a person takes care of them. */
  silence(orgId: number, anomalyIds: readonly number[], tx: Tx): Promise<void>;
}
