import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdvisoryLocks } from './advisory-locks.js';
import { connectionOptions } from './connection.js';
import { DatabaseHealth } from './database-health.js';
import { DatabaseConfig } from './database.config.js';
import { DatabaseNotifications } from './notifications.js';
import { fairDriver } from './fair-pool.js';
import { RequestQueue } from './request-queue.js';
import { Transactions } from './transactions.js';

/** Shared access of areas to the database, apart from their repositories. */
@Global()
@Module({
  providers: [Transactions, AdvisoryLocks, DatabaseNotifications, RequestQueue],
  exports: [Transactions, AdvisoryLocks, DatabaseNotifications, RequestQueue],
})
export class DatabaseModule {}

/** The connection of the process, with the entities of every area that is loaded. Imported once, by the application. */
@Module({ imports: [DatabaseModule], providers: [DatabaseHealth] })
export class DatabaseConnectionModule {
  /** `url`: a database that has been opened (openDatabase) and migrated. */
  static forRoot(url: string): DynamicModule {
    return {
      module: DatabaseConnectionModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [DatabaseConfig, RequestQueue],
          useFactory: (config: DatabaseConfig, turns: RequestQueue) => ({
            ...connectionOptions(url, config),
            driver: fairDriver(turns),
            autoLoadEntities: true,
            // openDatabase has already waited for the server; but on a machine that starts many programs together, one
            // try may fail.
            retryAttempts: 5,
            retryDelay: 1000,
          }),
        }),
      ],
    };
  }
}
