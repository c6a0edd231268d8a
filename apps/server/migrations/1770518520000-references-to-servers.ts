import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An address, as `serverReference` (alerting/channel) makes a reference of it. */
const referenceOf = (address: string): string =>
  `lower(coalesce(substring(${address} from '^[a-zA-Z]+://(?:[^@/?#]*@)?([^/?#]+)'), '')) || '#' ||
   left(encode(sha256(convert_to(${address}, 'UTF8')), 'hex'), 16)`;

/**
 * The addresses of workflows of Teams are credentials: messages and plans have what stands for them. It cannot be taken back:
 * what was an address is known no more.
 */
export class ReferencesToServers1770518520000 implements MigrationInterface {
  name = 'ReferencesToServers1770518520000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE "alert_delivery" SET "recipient" = ${referenceOf('"recipient"')}
       WHERE "channel" = 'teams_chat' AND "recipient" LIKE '%://%'`,
    );
    await runner.query(
      `UPDATE "alert_plan" SET "state" = jsonb_set("state", '{destinations}', (
         SELECT jsonb_agg(
           CASE WHEN d ->> 'channel' = 'teams_chat' AND d ->> 'recipient' LIKE '%://%'
                THEN jsonb_set(d, '{recipient}', to_jsonb(${referenceOf("(d ->> 'recipient')")})) ELSE d END)
         FROM jsonb_array_elements("state" -> 'destinations') AS d))
       WHERE "state" -> 'destinations' @> '[{"channel": "teams_chat"}]'`,
    );
  }

  async down(): Promise<void> {
    // See above.
  }
}
