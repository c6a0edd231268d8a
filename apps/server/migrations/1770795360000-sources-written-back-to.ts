import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Sources to which the expected range of their metrics is written, and how far. */
export class SourcesWrittenBackTo1770795360000 implements MigrationInterface {
  name = 'SourcesWrittenBackTo1770795360000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "source" ADD COLUMN "write_back" boolean NOT NULL DEFAULT false`);
    await runner.query(`CREATE TABLE "source_write_back" (
      "id" integer NOT NULL,
      "org_id" integer NOT NULL,
      "watermark" double precision,
      "failures" integer NOT NULL,
      "is_stopped" boolean NOT NULL,
      "last_error" text,
      "due_at" TIMESTAMP WITH TIME ZONE NOT NULL,
      "tries" integer NOT NULL,
      CONSTRAINT "source_write_back_pk" PRIMARY KEY ("id"),
      CONSTRAINT "source_write_back_source_fk" FOREIGN KEY ("id") REFERENCES "source"("id") ON DELETE CASCADE,
      CONSTRAINT "source_write_back_org_fk" FOREIGN KEY ("org_id") REFERENCES "org"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE INDEX "source_write_back_due_idx" ON "source_write_back" ("org_id", "due_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "source_write_back"`);
    await runner.query(`ALTER TABLE "source" DROP COLUMN "write_back"`);
  }
}
