import { IncidentGroupingService } from '../../apps/server/src/analysis/incident/incident-grouping.service.js';
import { AlertPlannerService } from '../../apps/server/src/alerting/alert-plan/alert-planner.service.js';
import { WatcherDirectoryService } from '../../apps/server/src/alerting/watcher/watcher-directory.service.js';
import { type MetricApp } from './metric-app.js';

/** An organisation whose alerts the test groups and plans. */
export class PlannedOrg {
  constructor(
    private readonly app: MetricApp,
    readonly id: number,
  ) {}

  query<T>(sql: string, values: readonly unknown[]): Promise<T[]> {
    return this.app.database.dataSource.query<T[]>(sql, [...values]);
  }

  /** Inserts a watcher of anomalies, by default with alerts by webhook; returns its id. */
  async aWatcher(columns: Record<string, unknown> = {}): Promise<number> {
    const row = {
      org_id: this.id,
      type: 'anomaly',
      name: `Watcher ${String(Math.random())}`,
      chips: [],
      alert: true,
      min_severity: 0,
      min_duration_seconds: 0,
      direction: 'both',
      kinds: [],
      pagerduty: false,
      alertmanager: false,
      webhook: true,
      expiration_time: 3600,
      expiration_time_unit: 'second',
      expiration_seconds: 3600,
      ...columns,
    };
    const names = Object.keys(row);
    const [watcher] = await this.query<{ id: number }>(
      `INSERT INTO watcher (${names.join()}) VALUES (${names.map((_, index) => `$${String(index + 1)}`).join()}) RETURNING id`,
      Object.values(row),
    );
    this.app.get(WatcherDirectoryService).forget(this.id);
    return watcher!.id;
  }

  /** Inserts a metric of a host with an anomaly that begins now; returns the id of the anomaly. */
  async failing(name: string, host = 'db-1'): Promise<number> {
    const metricId = await this.app.aMetric(this.id, `${name}{host="${host}"}`, { labels: { host } });
    return this.app.anAnomaly(this.id, metricId, this.app.clock.seconds);
  }

  change(anomalyId: number, assignments: string): Promise<unknown> {
    return this.query(`UPDATE anomaly SET ${assignments} WHERE id = $1`, [anomalyId]);
  }

  /** Groups and plans until nothing is pending; the application does the same concurrently. */
  async plan(): Promise<void> {
    for (;;) {
      await this.app.get(IncidentGroupingService).run();
      await this.app.get(AlertPlannerService).run();
      const [left] = await this.query(
        `SELECT 1 FROM anomaly_change WHERE org_id = $1 UNION ALL SELECT 1 FROM alert_change WHERE org_id = $1
         UNION ALL SELECT 1 FROM alert_plan WHERE org_id = $1 AND due_at <= $2 LIMIT 1`,
        [this.id, this.app.clock.now()],
      );
      if (left === undefined) return;
    }
  }

  async planAfter(seconds: number): Promise<void> {
    await this.plan();
    this.app.clock.seconds += seconds;
    await this.plan();
  }
}
