import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** An organisation that visitors may look at. The administrator's own demo organisation is none of them. */
@Entity('demo_org')
@Unique('demo_org_theme_uq', ['theme'])
export class DemoOrgEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'demo_org_pk' })
  @ForeignKey('org', { name: 'demo_org_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  @Column('text', { name: 'theme' })
  theme!: string;

  /** The row of the organisation as it was made: what a reset goes back to. */
  @Column('jsonb', { name: 'seed' })
  seed!: object;

  /** When it was last put back to what it was made as. */
  @Column('timestamptz', { name: 'reset_at' })
  resetAt!: Date;
}
