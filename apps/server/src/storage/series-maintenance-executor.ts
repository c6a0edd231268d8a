import { existsSync } from 'node:fs';
import { type MaintenanceReport, PostgresSeriesStore, type RetentionTiers, type SeriesStore } from '#libs/series';
import { WorkerChannel } from '../common/workers/worker-channel.js';

export interface SeriesMaintenanceRequest {
  connectionString: string;
  tiers: RetentionTiers;
  what: 'maintain' | 'retire';
  /** Unix seconds. */
  now: number;
}

/** Runs the maintenance of the series store away from the thread that answers requests, with connections of its own. */
export abstract class SeriesMaintenanceExecutor {
  abstract maintain(now: number): Promise<MaintenanceReport>;
  abstract retire(now: number): Promise<void>;
  /** Gives up what is under way. */
  abstract close(): Promise<void>;
}

const WORKER_ENTRY = new URL('./series-maintenance-worker.js', import.meta.url);

/** A thread when the worker is compiled, else (TypeScript run from source) the calling thread. */
export function createSeriesMaintenanceExecutor(
  connectionString: string,
  tiers: RetentionTiers,
): SeriesMaintenanceExecutor {
  return existsSync(WORKER_ENTRY)
    ? new ThreadedSeriesMaintenance(connectionString, tiers)
    : new InlineSeriesMaintenance(new PostgresSeriesStore({ connectionString, tiers, maxConnections: 1 }));
}

class ThreadedSeriesMaintenance extends SeriesMaintenanceExecutor {
  private readonly channel = new WorkerChannel<SeriesMaintenanceRequest, MaintenanceReport | null>(
    WORKER_ENTRY,
    'series-maintenance',
  );

  constructor(
    private readonly connectionString: string,
    private readonly tiers: RetentionTiers,
  ) {
    super();
  }

  async maintain(now: number): Promise<MaintenanceReport> {
    return (await this.call('maintain', now))!;
  }

  async retire(now: number): Promise<void> {
    await this.call('retire', now);
  }

  close(): Promise<void> {
    return this.channel.close();
  }

  private call(what: SeriesMaintenanceRequest['what'], now: number): Promise<MaintenanceReport | null> {
    const { connectionString, tiers } = this;
    return this.channel.call({ connectionString, tiers, what, now });
  }
}

class InlineSeriesMaintenance extends SeriesMaintenanceExecutor {
  constructor(private readonly store: SeriesStore) {
    super();
  }

  maintain(now: number): Promise<MaintenanceReport> {
    return this.store.maintain(now);
  }

  retire(now: number): Promise<void> {
    return this.store.applyRetention(now);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
