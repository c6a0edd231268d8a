import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { clientThatWaits } from './waiting-client.js';

const TIMEOUT_MS = 300;

describe('a pool of clientThatWaits', () => {
  let database: TestDatabase;
  /** A proxy to the database that drops all data while `isCut`. */
  let proxy: Server;
  let isCut = false;
  let pool: pg.Pool;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    const { hostname, port } = new URL(database.url);
    proxy = createServer((client) => {
      const server = connect(Number(port), hostname);
      sockets.push(client, server);
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        from.on('error', () => undefined);
        from.on('data', (data) => void (isCut || to.write(data)));
        from.on('close', () => to.destroy());
      }
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const url = new URL(database.url);
    url.port = String((proxy.address() as AddressInfo).port);
    url.hostname = '127.0.0.1';
    pool = new pg.Pool({ connectionString: url.href, max: 1, Client: clientThatWaits(TIMEOUT_MS) });
    pool.on('error', () => undefined);
  });

  afterEach(async () => {
    await pool.end();
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await database.drop();
  });

  it('rejects a statement without an answer, and runs the next one on a new connection', async () => {
    await pool.query('SELECT 1');
    isCut = true;
    await expect(pool.query('SELECT 2')).rejects.toThrow('The database has not answered for');
    isCut = false;
    await expect(pool.query('SELECT 3 AS n')).resolves.toMatchObject({ rows: [{ n: 3 }] });
  });

  it('supports COPY, during which no other reader may use the connection', async () => {
    const client = await pool.connect();
    const chunks: Buffer[] = [];
    for await (const chunk of client.query(copyTo('COPY (SELECT 7) TO STDOUT'))) chunks.push(chunk as Buffer);
    client.release();
    expect(Buffer.concat(chunks).toString()).toBe('7\n');
  });

  it('keeps an idle connection', async () => {
    const pidOf = async (): Promise<unknown> => (await pool.query('SELECT pg_backend_pid() AS pid')).rows;
    const first = await pidOf();
    await new Promise((next) => setTimeout(next, 3 * TIMEOUT_MS));
    expect(await pidOf()).toEqual(first);
  });
});
