import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { auditPart } from './first-schema/audit.js';
import { BILLING_AND_DEMO } from './first-schema/billing-and-demo.js';
import { CREDENTIALS } from './first-schema/credentials.js';
import { DETECTION } from './first-schema/detection.js';
import { METRICS } from './first-schema/metrics.js';
import { ORGANISATIONS } from './first-schema/organisations.js';
import { POINTS } from './first-schema/points.js';
import { RECORDS } from './first-schema/records.js';
import { type SchemaPart } from './first-schema/schema-part.js';

/** The whole schema as of the first release, part by part: a part refers to those before it only. */
export class FirstSchema1767225600000 implements MigrationInterface {
  name = 'FirstSchema1767225600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const { create } of await this.parts(runner)) await runner.query(create);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { drop } of (await this.parts(runner)).reverse()) await runner.query(drop);
  }

  private async parts(runner: QueryRunner): Promise<SchemaPart[]> {
    const rows = (await runner.query(`SELECT quote_ident(current_schema()) AS schema`)) as { schema: string }[];
    const audit = auditPart(rows[0]!.schema);
    return [ORGANISATIONS, CREDENTIALS, METRICS, POINTS, DETECTION, RECORDS, audit, BILLING_AND_DEMO];
  }
}
