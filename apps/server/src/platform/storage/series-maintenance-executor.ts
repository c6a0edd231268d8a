import { type MaintenanceReport, type RetentionPlan, type SeriesStore } from '#libs/series';
import { createExecutor } from '../../common/workers/executor.js';
import { openSeriesStore, type SeriesHome } from './series-home.js';

export interface SeriesMaintenanceRequest {
  home: SeriesHome;
  /** Unix seconds. */
  now: number;
  /** The data to keep: with a plan, everything else is dropped; null: points are only moved. */
  plan: RetentionPlan | null;
}

/** Maintains the series store with separate connections. */
export class SeriesMaintenanceHost {
  private store: SeriesStore | undefined;

  async handle({ home, now, plan }: SeriesMaintenanceRequest): Promise<MaintenanceReport | null> {
    this.store ??= openSeriesStore(home, 1);
    if (plan === null) return this.store.maintain(now);
    await this.store.applyRetention(now, plan);
    return null;
  }

  async close(): Promise<void> {
    await this.store?.close();
  }
}

/** Runs the maintenance of the series store outside the main thread. */
export class SeriesMaintenanceExecutor {
  private readonly thread = createExecutor<SeriesMaintenanceRequest, MaintenanceReport | null>({
    entry: new URL('./series-maintenance-worker.js', import.meta.url),
    name: 'series-maintenance',
    handler: () => new SeriesMaintenanceHost(),
  });

  constructor(private readonly home: SeriesHome) {}

  async maintain(now: number): Promise<MaintenanceReport> {
    const { home } = this;
    return (await this.thread.call({ home, now, plan: null }))!;
  }

  async retire(now: number, plan: RetentionPlan): Promise<void> {
    const { home } = this;
    await this.thread.call({ home, now, plan });
  }

  /** Aborts running calls. */
  close(): Promise<void> {
    return this.thread.close();
  }
}
