import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A secret key that is or was the current one. Nothing here reveals it. */
@Entity('secret_key')
export class SecretKeyEntity {
  /** `SecretKey.id` */
  @PrimaryColumn('text', { name: 'id', primaryKeyConstraintName: 'secret_key_pk' })
  id!: string;

  /** `SecretKey.checkValue` */
  @Column('bytea', { name: 'check_value' })
  checkValue!: Buffer;

  @Column('timestamptz', { name: 'used_from' })
  usedFrom!: Date;

  /** Null while something may need it. */
  @Column('timestamptz', { name: 'forgotten_at', nullable: true })
  forgottenAt!: Date | null;
}
