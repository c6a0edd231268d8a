import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Processes that detect, so that each of them knows how many partitions are its share. Seconds old at most, so not logged. */
export class DetectionMembers1770804240000 implements MigrationInterface {
  name = 'DetectionMembers1770804240000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE "detection_member" (
        "id" uuid NOT NULL,
        "seen_at" timestamptz NOT NULL,
        CONSTRAINT "detection_member_pk" PRIMARY KEY ("id")
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "detection_member"`);
  }
}
