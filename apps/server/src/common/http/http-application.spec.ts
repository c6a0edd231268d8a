import { Controller, Get } from '@nestjs/common';
import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createEdgeApp } from '../../../../../test/support/edge-app.js';
import { Public } from '../auth/access.decorators.js';

const arrivals: (() => void)[] = [];

@Controller('slow')
@Public()
class SlowController {
  /** Answers when the test releases it. */
  @Get()
  async get() {
    await new Promise<void>((answer) => arrivals.push(answer));
    return { isAnswered: true };
  }
}

describe('an application that shuts down', () => {
  it('closes an idle connection', async () => {
    const app = await createEdgeApp({ controllers: [SlowController] });
    await app.listen(0, '127.0.0.1');
    const server = app.getHttpServer() as Server;
    const hasConnection = once(server, 'connection');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await hasConnection;

    await app.close();

    expect(await text(socket)).toBe('');
  });

  it('answers a running request and closes its connection', async () => {
    const app = await createEdgeApp({ controllers: [SlowController] });
    await app.listen(0, '127.0.0.1');
    const server = app.getHttpServer() as Server;
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const requestReceived = once(server, 'request');
    socket.write('GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await requestReceived;
    const hasClosed = app.close();
    while (server.listening || arrivals.length === 0) await new Promise((next) => setImmediate(next));

    arrivals[0]!();

    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[^]*"isAnswered":true/);
    expect(answer).toMatch(/^Connection: close\r$/m);
    await hasClosed;
  });
});
