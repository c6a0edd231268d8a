import { type MaintenanceReport, PostgresSeriesStore, type RetentionPlan } from '#libs/series';
import { createExecutor } from '../../common/workers/executor.js';
import { DEFAULT_TIERS } from './retention-tiers.js';

export interface SeriesMaintenanceRequest {
  connectionString: string;
  /** Unix seconds. */
  now: number;
  /** What is to be kept: given, everything else is dropped; null, points are only moved on. */
  plan: RetentionPlan | null;
}

/** Maintains the series store with connections of its own. */
export class SeriesMaintenanceHost {
  private store: PostgresSeriesStore | undefined;

  async handle({ connectionString, now, plan }: SeriesMaintenanceRequest): Promise<MaintenanceReport | null> {
    this.store ??= new PostgresSeriesStore({ connectionString, tiers: DEFAULT_TIERS, maxConnections: 1 });
    if (plan === null) return this.store.maintain(now);
    await this.store.applyRetention(now, plan);
    return null;
  }

  async close(): Promise<void> {
    await this.store?.close();
  }
}

/** Runs the maintenance of the series store away from the thread that answers requests. */
export class SeriesMaintenanceExecutor {
  private readonly thread = createExecutor<SeriesMaintenanceRequest, MaintenanceReport | null>({
    entry: new URL('./series-maintenance-worker.js', import.meta.url),
    name: 'series-maintenance',
    handler: () => new SeriesMaintenanceHost(),
  });

  constructor(private readonly connectionString: string) {}

  async maintain(now: number): Promise<MaintenanceReport> {
    const { connectionString } = this;
    return (await this.thread.call({ connectionString, now, plan: null }))!;
  }

  async retire(now: number, plan: RetentionPlan): Promise<void> {
    const { connectionString } = this;
    await this.thread.call({ connectionString, now, plan });
  }

  /** Gives up what is under way. */
  close(): Promise<void> {
    return this.thread.close();
  }
}
