import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Tables of the PostgreSQL adapters in libs/point-log and libs/series, which document their content. */
export class Points1767225600003 implements MigrationInterface {
  name = 'Points1767225600003';

  async up(runner: QueryRunner): Promise<void> {
    // Rows live for a minute or so: they are deleted as soon as a checkpoint has passed them, and vacuum must keep up.
    await runner.query(`
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
      )`);
    // Columns of numbers hardly shrink under pglz: storing them as they are saves the time of trying.
    await runner.query(`ALTER TABLE "point_log" ALTER COLUMN "payload" SET STORAGE EXTERNAL`);
    await runner.query(`CREATE SEQUENCE "point_log_position_seq" AS bigint`);
    await runner.query(`
      CREATE TABLE "point_log_layout" (
        "one_row" boolean NOT NULL DEFAULT true,
        "partitions" integer NOT NULL,
        CONSTRAINT "point_log_layout_pk" PRIMARY KEY ("one_row"),
        CONSTRAINT "point_log_layout_one_row_check" CHECK ("one_row")
      )`);

    // Partitions (a day, 30 days) are made by the adapter when the first point of their time arrives.
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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "series_retention"`);
    await runner.query(`DROP TABLE "series_rollup"`);
    await runner.query(`DROP TABLE "series_point"`);
    await runner.query(`DROP TABLE "point_log_layout"`);
    await runner.query(`DROP SEQUENCE "point_log_position_seq"`);
    await runner.query(`DROP TABLE "point_log"`);
  }
}
