import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Where detection stands in each partition of the point log, and what it had learnt by then. */
export class DetectionCheckpoint1767225600004 implements MigrationInterface {
  name = 'DetectionCheckpoint1767225600004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "detection_checkpoint" (
        "partition" integer NOT NULL,
        "epoch" integer NOT NULL DEFAULT 0,
        "position" bigint NOT NULL DEFAULT 0,
        "applied_position" bigint NOT NULL DEFAULT 0,
        "state" bytea,
        "taken_at" timestamptz,
        CONSTRAINT "detection_checkpoint_pk" PRIMARY KEY ("partition")
      ) WITH (fillfactor = 50)`);
    // The state is megabytes of numbers that pglz hardly shrinks: storing it as it is saves the time of trying.
    await runner.query(`ALTER TABLE "detection_checkpoint" ALTER COLUMN "state" SET STORAGE EXTERNAL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "detection_checkpoint"`);
  }
}
