import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What is kept here of series whose points are in a store outside of the database (libs/series documents the content). */
export class PointsInOtherStores1770800640000 implements MigrationInterface {
  name = 'PointsInOtherStores1770800640000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Rows live for a minute or two: they are deleted as soon as the store outside has their points.
      CREATE TABLE "series_ahead" (
        "seq" bigint NOT NULL DEFAULT nextval('series_seq'),
        "start_ts" bigint NOT NULL,
        "end_ts" bigint NOT NULL,
        "bucket" integer NOT NULL,
        "points" integer NOT NULL,
        "written_at" timestamptz NOT NULL DEFAULT clock_timestamp(),
        "imported_at" timestamptz,
        "imports" smallint NOT NULL DEFAULT 0,
        "filter" bytea NOT NULL,
        "payload" bytea NOT NULL,
        CONSTRAINT "series_ahead_pk" PRIMARY KEY ("seq")
      ) WITH (
        autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 10000
      );
      ALTER TABLE "series_ahead" ALTER COLUMN "filter" SET STORAGE MAIN;
      ALTER TABLE "series_ahead" ALTER COLUMN "payload" SET STORAGE EXTERNAL;
      CREATE INDEX "series_ahead_bucket_idx" ON "series_ahead" ("bucket", "seq");

      -- No foreign keys: erasing leaves rows, whose generations must not be given again.
      CREATE TABLE "series_outside" (
        "metric_id" integer NOT NULL,
        "org_id" integer,
        "history" jsonb NOT NULL,
        "last_ts" bigint,
        "last_later" integer NOT NULL,
        "last_value" double precision NOT NULL,
        "retired_until" bigint NOT NULL,
        CONSTRAINT "series_outside_pk" PRIMARY KEY ("metric_id")
      );
      CREATE TABLE "series_doomed" (
        "metric_id" integer NOT NULL,
        "generation" integer NOT NULL,
        "org_id" integer NOT NULL,
        "doomed_at" timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT "series_doomed_pk" PRIMARY KEY ("metric_id", "generation")
      );
      CREATE INDEX "series_doomed_at_idx" ON "series_doomed" ("doomed_at");

      -- Where the points of the installation are: 'postgres' or 'victoria-metrics'.
      CREATE TABLE "series_home" (
        "one_row" boolean NOT NULL DEFAULT true,
        "home" text NOT NULL,
        CONSTRAINT "series_home_pk" PRIMARY KEY ("one_row"),
        CONSTRAINT "series_home_one_row_check" CHECK ("one_row")
      );
      -- Series that a copy to another store has done.
      CREATE TABLE "series_copied" (
        "metric_id" integer NOT NULL,
        "home" text NOT NULL,
        "points" bigint NOT NULL,
        "rollup_days" integer NOT NULL,
        CONSTRAINT "series_copied_pk" PRIMARY KEY ("home", "metric_id")
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "series_copied", "series_home", "series_doomed", "series_outside", "series_ahead"`);
  }
}
