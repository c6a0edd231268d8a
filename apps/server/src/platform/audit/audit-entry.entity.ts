import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type AuditActorType, type AuditChange } from './audit.types.js';

/** An administrative act. Rows are never changed (the database refuses it), and are dropped after 400 days. */
@Entity('audit_entry')
@Index('audit_entry_org_at_idx', ['orgId', 'happenedAt', 'id'])
@Index('audit_entry_at_idx', ['happenedAt'])
export class AuditEntryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'audit_entry_pk' })
  id!: string;

  @ForeignKey('org', { name: 'audit_entry_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('timestamptz', { name: 'happened_at' })
  happenedAt!: Date;

  @Column('text', { name: 'actor_type' })
  actorType!: AuditActorType;

  /** Kept after the user is removed. */
  @Column('integer', { name: 'actor_user_id', nullable: true })
  actorUserId!: number | null;

  @Column('integer', { name: 'actor_token_ref', nullable: true })
  actorTokenRef!: number | null;

  /** Name at the time of the act. */
  @Column('text', { name: 'actor_name' })
  actorName!: string;

  @Column('text', { name: 'ip', nullable: true })
  ip!: string | null;

  /** `token.create` */
  @Column('text', { name: 'action' })
  action!: string;

  @Column('text', { name: 'object_type' })
  objectType!: string;

  @Column('text', { name: 'object_id' })
  objectId!: string;

  @Column('text', { name: 'object_name' })
  objectName!: string;

  /** Secrets appear as the word "changed". */
  @Column('jsonb', { name: 'changes' })
  changes!: readonly AuditChange[];

  @Column('text', { name: 'request_id', nullable: true })
  requestId!: string | null;
}
