import { type Type } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AnomalyModule } from '../../apps/server/src/analysis/anomaly/anomaly.module.js';
import { AuditListModule } from '../../apps/server/src/views/audit-list/audit-list.module.js';
import { DetectionModule } from '../../apps/server/src/analysis/detection/detection.module.js';
import { EventRecorderService } from '../../apps/server/src/platform/event/event-recorder.service.js';
import { EventModule } from '../../apps/server/src/platform/event/event.module.js';
import { EventListModule } from '../../apps/server/src/views/event-list/event-list.module.js';
import { ExclusionManagementModule } from '../../apps/server/src/teaching/exclusion-management/exclusion-management.module.js';
import { IngestModule } from '../../apps/server/src/data/ingest/ingest.module.js';
import { MetricRemovalModule } from '../../apps/server/src/analysis/metric-removal/metric-removal.module.js';
import { MetricRegistryModule } from '../../apps/server/src/data/metric/metric-registry.module.js';
import { SessionService } from '../../apps/server/src/people/session/session.service.js';
import { UserModule } from '../../apps/server/src/people/user/user.module.js';
import { UserService } from '../../apps/server/src/people/user/user.service.js';
import { type User } from '../../apps/server/src/people/user/user.types.js';
import { SERIES_STORE, type SeriesStore } from '../../apps/server/src/platform/storage/storage.types.js';
import { AreaApp, type AreaAppOptions } from './area-app.js';
import { HandClock } from './hand-clock.js';

export interface MetricRow {
  labels?: Record<string, string>;
  /** Unix seconds. */
  createdTimestamp?: number;
  lastTimestamp?: number;
  source?: string;
  /** Whether all points of the metric are backfill. */
  isOnlyHistory?: boolean;
}

/** The answer to a call: its HTTP status, headers and the `data` of its envelope. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON, looked into by expectations
  data: any;
}

/** The areas that administer metrics, with the path of a point. */
export class MetricApp extends AreaApp {
  private addresses = 0;

  /** @param also additional areas that the test needs */
  static async create(
    { env, clock = new HandClock(), ...options }: AreaAppOptions = {},
    also: readonly Type[] = [],
  ): Promise<MetricApp> {
    const areas = [
      IngestModule,
      DetectionModule,
      AnomalyModule,
      AuditListModule,
      EventModule,
      EventListModule,
      ExclusionManagementModule,
      MetricRegistryModule,
      MetricRemovalModule,
      UserModule,
      ...also,
    ];
    const atOnce = { PLUMBLINE_DETECTION_GATHER_MS: '0', PLUMBLINE_PROGRESS_SECONDS: '0', ...env };
    return new MetricApp(await this.start(areas, { ...options, env: atOnce, clock }), clock);
  }

  get series(): SeriesStore {
    return this.app.get<SeriesStore>(SERIES_STORE, { strict: false });
  }

  /** Inserts a metric with data until `lastTimestamp`, by default now; returns its id. */
  async aMetric(orgId: number, name: string, row: MetricRow = {}): Promise<number> {
    const { labels = {}, source = 'http', isOnlyHistory = false } = row;
    const { lastTimestamp = this.clock.seconds, createdTimestamp = this.clock.seconds - 10 * 86_400 } = row;
    const [metric] = await this.database.dataSource.query<{ id: number }[]>(
      `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source, created_at,
              last_timestamp, resolution_seconds, only_history)
       VALUES ($1, $2, $3, split_part($2, '{', 1), $4, 'gauge', 'last', $5, to_timestamp($6), $7, 60, $8) RETURNING id`,
      [
        ...[orgId, name, createHash('sha256').update(name).digest(), labels, source],
        ...[createdTimestamp, lastTimestamp, isOnlyHistory],
      ],
    );
    return metric!.id;
  }

  /**
   * Inserts an anomaly of a metric, open unless it has an end; returns its id. All properties must be given here: as
   * soon as the row exists, the application may group the anomaly and plan its alerts.
   */
  async anAnomaly(
    orgId: number,
    metricId: number,
    start: number,
    end: number | null = null,
    { isBackfill = false } = {},
  ): Promise<number> {
    const [anomaly] = await this.database.dataSource.query<{ id: number }[]>(
      `INSERT INTO anomaly (org_id, metric_id, start_timestamp, end_timestamp, peak_timestamp, score, severity, kind, state,
              backfill)
       VALUES ($1, $2, $3, $4, $3, 0.8, 40, 'spike', $5, $6) RETURNING id`,
      [orgId, metricId, start, end, end === null ? 'open' : 'resolved', isBackfill],
    );
    return anomaly!.id;
  }

  aUser(orgId: number, name: string): Promise<User> {
    const email = `user${String(++this.addresses)}@example.org`;
    return this.get(UserService).create({ orgId, email, name, password: 'correct horse battery' });
  }

  /** Begins a session; returns its id. */
  async aSession(userId: number): Promise<string> {
    return (await this.get(SessionService).begin(userId)).id;
  }

  async call(
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    credential: { token?: string; session?: string },
    body?: object,
  ): Promise<Answer> {
    const call = this.http()[method](`/api${path}`);
    if (credential.token !== undefined) call.set('X-Auth-Token', credential.token);
    if (credential.session !== undefined) call.set('X-Session-Id', credential.session);
    const answer = await (body === undefined ? call : call.send(body));
    return { status: answer.status, headers: answer.headers, data: answer.body.data };
  }

  /** Events of an organisation as [type, metric, text], oldest first. */
  async events(orgId: number): Promise<[type: string, metric: string | null, text: string][]> {
    await this.get(EventRecorderService).flush();
    const rows = await this.database.dataSource.query<{ type: string; metric: string | null; text: string }[]>(
      'SELECT type, metric, text FROM org_event WHERE org_id = $1 ORDER BY id',
      [orgId],
    );
    return rows.map(({ type, metric, text }) => [type, metric, text]);
  }
}
