import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Makes new metrics cheap to store. A hash index keeps all metrics of one display name in one chain, which each new one
 * walks; a B-tree does not. Labels that are in lower case already are copied as they are. The first progress of metrics
 * that were made together needs as much room on their pages as they take themselves, or every index is written again.
 */
export class ManyNewMetrics1770792600000 implements MigrationInterface {
  name = 'ManyNewMetrics1770792600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The beginning only: an index entry is shorter than a name may be. In the order of its bytes, so that the next name
      -- is found with one step, however many metrics have this one.
      CREATE INDEX "metric_org_display_name_idx" ON "metric" ("org_id", left("display_name", 128) COLLATE "C");
      DROP INDEX "metric_display_name_idx";
      ALTER TABLE "metric" SET (fillfactor = 50);
      ${searchTriggers(`CASE WHEN m.labels::text = lower(m.labels::text) THEN m.labels ELSE metric_search_labels(m.labels) END`)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX "metric_display_name_idx" ON "metric" USING hash ("display_name");
      DROP INDEX "metric_org_display_name_idx";
      ALTER TABLE "metric" SET (fillfactor = 70);
      ${searchTriggers('metric_search_labels(m.labels)')}`);
  }
}

const searchTriggers = (labels: string): string => `
  CREATE OR REPLACE FUNCTION "metric_search_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO metric_search ("metric_id", "org_id", "state", "name", "type", "source", "labels")
    SELECT m.id, m.org_id, CASE WHEN m.removed_at IS NULL THEN 'active' ELSE 'removed' END,
           lower(m.name), lower(m.type), lower(m.source), ${labels}
    FROM fresh AS m;
    RETURN NULL;
  END $$;`;
