import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PointLog } from '#libs/point-log';
import { type SeriesStore } from '#libs/series';
import { TurnsRegistry } from '../../common/fair-share/turns-registry.js';
import { PointLogOpening } from './point-log-opening.service.js';
import { PointLogPlaceRepository } from './point-log-place.repository.js';
import { QueueReport } from './queue-report.service.js';
import { SeriesMaintenanceExecutor } from './series-maintenance-executor.js';
import { SeriesMaintenanceService } from './series-maintenance.service.js';
import { SeriesStoreByTurns } from './series-store-by-turns.js';
import { RetentionPlansRepository } from './retention-plans.repository.js';
import { RetentionPlans } from './retention-plans.service.js';
import { DEFAULT_TIERS } from './retention-tiers.js';
import { StorageConfig } from './storage.config.js';
import { POINT_LOG, SERIES_STORE } from './storage.types.js';

/**
 * The point log and the series store of the process: in the database of the product, each with a small pool of its own, or
 * the log where POINT_LOG_URL says.
 */
@Module({
  providers: [
    {
      provide: POINT_LOG,
      inject: [DataSource, PointLogOpening],
      useFactory: (dataSource: DataSource, opening: PointLogOpening) => opening.open(connectionString(dataSource)),
    },
    {
      provide: SERIES_STORE,
      inject: [DataSource, StorageConfig, TurnsRegistry],
      useFactory: (dataSource: DataSource, config: StorageConfig, turns: TurnsRegistry) =>
        new SeriesStoreByTurns(
          {
            connectionString: connectionString(dataSource),
            tiers: DEFAULT_TIERS,
            maxConnections: config.connections,
          },
          turns,
        ),
    },
    {
      provide: SeriesMaintenanceExecutor,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new SeriesMaintenanceExecutor(connectionString(dataSource)),
    },
    PointLogPlaceRepository,
    PointLogOpening,
    RetentionPlansRepository,
    RetentionPlans,
    SeriesMaintenanceService,
    QueueReport,
  ],
  exports: [POINT_LOG, SERIES_STORE, RetentionPlans],
})
export class StorageModule implements OnApplicationShutdown {
  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    @Inject(SERIES_STORE) private readonly series: SeriesStore,
  ) {}

  /** By now no request and no detection is under way. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.log.close(), this.series.close()]);
  }
}

function connectionString(dataSource: DataSource): string {
  const { options } = dataSource;
  if (options.type !== 'postgres' || options.url === undefined) {
    throw new Error('The data source must be PostgreSQL, addressed by url');
  }
  return options.url;
}
