import { SourceFailure } from '../reading/driver.errors.js';

/** Maximum number of bytes that a database may send for one read. */
export const MAX_SQL_BYTES = 32 * 1024 * 1024;

/** The organisation of a query, and its limits. */
export interface SqlAccess {
  username: string;
  password: string;
  timeoutSeconds: number;
  maxRows: number;
  /** Authorities; undefined: those of the system. */
  ca: string[] | undefined;
  /** Ends the connection. */
  signal: AbortSignal;
}

export const rowsTooLarge = (maxRows: number): SourceFailure =>
  new SourceFailure(
    'too_large',
    `the query gives more than ${maxRows.toLocaleString('en-GB')} rows, or too many bytes`,
  );
