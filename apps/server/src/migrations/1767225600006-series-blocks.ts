import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Numbers of the tables that recent points go round in, as libs/series knows them. */
const RECENT_PARTS = [0, 1, 2, 10, 11];

/**
 * Stored points as compressed blocks instead of rows: the tables of the PostgreSQL adapter in libs/series, which documents
 * their content.
 */
export class SeriesBlocks1767225600006 implements MigrationInterface {
  name = 'SeriesBlocks1767225600006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "series_retention"`);
    await runner.query(`DROP TABLE "series_rollup"`);
    await runner.query(`DROP TABLE "series_point"`);

    await runner.query(`CREATE SEQUENCE "series_seq" AS bigint`);
    await runner.query(`
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
        "tier_1_from" bigint NOT NULL DEFAULT 0,
        CONSTRAINT "series_state_pk" PRIMARY KEY ("one_row"),
        CONSTRAINT "series_state_one_row_check" CHECK ("one_row")
      )`);
    await runner.query(`INSERT INTO "series_state" DEFAULT VALUES`);

    // Written once, read a few times and emptied as a whole: nothing here is ever updated.
    await runner.query(`
      CREATE TABLE "series_recent" (
        "seq" bigint NOT NULL DEFAULT nextval('series_seq'),
        "start_ts" bigint NOT NULL,
        "end_ts" bigint NOT NULL,
        "bucket" integer NOT NULL,
        "points" integer NOT NULL,
        "part" smallint NOT NULL,
        "filter" bytea NOT NULL,
        "payload" bytea NOT NULL
      ) PARTITION BY LIST ("part")`);
    await runner.query(`ALTER TABLE "series_recent" ALTER COLUMN "filter" SET STORAGE MAIN`);
    // Compressing what lives for minutes only costs time.
    await runner.query(`ALTER TABLE "series_recent" ALTER COLUMN "payload" SET STORAGE EXTERNAL`);
    await runner.query(`CREATE INDEX "series_recent_bucket_idx" ON "series_recent" ("bucket", "seq")`);
    for (const part of RECENT_PARTS) {
      await runner.query(
        `CREATE TABLE "series_recent_${String(part)}" PARTITION OF "series_recent" FOR VALUES IN (${String(part)})`,
      );
    }

    // Partitions (a day, 30 days) are made when the first block of their time is written.
    await runner.query(`
      CREATE TABLE "series_block" (
        "start_ts" bigint NOT NULL,
        "end_ts" bigint NOT NULL,
        "seq" bigint NOT NULL,
        "metric_id" integer NOT NULL,
        "points" integer NOT NULL,
        "payload" bytea NOT NULL
      ) PARTITION BY RANGE ("start_ts")`);
    await runner.query(`ALTER TABLE "series_block" ALTER COLUMN "payload" SET STORAGE EXTERNAL`);
    await runner.query(`CREATE INDEX "series_block_metric_id_idx" ON "series_block" ("metric_id")`);
    await runner.query(`
      CREATE TABLE "series_block_day" (
        "day" bigint NOT NULL,
        "loose_blocks" bigint NOT NULL,
        "compact_blocks" bigint NOT NULL DEFAULT 0,
        "written_at" timestamptz NOT NULL DEFAULT now(),
        "compacted_at" timestamptz,
        CONSTRAINT "series_block_day_pk" PRIMARY KEY ("day")
      )`);
    await runner.query(`
      CREATE TABLE "series_rollup" (
        "start_ts" bigint NOT NULL,
        "end_ts" bigint NOT NULL,
        "seq" bigint NOT NULL,
        "metric_id" integer NOT NULL,
        "slots" integer NOT NULL,
        "payload" bytea NOT NULL
      ) PARTITION BY RANGE ("start_ts")`);
    await runner.query(`ALTER TABLE "series_rollup" ALTER COLUMN "payload" SET STORAGE EXTERNAL`);
    await runner.query(`CREATE INDEX "series_rollup_metric_id_idx" ON "series_rollup" ("metric_id", "start_ts")`);
    await runner.query(`
      CREATE TABLE "series_erased" (
        "metric_id" integer NOT NULL,
        "seq" bigint NOT NULL,
        "tier_1_seq" bigint NOT NULL,
        CONSTRAINT "series_erased_pk" PRIMARY KEY ("metric_id")
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['erased', 'rollup', 'block_day', 'block', 'recent', 'state']) {
      await runner.query(`DROP TABLE "series_${table}"`);
    }
    await runner.query(`DROP SEQUENCE "series_seq"`);
    await runner.query(`
      CREATE TABLE "series_point" (
        "ts" bigint NOT NULL,
        "value" double precision NOT NULL,
        "metric_id" integer NOT NULL,
        CONSTRAINT "series_point_pk" PRIMARY KEY ("metric_id", "ts")
      ) PARTITION BY RANGE ("ts")`);
    await runner.query(`
      CREATE TABLE "series_rollup" (
        "ts" bigint NOT NULL,
        "last_ts" bigint NOT NULL,
        "min" double precision NOT NULL,
        "max" double precision NOT NULL,
        "sum" double precision NOT NULL,
        "last" double precision NOT NULL,
        "count" integer NOT NULL,
        "metric_id" integer NOT NULL,
        CONSTRAINT "series_rollup_pk" PRIMARY KEY ("metric_id", "ts")
      ) PARTITION BY RANGE ("ts")`);
    await runner.query(`
      CREATE TABLE "series_retention" (
        "one_row" boolean NOT NULL DEFAULT true,
        "tier_1_from" bigint NOT NULL,
        CONSTRAINT "series_retention_pk" PRIMARY KEY ("one_row"),
        CONSTRAINT "series_retention_one_row_check" CHECK ("one_row")
      )`);
  }
}
