import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Where the point log of the installation lives: in this database, or in NATS JetStream. */
export class PointLogPlace1770791040000 implements MigrationInterface {
  name = 'PointLogPlace1770791040000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE "point_log_layout"
        ADD "log_id" uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD "place" text NOT NULL DEFAULT 'postgresql',
        ADD CONSTRAINT "point_log_layout_place_check" CHECK ("place" IN ('postgresql', 'jetstream'))`);
    // A process that was started before the log moved would store points where no detection reads them. The class of the
    // error is one that passes by itself: senders come again, and meet a process that knows the new place.
    await runner.query(`
      CREATE FUNCTION "point_log_refuse_when_moved"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM "point_log_layout" WHERE "place" <> 'postgresql') THEN
          RAISE EXCEPTION 'The point log has moved to NATS JetStream: restart this process with POINT_LOG_URL'
            USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER "point_log_moved" BEFORE INSERT ON "point_log"
      FOR EACH STATEMENT EXECUTE FUNCTION "point_log_refuse_when_moved"()`);
    // The application may be a role that can take numbers of the sequence, and not set it.
    await runner.query(`
      CREATE FUNCTION "point_log_go_on_above"(lowest bigint) RETURNS void
      LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
        SELECT setval('point_log_position_seq', lowest) FROM "point_log_position_seq" WHERE last_value < lowest
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION "point_log_go_on_above"(bigint)`);
    await runner.query(`DROP TRIGGER "point_log_moved" ON "point_log"`);
    await runner.query(`DROP FUNCTION "point_log_refuse_when_moved"()`);
    await runner.query(`
      ALTER TABLE "point_log_layout" DROP CONSTRAINT "point_log_layout_place_check", DROP "place", DROP "log_id"`);
  }
}
