import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Workers are notified of a change when it is committed, in place of polling. */
export class ChangesAreNotified1770518580000 implements MigrationInterface {
  name = 'ChangesAreNotified1770518580000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The same notification again in a transaction is dropped by the database.
      CREATE FUNCTION "notify_of_change"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify(TG_ARGV[0], '');
        RETURN NULL;
      END $$;
      CREATE TRIGGER "anomaly_change_added" AFTER INSERT ON "anomaly_change"
        FOR EACH STATEMENT EXECUTE FUNCTION "notify_of_change"('anomaly_change');
      CREATE TRIGGER "alert_change_added" AFTER INSERT ON "alert_change"
        FOR EACH STATEMENT EXECUTE FUNCTION "notify_of_change"('alert_change');
      -- What an alert waits for besides.
      CREATE TRIGGER "incident_anomaly_joined" AFTER INSERT ON "incident_anomaly"
        FOR EACH STATEMENT EXECUTE FUNCTION "notify_of_change"('alert_change');
      CREATE TRIGGER "threshold_change_added" AFTER INSERT ON "threshold_change"
        FOR EACH STATEMENT EXECUTE FUNCTION "notify_of_change"('threshold_change');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER "threshold_change_added" ON "threshold_change";
      DROP TRIGGER "incident_anomaly_joined" ON "incident_anomaly";
      DROP TRIGGER "alert_change_added" ON "alert_change";
      DROP TRIGGER "anomaly_change_added" ON "anomaly_change";
      DROP FUNCTION "notify_of_change"`);
  }
}
