import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Works like a Service of a cluster: new connections go to an endpoint, existing ones stay where they are. */
export interface Balancer {
  url: string;
  /** Ports of the pods that take new connections. */
  endpoints: Set<number>;
  /** Connections that an endpoint has refused. */
  refused(): number;
  /** Connections for which there was no endpoint. */
  unserved(): number;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  const endpoints = new Set<number>();
  const sockets = new Set<Socket>();
  let refused = 0;
  let unserved = 0;
  let turn = 0;
  const server = createServer((client) => {
    const port = [...endpoints][turn++ % Math.max(1, endpoints.size)];
    client.on('error', () => undefined);
    if (port === undefined) {
      unserved++;
      client.resetAndDestroy();
      return;
    }
    const pod = connect(port, '127.0.0.1');
    let isConnected = false;
    pod.once('connect', () => (isConnected = true));
    pod.on('error', () => {
      if (!isConnected) refused++;
    });
    for (const [from, to] of [
      [client, pod],
      [pod, client],
    ] as const) {
      sockets.add(from);
      from.once('close', () => {
        sockets.delete(from);
        to.destroySoon();
      });
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    endpoints,
    refused: () => refused,
    unserved: () => unserved,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
