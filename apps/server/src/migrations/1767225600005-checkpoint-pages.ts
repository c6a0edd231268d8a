import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What detection has learnt, page by page; and what it must hear of when metrics change. */
export class CheckpointPages1767225600005 implements MigrationInterface {
  name = 'CheckpointPages1767225600005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "detection_checkpoint" DROP COLUMN "state"`);
    await runner.query(`
      CREATE TABLE "detection_checkpoint_page" (
        "partition" integer NOT NULL,
        "page" integer NOT NULL,
        "position" bigint NOT NULL,
        "series" integer NOT NULL,
        "bytes" bytea NOT NULL,
        "taken_at" timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT "detection_checkpoint_page_pk" PRIMARY KEY ("partition", "page")
      ) WITH (
        fillfactor = 50,
        autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000
      )`);
    // The bytes are compressed already.
    await runner.query(`ALTER TABLE "detection_checkpoint_page" ALTER COLUMN "bytes" SET STORAGE EXTERNAL`);

    // The progress of every metric is written every few seconds. Without an index on what changes, and with room in its
    // page, a row is updated in place and no index is touched.
    await runner.query(`DROP INDEX "metric_org_last_idx"`);
    await runner.query(`
      ALTER TABLE "metric" SET (
        fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.2
      )`);

    // A series that its sender has ended is stale at once.
    await runner.query(`ALTER TABLE "metric" ADD COLUMN "has_ended" boolean NOT NULL DEFAULT false`);

    // Whoever changes the type of a metric, or erases one: detection hears of it, in the same transaction.
    await runner.query(`
      CREATE TABLE "metric_definition_change" (
        "id" bigint GENERATED ALWAYS AS IDENTITY,
        "metric_id" integer NOT NULL,
        "type" text,
        CONSTRAINT "metric_definition_change_pk" PRIMARY KEY ("id")
      )`);
    await runner.query(`
      CREATE FUNCTION "note_metric_definition"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' THEN
          INSERT INTO "metric_definition_change" ("metric_id", "type") VALUES (OLD."id", NULL);
        ELSE
          INSERT INTO "metric_definition_change" ("metric_id", "type") VALUES (NEW."id", NEW."type");
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER "metric_type_changed" AFTER UPDATE OF "type" ON "metric"
      FOR EACH ROW WHEN (OLD."type" IS DISTINCT FROM NEW."type") EXECUTE FUNCTION "note_metric_definition"()`);
    await runner.query(`
      CREATE TRIGGER "metric_erased" AFTER DELETE ON "metric"
      FOR EACH ROW EXECUTE FUNCTION "note_metric_definition"()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER "metric_erased" ON "metric"`);
    await runner.query(`DROP TRIGGER "metric_type_changed" ON "metric"`);
    await runner.query(`DROP FUNCTION "note_metric_definition"()`);
    await runner.query(`DROP TABLE "metric_definition_change"`);
    await runner.query(`ALTER TABLE "metric" DROP COLUMN "has_ended"`);
    await runner.query(`
      ALTER TABLE "metric" RESET (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor)`);
    await runner.query(`CREATE INDEX "metric_org_last_idx" ON "metric" ("org_id", "last_timestamp")`);
    await runner.query(`DROP TABLE "detection_checkpoint_page"`);
    await runner.query(`ALTER TABLE "detection_checkpoint" ADD COLUMN "state" bytea`);
    await runner.query(`ALTER TABLE "detection_checkpoint" ALTER COLUMN "state" SET STORAGE EXTERNAL`);
  }
}
