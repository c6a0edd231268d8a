import { resolve } from 'node:path';
import { ConfigError } from './common/config/load-config.js';
import { type ServerConfig } from './common/config/server.config.js';
import { DevelopmentDatabaseError } from './common/database/migrate.js';
import { JetStreamUnusableError, PointLogPartitionsError } from '#libs/point-log';
import { DetectionStateError } from './analysis/detection/detection.errors.js';
import { PointLogPlaceError } from './platform/storage/storage.errors.js';
import { WrongSecretKeyError } from './platform/keys/keys.errors.js';
import { WrongSeriesStoreError } from './platform/storage/series-home.errors.js';

/**
 * Exit code for wrong settings, and for a database that this version cannot use; other failures may not recur at the
 * next start.
 */
const EXIT_SETTINGS = 2;
const EXIT_FAILURE = 1;

const SETTINGS_ERRORS = [
  ConfigError,
  WrongSecretKeyError,
  DevelopmentDatabaseError,
  DetectionStateError,
  JetStreamUnusableError,
  PointLogPartitionsError,
  PointLogPlaceError,
  WrongSeriesStoreError,
];
const FOLDER_CODES: ReadonlySet<string | undefined> = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EEXIST', 'ENOTDIR', 'EISDIR'],
]);

export interface StartFailure {
  /** For the operator: the problem, and what to do about it. */
  message: string;
  exitCode: number;
}

/**
 * Explains to operators why the server does not start. Errors of settings, database, folders or ports explain
 * themselves; only errors of the program need their stack.
 * @param config undefined if the settings have not been read yet
 */
export function startFailure(error: unknown, config?: ServerConfig): StartFailure {
  if (!(error instanceof Error)) return { message: String(error), exitCode: EXIT_FAILURE };
  if (SETTINGS_ERRORS.some((kind) => error instanceof kind)) return { message: error.message, exitCode: EXIT_SETTINGS };
  const isMistake = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  const known = config && (portMessage(error, config) ?? folderMessage(error, config));
  return { message: known ?? (isMistake ? (error.stack ?? error.message) : error.message), exitCode: EXIT_FAILURE };
}

function portMessage(error: NodeJS.ErrnoException & { port?: number }, config: ServerConfig): string | undefined {
  const { code, port, syscall, message } = error;
  if (syscall !== 'listen' || port === undefined) return undefined;
  const isGraphite = port === config.graphiteListener?.port;
  const setting = port === config.port ? 'PORT' : isGraphite ? 'PLUMBLINE_GRAPHITE_ADDRESS' : 'MANAGEMENT_PORT';
  if (code === 'EADDRINUSE') {
    return `Port ${String(port)} is in use by another program: stop that one, or set ${setting} to another port.`;
  }
  return `Port ${String(port)} (${setting}) cannot be used: ${message}`;
}

function folderMessage({ code, path, message }: NodeJS.ErrnoException, config: ServerConfig): string | undefined {
  const dataFolder = resolve(config.dataFolder);
  if (!FOLDER_CODES.has(code) || path === undefined || !resolve(path).startsWith(dataFolder)) return undefined;
  return (
    `The data folder ${dataFolder} cannot be used: ${message}. Set PLUMBLINE_DATA to a folder that this user ` +
    'may write to. With DATABASE_URL and PLUMBLINE_SECRET_KEY set, none is needed.'
  );
}
