import { Injectable } from '@nestjs/common';
import { WatcherReaderService } from '../../alerting/watcher/watcher-reader.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Chip } from '../../data/chips/chips.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type PanelValue } from './dto/dashboard.dto.js';
import { millisecondsOrNull } from './panel.js';

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
