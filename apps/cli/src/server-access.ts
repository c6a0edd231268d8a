import { type withOperatorLists } from '../../server/src/operator-lists.js';
import { type OperatorServices } from '../../server/src/operator-services.js';
import { CliError, ExitCode } from './cli-error.js';

/** The members of an `AppError` of the server; the class itself is loaded only with the server. */
interface ServerError extends Error {
  httpStatus: number;
  details: readonly { field?: string | null; message: string }[];
}

/**
 * Invalid settings in the environment; a database, backup or folder that this version cannot use; and operations that
 * the state of the keys does not allow.
 */
const INPUT_ERRORS: ReadonlySet<string> = new Set([
  'ConfigError',
  'WrongSecretKeyError',
  'DevelopmentDatabaseError',
  'KeyInUseError',
  'RotationRunningError',
  'BackupError',
  'WrongSeriesStoreError',
]);

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'httpStatus' in error && 'details' in error;
}

/** Most messages begin with their field. */
const named = (field: string | null | undefined, message: string): string =>
  !field || message.startsWith(field) ? message : `${field}: ${message}`;

/** The server's errors in the words of the command line. Others are unexpected and stay unchanged. */
export function toCliError(error: unknown): unknown {
  if (isServerError(error)) {
    const details = error.details.map(({ field, message }) => `\n  ${named(field, message)}`).join('');
    const isInput = error.httpStatus === 400 || error.httpStatus === 404;
    return new CliError(error.message + details, isInput ? ExitCode.BadInput : ExitCode.Failed);
  }
  // Settings in the environment are also input of the command.
  if (error instanceof Error && INPUT_ERRORS.has(error.name)) return new CliError(error.message, ExitCode.BadInput);
  return error;
}

/**
 * Runs `work` with the server's services, with or without a running instance (whose embedded database is used). Errors
 * while connecting are shown as their message. With `isKeyChecked` false, it also runs if the secret key is not that of
 * the database.
 */
export async function withServerServices<T>(
  work: (services: OperatorServices) => Promise<T>,
  options: { isKeyChecked?: boolean } = {},
): Promise<T> {
  const { OperatorServices } = await import('../../server/src/operator-services.js');
  let services: OperatorServices;
  try {
    services = await OperatorServices.open(options);
  } catch (error) {
    const cliError = toCliError(error);
    throw cliError instanceof CliError
      ? cliError
      : new CliError(error instanceof Error ? error.message : String(error));
  }
  try {
    return await work(services);
  } catch (error) {
    throw toCliError(error);
  } finally {
    await services.close();
  }
}

/** Runs `work` on the lists of organisations and users, which are available earlier than the services. */
export async function withLists<T>(work: Parameters<typeof withOperatorLists<T>>[0]): Promise<T> {
  const { withOperatorLists } = await import('../../server/src/operator-lists.js');
  try {
    return await withOperatorLists(work);
  } catch (error) {
    const cliError = toCliError(error);
    throw cliError instanceof CliError
      ? cliError
      : new CliError(error instanceof Error ? error.message : String(error));
  }
}
