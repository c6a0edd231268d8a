import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { countsAgainstQuotaSql } from '../chips/metric-state-sql.js';
import { type TestResult } from './test-result.js';

/** Results of test-mode sends, for some minutes. */
@Injectable()
export class TestSendRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param sentAt Unix seconds */
  async insert(orgId: number, sentAt: number, result: TestResult): Promise<void> {
    const text = JSON.stringify(result);
    await this.dataSource.query(
      `INSERT INTO test_send (org_id, sent_at, bytes, result) VALUES ($1, to_timestamp($2), $3, $4)`,
      [orgId, sentAt, text.length, text],
    );
  }

  /** Drops sends from before a time (Unix seconds), and the oldest ones of an organisation beyond `maxBytes`. */
  async trim(orgId: number, before: number, maxBytes: number): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM test_send WHERE sent_at < to_timestamp($2) OR id IN (
         SELECT id FROM (
           SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total, row_number() OVER (ORDER BY id DESC) AS place
           FROM test_send WHERE org_id = $1
         ) AS sends WHERE total > $3 AND place > 1)`,
      [orgId, before, maxBytes],
    );
  }

  /** Of one organisation since a moment (Unix seconds), oldest first. */
  async since(orgId: number, since: number): Promise<TestResult[]> {
    const rows: { result: string }[] = await this.dataSource.query(
      `SELECT result FROM test_send WHERE org_id = $1 AND sent_at >= to_timestamp($2) ORDER BY id`,
      [orgId, since],
    );
    return rows.map(({ result }) => JSON.parse(result) as TestResult);
  }

  /** Metrics that count against the quota of an organisation. `now` in Unix seconds. */
  async quotaUsed(orgId: number, now: number): Promise<number> {
    const rows: { used: number }[] = await this.dataSource.query(
      `SELECT count(*)::integer AS used FROM metric_search s WHERE s.org_id = $1 AND ${countsAgainstQuotaSql('s', '$2')}`,
      [orgId, now],
    );
    return rows[0]!.used;
  }
}
