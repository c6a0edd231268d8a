import { Injectable } from '@nestjs/common';
import { type SeverityLabel } from '#libs/contracts';
import { type Tx } from '../../common/database/transactions.js';
import { type AlertState } from '../alert/alert.types.js';

/** The messages about an anomaly that programs were sent. */
export interface StoredNotice {
  anomalyId: number;
  state: AlertState;
  /** Of the first message: `sent` or queued, given up, or never to be sent. */
  first: 'sent' | 'failed' | 'none';
  /** The severity in the last message. */
  severityLabel: SeverityLabel;
  isAcknowledged: boolean;
  watcherId: number | null;
  watcherName: string | null;
}

/** The same for all watchers and incidents: an anomaly opens once. */
export const noticeKey = (anomalyId: number): string => `event/anomaly/${String(anomalyId)}`;

/** Messages about single anomalies, in the tables of the area `alert`. */
@Injectable()
export class AnomalyNoticeRepository {
  /** By anomaly; those without are omitted. */
  async find(orgId: number, anomalyIds: readonly number[], tx: Tx): Promise<Map<number, StoredNotice>> {
    const rows: StoredNotice[] = await tx.query(
      `SELECT a.anomaly_id AS "anomalyId", a.state, a.watcher_id AS "watcherId", a.watcher_name AS "watcherName",
              a.content ->> 'severityLabel' AS "severityLabel",
              a.content #>> '{event,data,anomaly,acknowledged_at}' IS NOT NULL AS "isAcknowledged",
              (SELECT CASE WHEN bool_or(d.state IN ('queued', 'retrying', 'sent')) THEN 'sent'
                           WHEN bool_or(d.state = 'failed') THEN 'failed' ELSE 'none' END
               FROM alert_delivery d WHERE d.alert_id = a.id AND d.life = a.life AND d.phase = 'opened') AS first
       FROM alert a WHERE a.org_id = $1 AND a.key = ANY($2)`,
      [orgId, anomalyIds.map(noticeKey)],
    );
    return new Map(rows.map((row) => [row.anomalyId, row]));
  }
}
