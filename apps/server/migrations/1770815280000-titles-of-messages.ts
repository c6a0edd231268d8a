import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The title of a message is kept when its content is not, so that lists show what each message said. */
export class TitlesOfMessages1770815280000 implements MigrationInterface {
  name = 'TitlesOfMessages1770815280000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "alert_delivery" ADD COLUMN "title" text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "alert_delivery" DROP COLUMN "title"');
  }
}
