import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What demo organisations were taught after their history came in. */
export class DemoStories1769299200000 implements MigrationInterface {
  name = 'DemoStories1769299200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "demo_story" (
        "org_id" integer NOT NULL,
        "taught_at" timestamptz,
        "confirmed_at" timestamptz,
        "tuned_at" timestamptz,
        "tuning_id" integer,
        CONSTRAINT "demo_story_pk" PRIMARY KEY ("org_id"),
        CONSTRAINT "demo_story_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE,
        CONSTRAINT "demo_story_tuning_fk" FOREIGN KEY ("tuning_id") REFERENCES "tuning" ("id") ON DELETE SET NULL
      )`);
    await runner.query(
      `CREATE INDEX "demo_story_tuning_idx" ON "demo_story" ("tuning_id") WHERE "tuning_id" IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "demo_story"`);
  }
}
