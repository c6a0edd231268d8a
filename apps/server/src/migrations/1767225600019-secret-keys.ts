import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Which secret keys the installation needs, so that a wrong one is noticed when a process starts. */
export class SecretKeys1767225600019 implements MigrationInterface {
  name = 'SecretKeys1767225600019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "secret_key" (
        "id" text NOT NULL,
        "check_value" bytea NOT NULL,
        "used_from" timestamptz NOT NULL,
        "forgotten_at" timestamptz,
        CONSTRAINT "secret_key_pk" PRIMARY KEY ("id")
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "secret_key"`);
  }
}
