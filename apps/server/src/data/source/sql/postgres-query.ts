import { Socket } from 'node:net';
import pg from 'pg';
import { type DatabaseAddress } from '../source-address.js';
import { type BoundQuery } from './sql-query.js';
import { type SqlTable } from './sql-answer.js';
import { MAX_SQL_BYTES, rowsTooLarge, type SqlAccess } from './sql-access.js';

const FETCH_ROWS = 2000;
const BYTES_CHECKED_EVERY_MS = 50;
/** Values in the text format of the server: one parser reads the answers of all databases. */
const AS_TEXT = { getTypeParser: () => (text: string | Buffer) => String(text) };

/**
 * Reads the rows of one query in a read-only transaction, some at a time.
 * @param connectTo an address of the host, which the rules allow
 */
export async function queryPostgres(
  { host, port, database, sslMode }: DatabaseAddress,
  connectTo: string,
  { text, values }: BoundQuery,
  { username, password, timeoutSeconds, maxRows, ca, signal }: SqlAccess,
): Promise<SqlTable> {
  const socket = new Socket();
  const isVerified = sslMode === 'verify-full';
  const client = new pg.Client({
    host: connectTo,
    port,
    database,
    user: username,
    password,
    application_name: 'plumbline',
    connectionTimeoutMillis: timeoutSeconds * 1000,
    statement_timeout: timeoutSeconds * 1000,
    stream: () => socket,
    ssl: sslMode === 'disable' ? false : { servername: host, rejectUnauthorized: isVerified, ...(ca && { ca }) },
    types: AS_TEXT,
  });
  // A lost connection makes the statement that uses it fail.
  client.on('error', () => undefined);
  const giveUp = (): void => void socket.destroy();
  signal.addEventListener('abort', giveUp, { once: true });
  const watch = setInterval(() => {
    if (socket.bytesRead > MAX_SQL_BYTES) giveUp();
  }, BYTES_CHECKED_EVERY_MS);
  try {
    await client.connect();
    await client.query(`SET TIME ZONE 'UTC'; SET DATESTYLE TO 'ISO'; BEGIN TRANSACTION READ ONLY`);
    // A cursor accepts only a single SELECT, and the extended protocol a single statement.
    await client.query({
      text: `DECLARE plumbline NO SCROLL CURSOR FOR ${text}`,
      values,
      queryMode: 'extended',
    } as pg.QueryConfig);
    let columns: string[] = [];
    const rows: (string | null)[][] = [];
    for (;;) {
      const part = await client.query<(string | null)[]>({
        text: `FETCH ${String(FETCH_ROWS)} FROM plumbline`,
        rowMode: 'array',
      });
      columns = part.fields.map(({ name }) => name);
      rows.push(...part.rows);
      if (rows.length > maxRows || socket.bytesRead > MAX_SQL_BYTES) throw rowsTooLarge(maxRows);
      if (part.rows.length < FETCH_ROWS) break;
    }
    return { columns, rows };
  } catch (error) {
    throw socket.bytesRead > MAX_SQL_BYTES ? rowsTooLarge(maxRows) : error;
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', giveUp);
    await client.end().catch(() => undefined);
    giveUp();
  }
}
