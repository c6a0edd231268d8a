export * from './point-log.js';
export {
  type JetStreamAddress,
  JetStreamUnusableError,
  JetStreamUrlError,
  MAX_JETSTREAM_PARTITIONS,
  parseJetStreamUrl,
  placeOf,
} from '#libs/jetstream';
export { PointLogLostError } from './jetstream/point-log-lost.error.js';
export { type JetStreamPointLog, type JetStreamPointLogOptions } from './jetstream/jetstream-point-log.js';
export { openJetStreamPointLog } from './jetstream/open.js';
export { PostgresPointLog, type PostgresPointLogOptions } from './postgres/postgres-point-log.js';
