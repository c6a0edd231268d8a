import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A flood of new metrics no longer waits for its rows in `metric_search`: a transaction that says so only notes the metrics,
 * and their search rows are written behind it.
 */
export class SearchRowsBehind1770811620000 implements MigrationInterface {
  name = 'SearchRowsBehind1770811620000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "metric_search_pending" (
        "id" bigint GENERATED ALWAYS AS IDENTITY,
        "org_id" integer NOT NULL,
        "metric_ids" integer[] NOT NULL,
        CONSTRAINT "metric_search_pending_pk" PRIMARY KEY ("id"),
        CONSTRAINT "metric_search_pending_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      );
      CREATE INDEX "metric_search_pending_org_idx" ON "metric_search_pending" ("org_id");

      CREATE FUNCTION "metric_search_write"(ids integer[]) RETURNS void LANGUAGE sql AS $$
        INSERT INTO metric_search AS s ("metric_id", "org_id", "state", "name", "type", "source", "labels")
        SELECT m.id, m.org_id, CASE WHEN m.removed_at IS NULL THEN 'active' ELSE 'removed' END,
               l.name, lower(m.type), lower(m.source),
               CASE WHEN l.name = m.name THEN m.labels ELSE metric_search_labels(m.labels) END
        FROM metric AS m CROSS JOIN LATERAL (SELECT lower(m.name) AS name OFFSET 0) AS l
        WHERE m.id = ANY (ids)
        ON CONFLICT (metric_id) DO UPDATE SET
          state = CASE WHEN excluded.state = 'removed' THEN 'removed' WHEN s.state = 'removed' THEN 'active' ELSE s.state END,
          name = excluded.name, type = excluded.type, source = excluded.source, labels = excluded.labels
      $$;
      CREATE OR REPLACE FUNCTION "metric_search_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF current_setting('plumbline.search_behind', true) = 'on' THEN
          INSERT INTO metric_search_pending ("org_id", "metric_ids")
          SELECT org_id, array_agg(id) FROM fresh GROUP BY org_id;
        ELSE
          INSERT INTO metric_search ("metric_id", "org_id", "state", "name", "type", "source", "labels")
          SELECT m.id, m.org_id, CASE WHEN m.removed_at IS NULL THEN 'active' ELSE 'removed' END,
                 l.name, lower(m.type), lower(m.source),
                 CASE WHEN l.name = m.name THEN m.labels ELSE metric_search_labels(m.labels) END
          FROM fresh AS m CROSS JOIN LATERAL (SELECT lower(m.name) AS name OFFSET 0) AS l;
        END IF;
        RETURN NULL;
      END $$;
      -- A row that is being written at this moment cannot be seen yet: it is written again.
      CREATE OR REPLACE FUNCTION "metric_search_update"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE metric_search AS s SET
          state = CASE WHEN NEW.removed_at IS NOT NULL THEN 'removed' WHEN s.state = 'removed' THEN 'active' ELSE s.state END,
          name = lower(NEW.name), type = lower(NEW.type), source = lower(NEW.source),
          labels = metric_search_labels(NEW.labels)
        WHERE s.metric_id = NEW.id;
        IF NOT FOUND THEN
          INSERT INTO metric_search_pending ("org_id", "metric_ids") VALUES (NEW.org_id, ARRAY[NEW.id]);
        END IF;
        RETURN NULL;
      END $$;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION "metric_search_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO metric_search ("metric_id", "org_id", "state", "name", "type", "source", "labels")
        SELECT m.id, m.org_id, CASE WHEN m.removed_at IS NULL THEN 'active' ELSE 'removed' END,
               l.name, lower(m.type), lower(m.source),
               CASE WHEN l.name = m.name THEN m.labels ELSE metric_search_labels(m.labels) END
        FROM fresh AS m CROSS JOIN LATERAL (SELECT lower(m.name) AS name OFFSET 0) AS l;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE FUNCTION "metric_search_update"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE metric_search AS s SET
          state = CASE WHEN NEW.removed_at IS NOT NULL THEN 'removed' WHEN s.state = 'removed' THEN 'active' ELSE s.state END,
          name = lower(NEW.name), type = lower(NEW.type), source = lower(NEW.source),
          labels = metric_search_labels(NEW.labels)
        WHERE s.metric_id = NEW.id;
        RETURN NULL;
      END $$;
      SELECT metric_search_write(array_agg(id)) FROM (SELECT unnest(metric_ids) AS id FROM metric_search_pending) AS waiting;
      DROP FUNCTION "metric_search_write"(integer[]);
      DROP TABLE "metric_search_pending";`);
  }
}
