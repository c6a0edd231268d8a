import { Column, Entity, ForeignKey, PrimaryColumn, Unique, Index } from 'typeorm';

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

/** A visitor of the demo who agreed that the operator may get in touch. Deleted with the user. */
@Entity('demo_visitor')
@Index('demo_visitor_org_idx', ['orgId'])
export class DemoVisitorEntity {
  @PrimaryColumn('integer', { name: 'user_id', primaryKeyConstraintName: 'demo_visitor_pk' })
  @ForeignKey('user_account', { name: 'demo_visitor_user_fk', onDelete: 'CASCADE' })
  userId!: number;

  @ForeignKey('org', { name: 'demo_visitor_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** Not the address of the account: it has not been confirmed. */
  @Column('text', { name: 'email', nullable: true })
  email!: string | null;

  @Column('timestamptz', { name: 'consented_at' })
  consentedAt!: Date;
}

/**
 * Trainings that a demo organisation got after its history arrived: each once, so that a restart does not repeat any.
 */
@Entity('demo_story')
@Index('demo_story_tuning_idx', ['tuningId'], { where: '"tuning_id" IS NOT NULL' })
export class DemoStoryEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'demo_story_pk' })
  @ForeignKey('org', { name: 'demo_story_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  /** When the nightly job was called expected, or omitted. */
  @Column('timestamptz', { name: 'taught_at', nullable: true })
  taughtAt!: Date | null;

  /** When an anomaly was confirmed, or omitted. */
  @Column('timestamptz', { name: 'confirmed_at', nullable: true })
  confirmedAt!: Date | null;

  /** When the tuning was made, or omitted. */
  @Column('timestamptz', { name: 'tuned_at', nullable: true })
  tunedAt!: Date | null;

  /** A reset leaves it. */
  @ForeignKey('tuning', { name: 'demo_story_tuning_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'tuning_id', nullable: true })
  tuningId!: number | null;
}
