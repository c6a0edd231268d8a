import { once } from 'node:events';
import { type Socket } from 'node:net';
import mysql from 'mysql2';
import { type DatabaseAddress } from '../source-address.js';
import { MAX_SQL_BYTES, rowsTooLarge, type SqlAccess } from './sql-access.js';
import { type SqlTable } from './sql-answer.js';
import { type BoundQuery } from './sql-query.js';

const BYTES_CHECKED_EVERY_MS = 50;

/**
 * Reads the rows of one query in a read-only transaction.
 * @param socket a connection to the host, which the rules allow
 */
export async function queryMysql(
  { host, database, sslMode }: DatabaseAddress,
  socket: Socket,
  { text, values }: BoundQuery,
  { username, password, timeoutSeconds, maxRows, ca, signal }: SqlAccess,
): Promise<SqlTable> {
  const isVerified = sslMode === 'verify-full';
  const connection = mysql.createConnection({
    host,
    database,
    user: username,
    password,
    stream: socket,
    connectTimeout: timeoutSeconds * 1000,
    // A server can request files from its client.
    flags: ['-LOCAL_FILES'],
    multipleStatements: false,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    rowsAsArray: true,
    ...(sslMode === 'disable'
      ? {}
      : { ssl: { rejectUnauthorized: isVerified, verifyIdentity: isVerified, ...(ca && { ca }) } }),
  });
  const ended = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    signal.addEventListener(
      'abort',
      () => {
        connection.destroy();
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
  ended.catch(() => undefined);
  const watch = setInterval(() => {
    if (socket.bytesRead > MAX_SQL_BYTES) connection.emit('error', rowsTooLarge(maxRows));
  }, BYTES_CHECKED_EVERY_MS);
  try {
    return await Promise.race([ended, readRows(connection, { text, values }, timeoutSeconds, maxRows)]);
  } finally {
    clearInterval(watch);
    connection.destroy();
    socket.destroy();
  }
}

async function readRows(
  connection: mysql.Connection,
  { text, values }: BoundQuery,
  timeoutSeconds: number,
  maxRows: number,
): Promise<SqlTable> {
  const [version] = (await rowsOf(connection, 'SELECT VERSION()', [], 1)).rows;
  // MySQL and MariaDB have different names and units for it.
  const limit = String(version?.[0]).includes('MariaDB')
    ? `max_statement_time = ${String(timeoutSeconds)}`
    : `max_execution_time = ${String(timeoutSeconds * 1000)}`;
  await run(connection, `SET SESSION ${limit}, time_zone = '+00:00'`);
  // Also for transactions that a procedure starts.
  await run(connection, 'SET SESSION TRANSACTION READ ONLY');
  await run(connection, 'START TRANSACTION READ ONLY');
  return rowsOf(connection, text, values, maxRows);
}

function run(connection: mysql.Connection, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query(text, (error: Error | null) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** A prepared statement is a single statement. */
async function rowsOf(
  connection: mysql.Connection,
  text: string,
  values: (string | number)[],
  maxRows: number,
): Promise<SqlTable> {
  const statement = connection.execute(text, values);
  let columns: string[] = [];
  const rows: (string | null)[][] = [];
  let isTooLarge = false;
  statement.on('fields', (fields: readonly { name: string }[] | undefined) => {
    columns = (fields ?? []).map(({ name }) => name);
  });
  statement.on('result', (row: unknown) => {
    if (!Array.isArray(row)) return;
    if (rows.length < maxRows) rows.push(row.map(asText));
    else if (!isTooLarge) {
      isTooLarge = true;
      statement.emit('error', rowsTooLarge(maxRows));
    }
  });
  await once(statement, 'end');
  return { columns, rows };
}

/** Numbers, texts and bytes in the format of PostgreSQL. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return Buffer.isBuffer(value) ? value.toString('utf8') : JSON.stringify(value);
}
