import pg from 'pg';

/**
 * Runs `work` on a connection without TypeORM, for commands that only read a little: loading TypeORM takes several
 * times as long as their work. Ends the connection.
 * @param url a database that has been opened (`openDatabase`)
 * @param timeoutSeconds of a statement
 */
export async function withPlainConnection<T>(
  url: string,
  timeoutSeconds: number,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'plumbline',
    statement_timeout: timeoutSeconds * 1000,
  });
  // A lost connection makes the statement that uses it fail.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
