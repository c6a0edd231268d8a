import { Column, Entity, ForeignKey, PrimaryColumn, Unique, Index } from 'typeorm';

/** An organisation that visitors may view. The administrator's own demo organisation is not included. */
@Entity('demo_org')
@Unique('demo_org_theme_uq', ['theme'])
export class DemoOrgEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'demo_org_pk' })
  @ForeignKey('org', { name: 'demo_org_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  @Column('text', { name: 'theme' })
  theme!: string;

  /** The initial row of the organisation, which a reset restores. */
  @Column('jsonb', { name: 'seed' })
  seed!: object;

  /** Time of the last reset. */
  @Column('timestamptz', { name: 'reset_at' })
  resetAt!: Date;
}

/** A visitor of the demo who agreed to be contacted by the operator. Deleted with the user. */
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

/** The parts of its story that a demo organisation has received. Each is applied once: a restart repeats none. */
@Entity('demo_story')
@Index('demo_story_tuning_idx', ['tuningId'], { where: '"tuning_id" IS NOT NULL' })
export class DemoStoryEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'demo_story_pk' })
  @ForeignKey('org', { name: 'demo_story_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  /** Time at which the nightly job was marked as expected, or omitted. */
  @Column('timestamptz', { name: 'taught_at', nullable: true })
  taughtAt!: Date | null;

  /** Time at which an anomaly was confirmed, or omitted. */
  @Column('timestamptz', { name: 'confirmed_at', nullable: true })
  confirmedAt!: Date | null;

  /** Time at which the tuning was created, or omitted. */
  @Column('timestamptz', { name: 'tuned_at', nullable: true })
  tunedAt!: Date | null;

  /** The tuning that a reset keeps. */
  @ForeignKey('tuning', { name: 'demo_story_tuning_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'tuning_id', nullable: true })
  tuningId!: number | null;
}
