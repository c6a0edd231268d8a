import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Points that each organisation has sent, over time. */
export class PointCounts1767225600013 implements MigrationInterface {
  name = 'PointCounts1767225600013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "org_point_count" (
        "org_id" integer NOT NULL,
        "timestamp" double precision NOT NULL,
        "points" double precision NOT NULL,
        CONSTRAINT "org_point_count_pk" PRIMARY KEY ("org_id", "timestamp"),
        CONSTRAINT "org_point_count_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "org_point_count_timestamp_idx" ON "org_point_count" ("timestamp")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "org_point_count"`);
  }
}
