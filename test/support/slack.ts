import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SlackChannel {
  id: string;
  name: string;
  is_private?: boolean;
  is_member?: boolean;
  is_archived?: boolean;
}

const LIST_ARGUMENTS = ['token', 'types', 'exclude_archived', 'limit', 'cursor', 'team_id'];
const FORM = /^application\/x-www-form-urlencoded(;|$)/;

/**
 * Stands in for Slack's Web API on the loopback interface, as strict as the real one: POST only, a bearer token, a form,
 * known arguments, pages by cursor.
 */
export class Slack {
  /** Requests so far. */
  calls = 0;
  channels: SlackChannel[] = [];
  /** What the next calls are answered with instead. */
  answer: { status: number; body: string; headers?: Record<string, string> } | undefined;
  /** Answers wait for it. */
  hold: Promise<void> | undefined;

  private constructor(
    private readonly server: Server,
    private readonly token: string,
    private readonly pageSize: number,
  ) {}

  /** @param pageSize channels on a page at most, however many are asked for */
  static async start({ token, pageSize = 1000 }: { token: string; pageSize?: number }): Promise<Slack> {
    const server = createServer();
    const slack = new Slack(server, token, pageSize);
    server.on('request', (request, response) => void slack.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return slack;
  }

  /** Settings of the product that lead here. */
  get env(): { CHAT_API_BASE_URL: string } {
    const { port } = this.server.address() as AddressInfo;
    return { CHAT_API_BASE_URL: `http://127.0.0.1:${String(port)}/api` };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.calls++;
    const body = await text(request);
    await this.hold;
    if (this.answer) {
      response.writeHead(this.answer.status, this.answer.headers).end(this.answer.body);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(this.reply(request, body)));
  }

  private reply(request: IncomingMessage, body: string): object {
    const refused = (error: string) => ({ ok: false, error });
    if (request.method !== 'POST' || request.url !== '/api/conversations.list') return refused('unknown_method');
    if (!FORM.test(request.headers['content-type'] ?? '')) return refused('invalid_post_type');
    const sent = request.headers.authorization;
    if (sent === undefined) return refused('not_authed');
    if (sent !== `Bearer ${this.token}`) return refused('invalid_auth');
    const form = new URLSearchParams(body);
    if ([...form.keys()].some((name) => !LIST_ARGUMENTS.includes(name))) return refused('invalid_arguments');
    return this.list(form) ?? refused('invalid_arguments');
  }

  private list(form: URLSearchParams): object | undefined {
    const limit = Number(form.get('limit') ?? 100);
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000) return undefined;
    const types = (form.get('types') ?? 'public_channel').split(',');
    if (types.some((type) => !['public_channel', 'private_channel', 'mpim', 'im'].includes(type))) return undefined;
    const cursor = form.get('cursor');
    const start = cursor === null || cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64').toString());
    if (!Number.isInteger(start)) return { ok: false, error: 'invalid_cursor' };
    const meant = this.channels
      .filter((channel) => types.includes(channel.is_private ? 'private_channel' : 'public_channel'))
      .filter((channel) => form.get('exclude_archived') !== 'true' || !channel.is_archived);
    const end = start + Math.min(limit, this.pageSize);
    const next = end < meant.length ? Buffer.from(String(end)).toString('base64') : '';
    return { ok: true, channels: meant.slice(start, end), response_metadata: { next_cursor: next } };
  }
}
