import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type AlertChannel, type AlertContent, type AlertPhase, type Suppression } from '#libs/alerting';
import { type DeliveryState } from './alert.types.js';

/** One message of an alert to one recipient. */
@Entity('alert_delivery')
@Index('alert_delivery_once_idx', ['alertId', 'channel', 'recipient', 'phase', 'sequence'], { unique: true })
@Index('alert_delivery_due_idx', ['queue', 'sendAt'], { where: `"due_at" IS NOT NULL AND "state" <> 'suppressed'` })
@Index('alert_delivery_settled_idx', ['orgId', 'settledAt'])
export class AlertDeliveryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'alert_delivery_pk' })
  id!: number;

  @ForeignKey('org', { name: 'alert_delivery_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @ForeignKey('alert', { name: 'alert_delivery_alert_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'alert_id' })
  alertId!: number;

  /** Stays the same for all tries. */
  @Column('uuid', { name: 'message_id' })
  messageId!: string;

  /** Of the alert. */
  @Column('integer', { name: 'life' })
  life!: number;

  @Column('text', { name: 'phase' })
  phase!: AlertPhase;

  /** Counts the messages of one phase to one recipient. */
  @Column('integer', { name: 'sequence' })
  sequence!: number;

  @Column('text', { name: 'channel' })
  channel!: AlertChannel;

  @Column('text', { name: 'recipient' })
  recipient!: string;

  @Index('alert_delivery_user_idx', { where: '"user_id" IS NOT NULL' })
  @ForeignKey('user_account', { name: 'alert_delivery_user_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'user_id', nullable: true })
  userId!: number | null;

  @Column('text', { name: 'mentions', array: true })
  mentions!: string[];

  /** Deliveries that fail together and are tried in turn: organisation, channel and destination. */
  @Column('text', { name: 'lane' })
  queue!: string;

  @Column('text', { name: 'state' })
  state!: DeliveryState;

  @Column('text', { name: 'suppressed_by', nullable: true })
  suppressedBy!: Suppression | null;

  /** Null once it is sent or suppressed. */
  @Column('jsonb', { name: 'content', nullable: true })
  content!: AlertContent | null;

  /** That of the content, once the content is null; null before, and for messages of earlier versions. */
  @Column('text', { name: 'title', nullable: true })
  title!: string | null;

  /** The receipt from the channel. */
  @Column('text', { name: 'thread', nullable: true })
  thread!: string | null;

  /** Why the last try failed. */
  @Column('text', { name: 'message', default: '' })
  message!: string;

  @Column('integer', { name: 'tries', default: 0 })
  tries!: number;

  /**
   * When it is tried next, or sent again if a channel requires that; while it is being tried, when it counts as
   * abandoned by that process. Of a suppressed one: not in the events of the organisation yet. Null: no further action.
   */
  @Index('alert_delivery_unreported_idx', { where: `"due_at" IS NOT NULL AND "state" = 'suppressed'` })
  @Column('timestamptz', { name: 'due_at', nullable: true })
  sendAt!: Date | null;

  /** Set while it is being tried. */
  @Column('timestamptz', { name: 'claimed_until', nullable: true })
  claimedUntil!: Date | null;

  /** From then on a message whose destination fails is given up. */
  @Column('timestamptz', { name: 'give_up_at' })
  giveUpAt!: Date;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'settled_at', nullable: true })
  settledAt!: Date | null;
}
