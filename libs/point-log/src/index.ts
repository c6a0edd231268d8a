export * from './point-log.js';
export {
  type JetStreamAddress,
  JetStreamUrlError,
  MAX_JETSTREAM_PARTITIONS,
  parseJetStreamUrl,
  placeOf,
} from './jetstream/jetstream-url.js';
export { JetStreamUnusableError, PointLogLostError } from './jetstream/jetstream.errors.js';
export { type JetStreamPointLog, type JetStreamPointLogOptions } from './jetstream/jetstream-point-log.js';
export { openJetStreamPointLog } from './jetstream/open.js';
export { PostgresPointLog, type PostgresPointLogOptions } from './postgres/postgres-point-log.js';
