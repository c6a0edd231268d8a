import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Makes the search row of a new metric cheaper: a name holds all keys and values of its labels, so one that is in lower case
 * already says that they are.
 */
export class CheaperSearchRows1770811560000 implements MigrationInterface {
  name = 'CheaperSearchRows1770811560000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION "metric_search_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO metric_search ("metric_id", "org_id", "state", "name", "type", "source", "labels")
        SELECT m.id, m.org_id, CASE WHEN m.removed_at IS NULL THEN 'active' ELSE 'removed' END,
               l.name, lower(m.type), lower(m.source),
               CASE WHEN l.name = m.name THEN m.labels ELSE metric_search_labels(m.labels) END
        FROM fresh AS m CROSS JOIN LATERAL (SELECT lower(m.name) AS name OFFSET 0) AS l;
        RETURN NULL;
      END $$;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION "metric_search_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO metric_search ("metric_id", "org_id", "state", "name", "type", "source", "labels")
        SELECT m.id, m.org_id, CASE WHEN m.removed_at IS NULL THEN 'active' ELSE 'removed' END,
               lower(m.name), lower(m.type), lower(m.source),
               CASE WHEN m.labels::text = lower(m.labels::text) THEN m.labels ELSE metric_search_labels(m.labels) END
        FROM fresh AS m;
        RETURN NULL;
      END $$;`);
  }
}
