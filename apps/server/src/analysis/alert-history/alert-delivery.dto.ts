import { ApiProperty } from '@nestjs/swagger';
import {
  ALERT_CHANNELS,
  ALERT_KINDS,
  ALERT_PHASES,
  type AlertChannel,
  type AlertKind,
  type AlertPhase,
  type Suppression,
  SUPPRESSIONS,
} from '#libs/alerting';
import { DELIVERY_STATES, type DeliveryState } from './delivery-state.types.js';

/** A message of an alert to one recipient, and its outcome. */
export class AlertDeliveryDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ enum: ALERT_KINDS })
  kind!: AlertKind;

  @ApiProperty({
    enum: ALERT_PHASES,
    description: 'What it reports about its subject: that it began, changed, was acknowledged or ended',
  })
  phase!: AlertPhase;

  @ApiProperty({
    type: String,
    description: 'The first line of the message, as it was sent or would have been sent',
    example: 'Major: shop.orders fell to 12 (usual 40 to 60)',
  })
  title!: string;

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
    description: 'Addresses and numbers of others are empty, except for administrators; of web addresses only the host',
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
