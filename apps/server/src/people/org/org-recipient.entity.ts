import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type RecipientList } from './org.types.js';

/** Default recipients, one row per user and list. A deleted user leaves all lists. */
@Entity('org_recipient')
@Index('org_recipient_user_idx', ['userId'])
export class OrgRecipientEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'org_recipient_pk' })
  @ForeignKey('org', { name: 'org_recipient_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  @PrimaryColumn('text', { name: 'list', primaryKeyConstraintName: 'org_recipient_pk' })
  list!: RecipientList;

  @PrimaryColumn('integer', { name: 'user_id', primaryKeyConstraintName: 'org_recipient_pk' })
  @ForeignKey('user_account', { name: 'org_recipient_user_fk', onDelete: 'CASCADE' })
  userId!: number;
}
