export { backUpEmbeddedPostgres, type BackupOptions } from './backup.js';
export { BackupError, type BackupManifest, sizeOf } from './backup-manifest.js';
export { type Cluster, openCluster, readSuperuserUrl, readUrl } from './cluster.js';
export { diskSpaceOf } from './disk-space.js';
export {
  attachOrStartEmbeddedPostgres,
  DataFolderInUseError,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type PostgresExit,
  startEmbeddedPostgres,
} from './embedded-postgres.js';
export { commandOf } from './program-account.js';
export { restoreEmbeddedPostgres, type RestoreOptions } from './restore.js';
