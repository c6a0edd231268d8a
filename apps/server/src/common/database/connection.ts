import { type DataSourceOptions } from 'typeorm';
import { clientThatWaits, lastingConnection } from '#libs/database-connections';
import { DatabaseConfig } from './database.config.js';

/** Time for the round trip to the server, in addition to the longest statement. */
const ROUND_TRIP_MS = 15_000;

/**
 * TypeORM options for the database at `url`, with the limits of the configuration. The schema is never changed from
 * entities: migrations are the only way.
 */
export function connectionOptions(url: string, config = new DatabaseConfig()) {
  const statementMs = config.statementTimeoutSeconds * 1000;
  return {
    type: 'postgres',
    url,
    applicationName: 'plumbline',
    synchronize: false,
    migrationsRun: false,
    poolSize: config.poolSize,
    connectTimeoutMS: config.connectTimeoutSeconds * 1000,
    extra: {
      statement_timeout: statementMs,
      lock_timeout: config.lockTimeoutSeconds * 1000,
      idle_in_transaction_session_timeout: config.idleTransactionTimeoutSeconds * 1000,
      Client: clientThatWaits(statementMs + ROUND_TRIP_MS),
      ...lastingConnection(url),
    },
  } as const satisfies DataSourceOptions;
}
