import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Organisations decide how long their points are kept, and how long the slots of new ones are. */
export class Retention1767225600014 implements MigrationInterface {
  name = 'Retention1767225600014';

  async up(runner: QueryRunner): Promise<void> {
    // No time is the boundary of tier 1 for all series any more.
    await runner.query(`ALTER TABLE "series_state" DROP COLUMN "tier_1_from"`);

    // Whoever changes the slots or the zone of an organisation: detection hears of it, in the same transaction. Metrics
    // are made under a lock of the organisation, so none can be missed that was told the old values.
    await runner.query(`
      ALTER TABLE "metric_definition_change"
        ADD COLUMN "kind" text NOT NULL DEFAULT 'type',
        ADD COLUMN "slot_seconds" integer`);
    await runner.query(`UPDATE "metric_definition_change" SET "kind" = 'erased' WHERE "type" IS NULL`);
    await runner.query(`ALTER TABLE "metric_definition_change" ALTER COLUMN "kind" DROP DEFAULT`);
    await runner.query(
      noteMetric(`("metric_id", "kind", "type")`, `(OLD."id", 'erased', NULL)`, `(NEW."id", 'type', NEW."type")`),
    );
    await runner.query(`
      CREATE FUNCTION "note_org_definition"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD."retention_1_resolution_seconds" <> NEW."retention_1_resolution_seconds" THEN
          INSERT INTO "metric_definition_change" ("metric_id", "kind", "slot_seconds")
          SELECT "id", 'slots', NEW."retention_1_resolution_seconds" FROM "metric" WHERE "org_id" = NEW."id";
        END IF;
        IF OLD."timezone" <> NEW."timezone" THEN
          INSERT INTO "metric_definition_change" ("metric_id", "kind")
          SELECT "id", 'zone' FROM "metric" WHERE "org_id" = NEW."id";
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER "org_definition_changed" AFTER UPDATE OF "retention_1_resolution_seconds", "timezone" ON "org"
      FOR EACH ROW EXECUTE FUNCTION "note_org_definition"()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER "org_definition_changed" ON "org"`);
    await runner.query(`DROP FUNCTION "note_org_definition"()`);
    await runner.query(noteMetric(`("metric_id", "type")`, `(OLD."id", NULL)`, `(NEW."id", NEW."type")`));
    await runner.query(`DELETE FROM "metric_definition_change" WHERE "kind" NOT IN ('type', 'erased')`);
    await runner.query(`ALTER TABLE "metric_definition_change" DROP COLUMN "kind", DROP COLUMN "slot_seconds"`);
    await runner.query(`ALTER TABLE "series_state" ADD COLUMN "tier_1_from" bigint NOT NULL DEFAULT 0`);
  }
}

const noteMetric = (columns: string, erased: string, retyped: string): string => `
  CREATE OR REPLACE FUNCTION "note_metric_definition"() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      INSERT INTO "metric_definition_change" ${columns} VALUES ${erased};
    ELSE
      INSERT INTO "metric_definition_change" ${columns} VALUES ${retyped};
    END IF;
    RETURN NULL;
  END $$`;
