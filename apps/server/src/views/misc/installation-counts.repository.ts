import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface InstallationCounts {
  organisations: number;
  /** Metrics that have not been removed; each is a series. */
  metrics: number;
  openAnomalies: number;
  /** Unix seconds of the newest point of any metric; null before the first. */
  lastPointAt: number | null;
  /** Messages of alerts. */
  alertsWaiting: number;
  /** Unix seconds; null if none waits. */
  oldestAlertAt: number | null;
  alertsGivenUp: number;
  databaseBytes: number;
}

/** Totals of the installation for its operator, so its methods have no organisation parameter. */
@Injectable()
export class InstallationCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async countAll(): Promise<InstallationCounts> {
    const rows: InstallationCounts[] = await this.dataSource.query(
      `SELECT (SELECT count(*)::integer FROM org WHERE deleted_at IS NULL) AS organisations,
              metrics, "lastPointAt",
              (SELECT count(*)::integer FROM anomaly WHERE state = 'open') AS "openAnomalies",
              "alertsWaiting", "oldestAlertAt",
              (SELECT count(*)::integer FROM alert_delivery WHERE state = 'failed') AS "alertsGivenUp",
              pg_database_size(current_database())::float8 AS "databaseBytes"
         FROM (SELECT count(*)::integer AS metrics, max(last_timestamp)::float8 AS "lastPointAt"
                 FROM metric WHERE removed_at IS NULL) AS known,
              (SELECT count(*)::integer AS "alertsWaiting", extract(epoch FROM min(created_at))::float8 AS "oldestAlertAt"
                 FROM alert_delivery WHERE due_at IS NOT NULL AND state IN ('queued', 'retrying')) AS messages`,
    );
    return rows[0]!;
  }

  /** Of the database server: the connections of all clients, and the maximum for ordinary ones. */
  async connections(): Promise<{ used: number; most: number }> {
    const rows: { used: number; most: number }[] = await this.dataSource.query(
      `SELECT (SELECT sum(numbackends)::integer FROM pg_stat_database) AS used,
              current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer AS most`,
    );
    return rows[0]!;
  }
}
