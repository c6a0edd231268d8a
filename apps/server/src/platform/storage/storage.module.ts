import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PointLog } from '#libs/point-log';
import { type SeriesStore } from '#libs/series';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { InstallationLayoutService } from './installation-layout.service.js';
import { PointLogOpeningService } from './point-log-opening.service.js';
import { PointLogPlaceRepository } from './point-log-place.repository.js';
import { QueueReportService } from './queue-report.service.js';
import { SeriesMaintenanceExecutor } from './series-maintenance-executor.js';
import { SeriesMaintenanceService } from './series-maintenance.service.js';
import { FairSeriesStore } from './fair-series-store.js';
import { RetentionPlansRepository } from './retention-plans.repository.js';
import { RetentionPlansService } from './retention-plans.service.js';
import { SeriesHomeRepository } from './series-home.repository.js';
import { SeriesHomeService } from './series-home.service.js';
import { openSeriesStore, type SeriesHome } from './series-home.js';
import { StorageConfig } from './storage.config.js';
import { POINT_LOG, SERIES_HOME, SERIES_STORE } from './storage.types.js';

/**
 * The point log and the series store of the process: each in the product database with a separate small pool, or in an
 * external system, if POINT_LOG_URL or SERIES_STORE_URL is set.
 */
@Module({
  providers: [
    {
      provide: POINT_LOG,
      inject: [DataSource, PointLogOpeningService],
      useFactory: (dataSource: DataSource, opening: PointLogOpeningService) =>
        opening.open(connectionString(dataSource)),
    },
    {
      provide: SERIES_HOME,
      inject: [DataSource, StorageConfig],
      useFactory: (dataSource: DataSource, config: StorageConfig): SeriesHome => ({
        connectionString: connectionString(dataSource),
        address: config.seriesStoreAddress,
        delaySeconds: config.seriesStoreDelaySeconds,
        mostWaitingPoints: config.seriesStoreWaitingPoints,
      }),
    },
    {
      provide: SERIES_STORE,
      inject: [SERIES_HOME, StorageConfig, FairQueueRegistry],
      useFactory: (home: SeriesHome, { connections }: StorageConfig, turns: FairQueueRegistry) =>
        new FairSeriesStore(openSeriesStore(home, connections), connections, turns),
    },
    {
      provide: SeriesMaintenanceExecutor,
      inject: [SERIES_HOME],
      useFactory: (home: SeriesHome) => new SeriesMaintenanceExecutor(home),
    },
    PointLogPlaceRepository,
    InstallationLayoutService,
    PointLogOpeningService,
    SeriesHomeRepository,
    SeriesHomeService,
    RetentionPlansRepository,
    RetentionPlansService,
    SeriesMaintenanceService,
    QueueReportService,
  ],
  exports: [POINT_LOG, SERIES_STORE, InstallationLayoutService, RetentionPlansService],
})
export class StorageModule implements OnApplicationShutdown {
  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    @Inject(SERIES_STORE) private readonly series: SeriesStore,
  ) {}

  /** No request and no detection is running at this point. */
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
