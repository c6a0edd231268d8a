import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type MetricType } from '#libs/contracts';
import { type MetricChangeKind } from './metric-registry.types.js';

/** A notice to all processes; rows are read within seconds and kept for an hour. */
@Entity('metric_change')
@Index('metric_change_changed_idx', ['changedAt'])
export class MetricChangeEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'metric_change_pk' })
  id!: string;

  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('text', { name: 'kind' })
  kind!: MetricChangeKind;

  @Column('integer', { name: 'metric_ids', array: true })
  metricIds!: number[];

  @Column('text', { name: 'metric_type', nullable: true })
  metricType!: MetricType | null;

  @Column('timestamptz', { name: 'changed_at', default: () => 'clock_timestamp()' })
  changedAt!: Date;
}
