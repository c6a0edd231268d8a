import { type SchemaPart } from './schema-part.js';

/** Numbers of the tables that recent points go round in, as libs/series knows them. */
const RECENT_PARTS = [0, 1, 2, 10, 11];

/** Tables of the PostgreSQL adapters in libs/point-log and libs/series, which document their content. */
export const POINTS: SchemaPart = {
  create: `
    -- Rows live for a minute or so: they are deleted as soon as a checkpoint has passed them, and vacuum must keep up.
    CREATE TABLE "point_log" (
      "partition" integer NOT NULL,
      "position" bigint NOT NULL,
      "kind" smallint NOT NULL,
      "appended_at" double precision NOT NULL,
      "points" integer NOT NULL,
      "payload" bytea NOT NULL,
      CONSTRAINT "point_log_pk" PRIMARY KEY ("partition", "position")
    ) WITH (
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
      toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 10000
    );
    -- Columns of numbers hardly shrink under pglz: storing them as they are saves the time of trying.
    ALTER TABLE "point_log" ALTER COLUMN "payload" SET STORAGE EXTERNAL;
    CREATE SEQUENCE "point_log_position_seq" AS bigint;
    CREATE TABLE "point_log_layout" (
      "one_row" boolean NOT NULL DEFAULT true,
      "partitions" integer NOT NULL,
      CONSTRAINT "point_log_layout_pk" PRIMARY KEY ("one_row"),
      CONSTRAINT "point_log_layout_one_row_check" CHECK ("one_row")
    );

    CREATE SEQUENCE "series_seq" AS bigint;
    CREATE TABLE "series_state" (
      "one_row" boolean NOT NULL DEFAULT true,
      "recent_part" smallint NOT NULL DEFAULT 0,
      "recent_since" timestamptz NOT NULL DEFAULT now(),
      "closed_part" smallint,
      "closed_seq" bigint NOT NULL DEFAULT 0,
      "folded_seq" bigint NOT NULL DEFAULT 0,
      "held_part" smallint NOT NULL DEFAULT 10,
      "held_since" timestamptz,
      "held_seq" bigint NOT NULL DEFAULT 0,
      CONSTRAINT "series_state_pk" PRIMARY KEY ("one_row"),
      CONSTRAINT "series_state_one_row_check" CHECK ("one_row")
    );
    INSERT INTO "series_state" DEFAULT VALUES;

    -- Written once, read a few times and emptied as a whole: no row here is ever updated.
    CREATE TABLE "series_recent" (
      "seq" bigint NOT NULL DEFAULT nextval('series_seq'),
      "start_ts" bigint NOT NULL,
      "end_ts" bigint NOT NULL,
      "bucket" integer NOT NULL,
      "points" integer NOT NULL,
      "part" smallint NOT NULL,
      "filter" bytea NOT NULL,
      "payload" bytea NOT NULL
    ) PARTITION BY LIST ("part");
    ALTER TABLE "series_recent" ALTER COLUMN "filter" SET STORAGE MAIN;
    -- Compressing what lives for minutes only costs time.
    ALTER TABLE "series_recent" ALTER COLUMN "payload" SET STORAGE EXTERNAL;
    CREATE INDEX "series_recent_bucket_idx" ON "series_recent" ("bucket", "seq");
    ${RECENT_PARTS.map(String)
      .map((part) => `CREATE TABLE "series_recent_${part}" PARTITION OF "series_recent" FOR VALUES IN (${part});`)
      .join('\n    ')}

    -- Partitions of blocks (a day) and roll-ups (30 days) are made by the adapter when the first one of their time is
    -- written.
    CREATE TABLE "series_block" (
      "start_ts" bigint NOT NULL,
      "end_ts" bigint NOT NULL,
      "seq" bigint NOT NULL,
      "metric_id" integer NOT NULL,
      "points" integer NOT NULL,
      "payload" bytea NOT NULL
    ) PARTITION BY RANGE ("start_ts");
    ALTER TABLE "series_block" ALTER COLUMN "payload" SET STORAGE EXTERNAL;
    CREATE INDEX "series_block_metric_id_idx" ON "series_block" ("metric_id");
    CREATE TABLE "series_block_day" (
      "day" bigint NOT NULL,
      "loose_blocks" bigint NOT NULL,
      "compact_blocks" bigint NOT NULL DEFAULT 0,
      "written_at" timestamptz NOT NULL DEFAULT now(),
      "compacted_at" timestamptz,
      CONSTRAINT "series_block_day_pk" PRIMARY KEY ("day")
    );
    CREATE TABLE "series_rollup" (
      "start_ts" bigint NOT NULL,
      "end_ts" bigint NOT NULL,
      "seq" bigint NOT NULL,
      "metric_id" integer NOT NULL,
      "slots" integer NOT NULL,
      "payload" bytea NOT NULL
    ) PARTITION BY RANGE ("start_ts");
    ALTER TABLE "series_rollup" ALTER COLUMN "payload" SET STORAGE EXTERNAL;
    CREATE INDEX "series_rollup_metric_id_idx" ON "series_rollup" ("metric_id", "start_ts");
    CREATE TABLE "series_erased" (
      "metric_id" integer NOT NULL,
      "seq" bigint NOT NULL,
      "tier_1_seq" bigint NOT NULL,
      CONSTRAINT "series_erased_pk" PRIMARY KEY ("metric_id")
    );

    -- Series of deleted organisations that are still to be erased. No foreign keys: when a row is made its metric is
    -- gone, and soon its organisation is too.
    CREATE TABLE "leaving_series" (
      "metric_id" integer NOT NULL,
      "erase_at" timestamptz NOT NULL,
      "is_last" boolean NOT NULL,
      CONSTRAINT "leaving_series_pk" PRIMARY KEY ("metric_id")
    );
    CREATE INDEX "leaving_series_erase_idx" ON "leaving_series" ("erase_at");`,

  drop: `
    DROP TABLE "leaving_series", "series_erased", "series_rollup", "series_block_day", "series_block", "series_recent",
      "series_state", "point_log_layout", "point_log";
    DROP SEQUENCE "series_seq", "point_log_position_seq";`,
};
