import { type DataSourceOptions } from 'typeorm';
import { DatabaseConfig } from './database.config.js';

/**
 * TypeORM options for the database at `url`, with the limits of the configuration. The schema is never changed from
 * entities: migrations are the only way.
 */
export function connectionOptions(url: string, config = new DatabaseConfig()) {
  return {
    type: 'postgres',
    url,
    applicationName: 'plumbline',
    synchronize: false,
    migrationsRun: false,
    poolSize: config.poolSize,
    connectTimeoutMS: config.connectTimeoutSeconds * 1000,
    extra: {
      statement_timeout: config.statementTimeoutSeconds * 1000,
      lock_timeout: config.lockTimeoutSeconds * 1000,
      idle_in_transaction_session_timeout: config.idleTransactionTimeoutSeconds * 1000,
      keepAlive: true,
    },
  } as const satisfies DataSourceOptions;
}
