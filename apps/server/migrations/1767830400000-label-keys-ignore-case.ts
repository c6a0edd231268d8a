import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Chips find label keys ignoring case: `metric_search` has them in lower case. Keys of a metric that differ in case only
 * become one, with a list of their values.
 */
export class LabelKeysIgnoreCase1767830400000 implements MigrationInterface {
  name = 'LabelKeysIgnoreCase1767830400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION "metric_search_labels"(labels jsonb) RETURNS jsonb
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT coalesce(jsonb_object_agg(l.key, CASE WHEN l.count = 1 THEN l.values -> 0 ELSE l.values END), '{}'::jsonb)
        FROM (SELECT lower(key) AS key, jsonb_agg(lower(value) ORDER BY key) AS values, count(*) AS count
              FROM jsonb_each_text(labels) GROUP BY 1) AS l
      $$`);
    await this.rewrite(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION "metric_search_labels"(labels jsonb) RETURNS jsonb
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT coalesce(jsonb_object_agg(l.key, lower(l.value)), '{}'::jsonb) FROM jsonb_each_text(labels) AS l
      $$`);
    await this.rewrite(runner);
  }

  /** Rows of metrics without capitals in their keys are the same either way. */
  private async rewrite(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE "metric_search" AS s SET "labels" = metric_search_labels(m.labels)
      FROM "metric" AS m
      WHERE m.id = s.metric_id AND EXISTS (SELECT FROM jsonb_object_keys(m.labels) AS k WHERE k <> lower(k))`);
  }
}
