import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Incidents that have ended now end with the end of their last anomalous slot, no longer with its start. */
export class IncidentsEndWithTheirLastSlot1770811980000 implements MigrationInterface {
  name = 'IncidentsEndWithTheirLastSlot1770811980000';

  async up(runner: QueryRunner): Promise<void> {
    await endWith(
      runner,
      `ceil(coalesce(a."out_until_timestamp", a."end_timestamp" + coalesce(m."resolution_seconds", 60)))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await endWith(runner, `a."end_timestamp"`);
  }
}

async function endWith(runner: QueryRunner, end: string): Promise<void> {
  await runner.query(`
    UPDATE "incident" i SET "end_timestamp" = e."end"
    FROM (
      SELECT l."incident_id", max(${end}) AS "end" FROM "incident_anomaly" l
      JOIN "anomaly" a ON a."id" = l."anomaly_id" JOIN "metric" m ON m."id" = a."metric_id"
      WHERE a."end_timestamp" IS NOT NULL GROUP BY l."incident_id") e
    WHERE e."incident_id" = i."id" AND i."end_timestamp" IS NOT NULL`);
}
