import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A browser or program from which a user has logged in: it needs no code for a while. */
@Entity('known_client')
@Index('known_client_user_idx', ['userId'])
@Index('known_client_expires_idx', ['expiresAt'])
export class KnownClientEntity {
  /** Keyed hash of the client id. */
  @PrimaryColumn('bytea', { name: 'client_hash', primaryKeyConstraintName: 'known_client_pk' })
  clientHash!: Buffer;

  @Column('integer', { name: 'user_id' })
  @ForeignKey('user_account', { name: 'known_client_user_fk', onDelete: 'CASCADE' })
  userId!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
