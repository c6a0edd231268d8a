import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type MetricState } from '#libs/contracts';

/**
 * What lists and searches look at: a narrow row for each metric, kept equal to `metric` by triggers. Texts are in lower
 * case, so that they are compared as bytes.
 */
@Entity('metric_search')
@Index('metric_search_org_name_idx', { synchronize: false })
@Index('metric_search_labels_idx', { synchronize: false })
@Index('metric_search_name_trgm_idx', { synchronize: false })
export class MetricSearchEntity {
  @ForeignKey('metric', { name: 'metric_search_metric_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'metric_id', primaryKeyConstraintName: 'metric_search_pk' })
  metricId!: number;

  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** `removed` at once; the others as MetricStateService last saw them. */
  @Column({ type: 'text', name: 'state', collation: 'C' })
  state!: MetricState;

  /** Since when an exclusion keeps the data of the metric out. */
  @Column('timestamptz', { name: 'excluded_at', nullable: true })
  excludedAt!: Date | null;

  @Column({ type: 'text', name: 'name', collation: 'C' })
  name!: string;

  @Column({ type: 'text', name: 'type', collation: 'C' })
  type!: string;

  @Column({ type: 'text', name: 'source', collation: 'C' })
  source!: string;

  /** Values in lower case, keys as they are. */
  @Column('jsonb', { name: 'labels' })
  labels!: Record<string, string>;
}
