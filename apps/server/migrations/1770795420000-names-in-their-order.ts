import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Names without labels in the order of their bytes: each distinct one is found with one step, however many metrics have it. The
 * beginning only: an index entry is shorter than a name may be.
 */
export class NamesInTheirOrder1770795420000 implements MigrationInterface {
  name = 'NamesInTheirOrder1770795420000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "metric_display_order_idx" ON "metric" ("org_id", left("display_name", 128) COLLATE "C")
       WHERE "removed_at" IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "metric_display_order_idx"`);
  }
}
