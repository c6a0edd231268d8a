import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How rare an anomaly is stands in its record. */
export class RarityOfAnomalies1770691200000 implements MigrationInterface {
  name = 'RarityOfAnomalies1770691200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "anomaly" ADD COLUMN "rarity_days" double precision`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "anomaly" DROP COLUMN "rarity_days"`);
  }
}
