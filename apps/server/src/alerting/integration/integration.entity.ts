import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { type FieldValue } from './service-fields.types.js';

/** An organisation's settings of a service. */
@Entity('integration')
@Unique('integration_service_uq', ['orgId', 'serviceId'])
export class IntegrationEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'integration_pk' })
  id!: number;

  @ForeignKey('org', { name: 'integration_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('text', { name: 'service_id' })
  serviceId!: string;

  /** Values that are not secrets, by the name of the field. */
  @Column('jsonb', { name: 'values', default: {} })
  values!: Readonly<Record<string, FieldValue>>;

  /** All secrets as one JSON object, sealed; null without any. */
  @Column('text', { name: 'secrets_sealed', nullable: true })
  secretsSealed!: string | null;

  /** Time at which the service last accepted a message. */
  @Column('timestamptz', { name: 'last_ok_at', nullable: true })
  lastOkAt!: Date | null;

  /** Why the last message was not accepted; null if it was. */
  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;
}
