import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { type DemoThemeId } from './demo-themes.js';

/** An organisation that visitors may look at. The administrator's own demo organisation is none of them. */
@Entity('demo_org')
@Unique('demo_org_theme_uq', ['theme'])
export class DemoOrgEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'demo_org_pk' })
  @ForeignKey('org', { name: 'demo_org_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  @Column('text', { name: 'theme' })
  theme!: DemoThemeId;

  /** When it was last put back to what it was made as. */
  @Column('timestamptz', { name: 'reset_at' })
  resetAt!: Date;
}
