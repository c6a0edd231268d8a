export * from './point-log.js';
export {
  PointLogPartitionsError,
  PostgresPointLog,
  type PostgresPointLogOptions,
} from './postgres/postgres-point-log.js';
