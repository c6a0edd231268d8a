import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BreakingProxy {
  /** URL of the database through the proxy. */
  url: string;
  close(): Promise<void>;
}

/** PostgreSQL sends this to all clients when it is stopped: an ErrorResponse that no statement has requested. */
const STOPPED = errorResponse({ S: 'FATAL', C: '57P01', M: 'terminating connection due to administrator command' });

/**
 * A proxy to PostgreSQL that breaks once, at the worst moment: the answer to the statement that contains `statement`
 * arrives in one packet with the message that the server stops. Afterwards everything passes.
 */
export async function breakingProxy(databaseUrl: string, statement: string): Promise<BreakingProxy> {
  const database = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isArmed = true;
  const proxy = createServer((client) => {
    const server = connect(Number(database.port), database.hostname);
    let isBreaking = false;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, server].forEach((end) => end.destroy()));
    }
    client.on('data', (data) => {
      if (isArmed && data.includes(statement)) {
        isArmed = false;
        isBreaking = true;
      }
      server.write(data);
    });
    server.on('data', (data) => {
      if (isBreaking) client.end(Buffer.concat([data, STOPPED]));
      else client.write(data);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    async close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await once(proxy, 'close');
    },
  };
}

function errorResponse(fields: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(fields).map(([name, value]) => `${name}${value}\0`);
  const body = Buffer.from(`${text.join('')}\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
