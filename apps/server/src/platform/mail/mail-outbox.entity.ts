import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A mail that waits to be sent, or the row of a mail with a key that is finished. */
@Entity('mail_outbox')
@Index('mail_outbox_due_idx', ['sendAt'], { where: '"sealed" IS NOT NULL' })
@Index('mail_outbox_org_idx', ['orgId'], { where: '"org_id" IS NOT NULL' })
@Index('mail_outbox_key_idx', ['key'], { unique: true, where: '"key" IS NOT NULL' })
export class MailOutboxEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mail_outbox_pk' })
  id!: string;

  @ForeignKey('org', { name: 'mail_outbox_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id', nullable: true })
  orgId!: number | null;

  /** Includes the organisation. */
  @Column('text', { name: 'key', nullable: true })
  key!: string | null;

  /** Recipient, subject and content as JSON, sealed because it contains links; null when the mail is finished. */
  @Column('text', { name: 'sealed', nullable: true })
  sealed!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Time of the next attempt; during an attempt, the time at which its lease expires. */
  @Column('timestamptz', { name: 'due_at' })
  sendAt!: Date;

  /** Time after which sending it is pointless. */
  @Column('timestamptz', { name: 'useless_at', nullable: true })
  uselessAt!: Date | null;

  @Column('integer', { name: 'tries', default: 0 })
  tries!: number;
}
