import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The bytes of a page of learnt state may be an object outside of the database; its row names it. */
export class LearntStateInObjects1770811440000 implements MigrationInterface {
  name = 'LearntStateInObjects1770811440000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "detection_checkpoint_page" ADD "object" text`);
    // At the start, and by "plumbline doctor": is anything outside?
    await runner.query(`
      CREATE INDEX "detection_checkpoint_page_object" ON "detection_checkpoint_page" ("partition")
      WHERE "object" IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "detection_checkpoint_page_object"`);
    await runner.query(`ALTER TABLE "detection_checkpoint_page" DROP "object"`);
  }
}
