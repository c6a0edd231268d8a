import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Messages about single anomalies of an incident are no alerts of their own: the incident counts once. */
export class AlertsThatCount1770691260000 implements MigrationInterface {
  name = 'AlertsThatCount1770691260000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "alert" ADD COLUMN "counts" boolean NOT NULL DEFAULT true`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "alert" DROP COLUMN "counts"`);
  }
}
