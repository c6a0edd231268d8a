import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { dropUnreadAnswers } from './http-application.js';

/** More than the kernel buffers for a connection. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');

describe('an answer that its client does not read', () => {
  let server: Server;
  let client: Socket;

  async function ask(listener: RequestListener, timeoutMs?: number): Promise<ServerResponse> {
    server = createServer(listener).listen(0, '127.0.0.1');
    dropUnreadAnswers(server, timeoutMs);
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    return response;
  }

  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('is dropped together with its connection', async () => {
    await once(await ask((_request, answer) => answer.end(LARGE), 50), 'close');
    let taken = 0;
    client.on('data', (piece: Buffer) => (taken += piece.length));
    if (!client.destroyed) await once(client.resume(), 'close');
    expect(taken).toBeLessThan(LARGE.length);
  });

  it('is not dropped while the server still writes it', async () => {
    const response = await ask((_request, answer) => answer.write('the first part'), 50);
    expect(response.socket!.timeout ?? 0).toBe(0);
    client.resume();
    response.end('the rest');
    await once(response, 'finish');
  });

  it('does not limit the time of the next request on the connection', async () => {
    const late: ServerResponse[] = [];
    await ask((request, answer) => (request.url === '/' ? answer.end(LARGE) : late.push(answer)));
    client.resume();
    let taken = 0;
    client.on('data', (piece: Buffer) => (taken += piece.length));
    while (taken < LARGE.length) await once(client, 'data');
    client.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(server, 'request');
    expect(late[0]!.socket!.timeout ?? 0).toBe(0);
    late[0]!.end();
    await once(late[0]!, 'finish');
  });
});
