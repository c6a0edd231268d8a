import { Injectable } from '@nestjs/common';
import { WatcherReaderService } from '../../alerting/watcher/watcher-reader.service.js';
import { AnomalyRankingService } from '../../analysis/anomaly/anomaly-ranking.service.js';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { IncidentService } from '../../analysis/incident/incident.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Window } from '../../common/window/window.js';
import { type Chip } from '../../data/chips/chips.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { EventListService } from '../event-list/event-list.service.js';
import { OrgSummaryService } from '../organisation/org-summary.service.js';
import { DashboardWindowService } from './dashboard-window.service.js';
import { type PanelDto, type PanelValue } from './dto/dashboard.dto.js';
import { type OrgDashboardParams } from './dto/dashboard.params.js';
import { answerPanel, milliseconds, millisecondsOrNull, type Panel } from './panel.js';

interface ListRequest {
  caller: KnownCaller;
  chips: readonly Chip[] | undefined;
  limit: number;
}

type Rows = Record<string, PanelValue>[];

/** Objects of an organisation, as rows for dashboards. */
@Injectable()
export class DashboardListsService {
  constructor(
    private readonly metrics: MetricService,
    private readonly watchers: WatcherReaderService,
  ) {}

  async listMetrics({ caller, chips, limit }: ListRequest): Promise<Rows> {
    const state = ['active', 'stale', 'inactive'] as const;
    const { metrics } = await this.metrics.list(caller.org, { chips, state, order: 'name', limit, offset: 0 });
    return metrics.map(({ name, id, state: is, last_timestamp, anomaly_count }) => {
      return { name, id, state: is, last_data: millisecondsOrNull(last_timestamp), anomaly_count };
    });
  }

  /** The watchers of the metrics that the chips select. */
  async listWatchers({ caller, chips, limit }: ListRequest): Promise<Rows> {
    const page = { include_deleted: false, order: 'name', limit, offset: 0 } as const;
    const { watchers } = await this.watchers.list(caller, { ...page, chips });
    return watchers.map(({ name, id, type, alert, metrics_count, last_alert_timestamp }) => {
      return { name, id, type, alert, metrics_count, last_alert: millisecondsOrNull(last_alert_timestamp) };
    });
  }
}

interface OrgRequest {
  caller: KnownCaller;
  window: Window;
  chips: readonly Chip[] | undefined;
  limit: number;
}

/** Panels of a dashboard about an organisation. */
@Injectable()
export class OrgDashboardService {
  private readonly panels: Readonly<Record<string, Panel<OrgRequest>>>;

  constructor(
    private readonly summaries: OrgSummaryService,
    private readonly ranking: AnomalyRankingService,
    private readonly anomalies: AnomalyService,
    private readonly incidents: IncidentService,
    private readonly events: EventListService,
    private readonly lists: DashboardListsService,
    private readonly windows: DashboardWindowService,
  ) {
    const panel = (columns: Panel<OrgRequest>['columns'], find: (request: OrgRequest) => Promise<Rows>) => ({
      columns,
      find: async (request: OrgRequest) => ({ rows: await find(request) }),
    });
    this.panels = {
      overview: panel({ name: 'string', value: 'number' }, (request) => this.overview(request)),
      mostanomalous: panel(
        {
          metric: 'string',
          metric_id: 'number',
          anomaly_count: 'number',
          max_severity: 'number',
          total_score: 'number',
          last_anomaly: 'timestamp_ms',
        },
        (request) => this.mostAnomalous(request),
      ),
      recentanomalies: panel(
        {
          time: 'timestamp_ms',
          time_end: 'timestamp_ms',
          id: 'number',
          metric: 'string',
          kind: 'string',
          state: 'string',
          score: 'number',
          severity: 'number',
        },
        (request) => this.recentAnomalies(request),
      ),
      incidents: panel(
        {
          time: 'timestamp_ms',
          time_end: 'timestamp_ms',
          id: 'number',
          title: 'string',
          state: 'string',
          severity: 'number',
          metrics_count: 'number',
          origin: 'string',
        },
        (request) => this.recentIncidents(request),
      ),
      events: panel(
        { time: 'timestamp_ms', type: 'string', level: 'string', title: 'string', metric: 'string' },
        (request) => this.latestEvents(request),
      ),
      metrics: panel(
        { name: 'string', id: 'number', state: 'string', last_data: 'timestamp_ms', anomaly_count: 'number' },
        (request) => this.lists.listMetrics(request),
      ),
      watchers: panel(
        {
          name: 'string',
          id: 'number',
          type: 'string',
          alert: 'boolean',
          metrics_count: 'number',
          last_alert: 'timestamp_ms',
        },
        (request) => this.lists.listWatchers(request),
      ),
    };
  }

  async panel(caller: KnownCaller, name: string, params: OrgDashboardParams): Promise<PanelDto> {
    const { window } = await this.windows.resolve(caller.org, params);
    const { chips, limit } = params;
    return answerPanel(this.panels, name, { caller, window, chips, limit });
  }

  private async overview({ caller }: OrgRequest): Promise<Rows> {
    const { summary } = await this.summaries.getSummary(caller.org.id);
    return Object.entries({
      metrics_active: summary.metrics.active,
      metrics_total: summary.metrics.total,
      anomalies_open: summary.anomalies.open,
      anomalies_last_24h: summary.anomalies.last_24h,
      incidents_open: summary.incidents.open,
      points_last_minute: summary.points_last_minute,
    }).map(([name, value]) => ({ name, value }));
  }

  private async mostAnomalous({ caller, window, chips, limit }: OrgRequest): Promise<Rows> {
    const metrics = await this.ranking.within(caller.org.id, window, { chips, limit });
    return metrics.map(({ metric, metric_id, anomaly_count, max_severity, total_score, last_anomaly_timestamp }) => {
      const last_anomaly = milliseconds(last_anomaly_timestamp);
      return { metric, metric_id, anomaly_count, max_severity, total_score, last_anomaly };
    });
  }

  private async recentAnomalies({ caller, window, chips, limit }: OrgRequest): Promise<Rows> {
    const none = { score_min: 0, severity_min: 0, offset: 0, order: 'newest' } as const;
    const { anomalies } = await this.anomalies.list(caller, { ...none, ...window, chips, limit });
    return anomalies.map(({ timestamp, out_until_timestamp, id, metric, kind, state, score, severity }) => {
      const [time, time_end] = [milliseconds(timestamp), millisecondsOrNull(out_until_timestamp)];
      return { time, time_end, id, metric, kind, state, score, severity };
    });
  }

  private async recentIncidents({ caller, window, chips, limit }: OrgRequest): Promise<Rows> {
    const page = { limit, offset: 0, order: 'newest' } as const;
    const { incidents } = await this.incidents.list(caller, { window, chips }, page);
    return incidents.map(({ id, title, state, severity, metrics_count, origins, ...times }) => ({
      time: milliseconds(times.started_timestamp),
      time_end: millisecondsOrNull(times.ended_timestamp),
      id,
      title,
      state,
      severity,
      metrics_count,
      origin: origins[0]?.metric ?? null,
    }));
  }

  private async latestEvents({ caller, window, limit }: OrgRequest): Promise<Rows> {
    const { events } = await this.events.list(caller, { ...window, type: [], level: [], limit, offset: 0 });
    return events.map(({ timestamp, type, level, title, metric }) => {
      return { time: milliseconds(timestamp), type, level, title, metric };
    });
  }
}
