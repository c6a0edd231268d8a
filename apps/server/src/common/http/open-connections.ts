import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/**
 * The connections of a server, for its shutdown. When a server closes, Node ends idle connections that have had an
 * answer. It continues to serve the others for as long as their clients like: a connection with an open request (a
 * sender that always has data to send), and one on which nothing has been sent yet (Go and browsers open some in
 * advance).
 */
export class OpenConnections {
  /** With the answers that each still has to send. */
  private readonly answers = new Map<Socket, Set<ServerResponse>>();
  private isEnding = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.answers.set(socket, new Set());
      socket.once('close', () => this.answers.delete(socket));
    });
    server.on('request', ({ socket }, response) => {
      const answers = this.answers.get(socket);
      answers?.add(response);
      if (this.isEnding) announceEnd(response);
      response.once('close', () => {
        answers?.delete(response);
        if (this.isEnding && answers?.size === 0) socket.destroySoon();
      });
    });
  }

  /** Closes every connection as soon as it has no open request. */
  end(): void {
    this.isEnding = true;
    for (const [socket, answers] of this.answers) {
      if (answers.size === 0) socket.destroySoon();
      for (const response of answers) announceEnd(response);
    }
  }
}

/** A client with this information does not send its next request into a connection that is about to close. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
