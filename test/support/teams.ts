import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { cardProblems } from './adaptive-card.js';

/** The maximum size of a message to a workflow, in bytes. */
const MAX_BYTES = 28 * 1024;
const SIGNATURE = 'sig-of-the-workflow';

export interface TeamsPost {
  attachments: [{ content: { body: { type: string; [member: string]: unknown }[]; [member: string]: unknown } }];
}

/**
 * Stands in for a Teams workflow that posts to a channel. It checks the signature in its address, and accepts only
 * adaptive cards that match the public schema.
 */
export class Teams {
  /** Accepted messages. */
  readonly posts: TeamsPost[] = [];
  /** Number of requests so far. */
  calls = 0;
  /** The answer to the next calls, instead of the regular one. */
  answer: { status: number; headers?: Record<string, string> } | undefined;
  /** When set, answers wait for this promise. */
  hold: Promise<void> | undefined;
  /** Schema violations in received messages. */
  readonly problems: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Teams> {
    const server = createServer();
    const teams = new Teams(server);
    server.on('request', (request, response) => void teams.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return teams;
  }

  /** The address of the workflow, with its signature. */
  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${String(port)}/workflows/abc/triggers/manual/paths/invoke?sp=%2Ftriggers&sv=1.0&sig=${SIGNATURE}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.calls++;
    const body = await buffer(request);
    await this.hold;
    const { status, headers } = this.answer ?? { status: this.judge(request, body) };
    response.writeHead(status, headers).end();
  }

  private judge(request: IncomingMessage, body: Buffer): number {
    const url = new URL(request.url ?? '/', 'http://workflow.example.org');
    if (url.pathname !== '/workflows/abc/triggers/manual/paths/invoke') return 404;
    if (url.searchParams.get('sig') !== SIGNATURE) return 401;
    if (request.method !== 'POST') return 405;
    if (!/^application\/json(;|$)/.test(request.headers['content-type'] ?? '')) return 415;
    if (body.length > MAX_BYTES) return 413;
    const message: unknown = JSON.parse(body.toString());
    const problems = cardProblems(message);
    this.problems.push(...problems);
    if (problems.length > 0) return 400;
    this.posts.push(message as TeamsPost);
    return 202;
  }
}
