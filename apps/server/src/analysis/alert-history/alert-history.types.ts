import { ApiProperty } from '@nestjs/swagger';
import {
  ALERT_CHANNELS,
  ALERT_KINDS,
  type AlertChannel,
  type AlertKind,
  type Suppression,
  SUPPRESSIONS,
} from '#libs/alerting';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { type Window } from '../../common/window/window.js';

export const DELIVERY_STATES = ['queued', 'sent', 'retrying', 'failed', 'suppressed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A message of an alert to one recipient, and what became of it. */
export class AlertDeliveryDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ enum: ALERT_KINDS })
  kind!: AlertKind;

  @ApiProperty({ type: 'integer', nullable: true })
  anomaly_id!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  watcher_id!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'At the time of the alert' })
  watcher_name!: string | null;

  @ApiProperty({ enum: ALERT_CHANNELS })
  channel!: AlertChannel;

  @ApiProperty({
    type: String,
    description:
      'Addresses and numbers of others are empty, except for administrators; of web addresses the host alone',
  })
  recipient!: string;

  @ApiProperty({ enum: DELIVERY_STATES })
  state!: DeliveryState;

  @ApiProperty({ enum: SUPPRESSIONS, nullable: true })
  suppressed_by!: Suppression | null;

  @ApiProperty({ type: 'integer' })
  attempts!: number;

  @ApiProperty({ type: String, description: 'Why the last attempt failed' })
  message!: string;

  @ApiProperty({ type: 'integer', description: 'When it was sent or given up, or else queued' })
  timestamp!: number;

  @ApiProperty({ type: String, example: 'October 9th 2025, 10:53' })
  timestamp_string!: string;
}

/** When somebody was first alerted of an anomaly. Unix seconds. */
export interface AlertedAnomaly {
  anomalyId: number;
  timestamp: number;
}

/** How many alerts were sent. */
export interface SentAlerts {
  /** Each counts once, however many metrics it is about. */
  total: number;
  /** By id of the metric; those without any are left out. */
  byMetric: ReadonlyMap<number, number>;
}

/** What was alerted; implemented by an area above. */
export interface AlertHistorySource {
  /** Messages of alerts about an anomaly, newest first. */
  listOfAnomaly(caller: KnownCaller, anomalyId: number, limit: number): Promise<AlertDeliveryDto[]>;
  listAlerted(orgId: number, anomalyIds: readonly number[]): Promise<AlertedAnomaly[]>;
  /** `from` and `until` are both part of the window. */
  countSent(orgId: number, window: Window, metricIds: readonly number[]): Promise<SentAlerts>;
  /** How many alerts were about at least one of these metrics. */
  countSentOf(orgId: number, window: Window, metricIds: readonly number[]): Promise<number>;
  /** What is queued about these anomalies alone is not sent: somebody looks after them. */
  silence(orgId: number, anomalyIds: readonly number[], tx: Tx): Promise<void>;
}
