import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How much the instances of a pattern differ in length and height stands beside it. Patterns of before have one. */
export class HabitsOfPatterns1770781740000 implements MigrationInterface {
  name = 'HabitsOfPatterns1770781740000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "pattern" ADD COLUMN "instances" integer NOT NULL DEFAULT 1,
         ADD COLUMN "shortest" double precision NOT NULL DEFAULT 1,
         ADD COLUMN "longest" double precision NOT NULL DEFAULT 1,
         ADD COLUMN "lowest" double precision NOT NULL DEFAULT 1,
         ADD COLUMN "highest" double precision NOT NULL DEFAULT 1`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "pattern" DROP COLUMN "instances", DROP COLUMN "shortest", DROP COLUMN "longest",
         DROP COLUMN "lowest", DROP COLUMN "highest"`,
    );
  }
}
