import { type Server } from 'node:http';
import { type Socket } from 'node:net';

/**
 * The connections of a server, for its end. When a server closes, Node ends the connections that have had an answer and are
 * idle. It goes on to serve the others for as long as their clients like: one with a request in work (a sender that always
 * has something to send), and one on which nothing has been sent yet (Go and browsers open such in advance).
 */
export class OpenConnections {
  /** Requests in work. */
  private readonly requests = new Map<Socket, number>();
  private isEnding = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.requests.set(socket, 0);
      socket.once('close', () => this.requests.delete(socket));
    });
    server.on('request', ({ socket }, response) => {
      this.count(socket, 1);
      response.once('close', () => this.count(socket, -1));
    });
  }

  /** Ends every connection as soon as it has no request in work. */
  end(): void {
    this.isEnding = true;
    for (const socket of this.requests.keys()) this.count(socket, 0);
  }

  private count(socket: Socket, change: number): void {
    const count = (this.requests.get(socket) ?? 0) + change;
    if (this.requests.has(socket)) this.requests.set(socket, count);
    if (this.isEnding && count === 0) socket.destroySoon();
  }
}
