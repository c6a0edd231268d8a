import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Tx } from '../../common/database/transactions.js';

export interface NewIssueReport {
  userId: number;
  /** Unix seconds. */
  reportedAt: number;
  message: string;
  url: string;
  /** JSON. */
  context: string;
}

@Injectable()
export class IssueReportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns its id. */
  async insert(orgId: number, report: NewIssueReport, tx: Tx): Promise<number> {
    const rows: { id: number }[] = await tx.query(
      `INSERT INTO issue_report (org_id, user_id, reported_at, message, url, context)
       VALUES ($1, $2, to_timestamp($3), $4, $5, $6) RETURNING id`,
      [orgId, report.userId, report.reportedAt, report.message, report.url, report.context],
    );
    return rows[0]!.id;
  }

  /** Number of reports of an organisation since a time (Unix seconds). */
  async countSince(orgId: number, since: number, tx?: Tx): Promise<number> {
    const rows: { count: number }[] = await (tx ?? this.dataSource).query(
      `SELECT count(*)::integer AS count FROM issue_report WHERE org_id = $1 AND reported_at >= to_timestamp($2)`,
      [orgId, since],
    );
    return rows[0]!.count;
  }

  /** Deletes the reports of an organisation from before a time (Unix seconds). */
  async forgetBefore(orgId: number, before: number, tx: Tx): Promise<void> {
    await tx.query(`DELETE FROM issue_report WHERE org_id = $1 AND reported_at < to_timestamp($2)`, [orgId, before]);
  }
}
