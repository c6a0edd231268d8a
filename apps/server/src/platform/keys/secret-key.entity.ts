import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A secret key that is or was the current one. The row does not reveal the key. */
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

  /** Null while something may need the key. */
  @Column('timestamptz', { name: 'forgotten_at', nullable: true })
  forgottenAt!: Date | null;
}
