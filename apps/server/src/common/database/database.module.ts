import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdvisoryLocks } from './advisory-locks.js';
import { connectionOptions } from './connection.js';
import { DatabaseHealth } from './database-health.js';
import { DatabaseConfig } from './database.config.js';
import { DatabaseNotifications } from './notifications.js';
import { driverByTurns } from './pool-by-turns.js';
import { RequestTurns } from './request-turns.js';
import { Transactions } from './transactions.js';

/** Shared access of areas to the database, apart from their repositories. */
@Global()
@Module({
  providers: [Transactions, AdvisoryLocks, DatabaseNotifications, RequestTurns],
  exports: [Transactions, AdvisoryLocks, DatabaseNotifications, RequestTurns],
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
          inject: [DatabaseConfig, RequestTurns],
          useFactory: (config: DatabaseConfig, turns: RequestTurns) => ({
            ...connectionOptions(url, config),
            driver: driverByTurns(turns),
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
