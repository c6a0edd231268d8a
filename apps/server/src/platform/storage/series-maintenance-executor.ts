import { existsSync } from 'node:fs';
import { type MaintenanceReport, PostgresSeriesStore, type RetentionPlan, type SeriesStore } from '#libs/series';
import { WorkerChannel } from '../../common/workers/worker-channel.js';
import { DEFAULT_TIERS } from './retention-tiers.js';

export interface SeriesMaintenanceRequest {
  connectionString: string;
  /** Unix seconds. */
  now: number;
  /** What is to be kept: given, everything else is dropped; null, points are only moved on. */
  plan: RetentionPlan | null;
}

/** Runs the maintenance of the series store away from the thread that answers requests, with connections of its own. */
export abstract class SeriesMaintenanceExecutor {
  abstract maintain(now: number): Promise<MaintenanceReport>;
  abstract retire(now: number, plan: RetentionPlan): Promise<void>;
  /** Gives up what is under way. */
  abstract close(): Promise<void>;
}

const WORKER_ENTRY = new URL('./series-maintenance-worker.js', import.meta.url);

/** A thread when the worker is compiled, else (TypeScript run from source) the calling thread. */
export function createSeriesMaintenanceExecutor(connectionString: string): SeriesMaintenanceExecutor {
  if (existsSync(WORKER_ENTRY)) return new ThreadedSeriesMaintenance(connectionString);
  const store = new PostgresSeriesStore({ connectionString, tiers: DEFAULT_TIERS, maxConnections: 1 });
  return new InlineSeriesMaintenance(store);
}

class ThreadedSeriesMaintenance extends SeriesMaintenanceExecutor {
  private readonly channel = new WorkerChannel<SeriesMaintenanceRequest, MaintenanceReport | null>(
    WORKER_ENTRY,
    'series-maintenance',
  );

  constructor(private readonly connectionString: string) {
    super();
  }

  async maintain(now: number): Promise<MaintenanceReport> {
    const { connectionString } = this;
    return (await this.channel.call({ connectionString, now, plan: null }))!;
  }

  async retire(now: number, plan: RetentionPlan): Promise<void> {
    const { connectionString } = this;
    await this.channel.call({ connectionString, now, plan });
  }

  close(): Promise<void> {
    return this.channel.close();
  }
}

class InlineSeriesMaintenance extends SeriesMaintenanceExecutor {
  constructor(private readonly store: SeriesStore) {
    super();
  }

  maintain(now: number): Promise<MaintenanceReport> {
    return this.store.maintain(now);
  }

  retire(now: number, plan: RetentionPlan): Promise<void> {
    return this.store.applyRetention(now, plan);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
