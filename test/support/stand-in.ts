import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as received by a stand-in. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The undecoded body. */
  bytes: Buffer;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: object | string;
}

/** What a stand-in does instead of its regular answer. */
export type Mood =
  | 'well'
  /** Sends this answer instead. */
  | Reply
  /** Receives the request and never answers. */
  | 'stalls'
  /** Closes the connection in the middle of the answer. */
  | 'breaks off';

/**
 * Simulates an external service, by default on the loopback interface: as strict as the real one, and as unreliable as
 * the test requires.
 */
export abstract class StandIn {
  mood: Mood = 'well';
  /** All requests, including rejected ones. */
  readonly received: Received[] = [];
  private readonly server: Server = createServer((request, response) => void this.serve(request, response));

  /** The answer that the real service would give. */
  protected abstract judge(request: Received): Reply;

  async listen(address = '127.0.0.1'): Promise<this> {
    this.server.listen(0, address);
    await once(this.server, 'listening');
    return this;
  }

  get url(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${address}:${String(port)}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = message;
    const bytes = await buffer(message);
    const request = { method, path: url, headers, body: bytes.toString('utf8'), bytes };
    this.received.push(request);
    if (this.mood === 'stalls') return;
    if (this.mood === 'breaks off') {
      response.writeHead(200, { 'Content-Length': '1000' }).write('{');
      response.socket?.destroySoon();
      return;
    }
    const { status, headers: own = {}, body = '' } = this.mood === 'well' ? this.judge(request) : this.mood;
    const isText = typeof body === 'string';
    response.writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json', ...own });
    response.end(isText ? body : JSON.stringify(body));
  }
}

/** The JSON object in a body; undefined if it is not one. */
export function jsonOf({ headers, body }: Received): Record<string, unknown> | undefined {
  if (!/^application\/json(;|$)/.test(headers['content-type'] ?? '')) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
