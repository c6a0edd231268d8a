import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { blockProblems } from './slack-blocks.js';

export interface SlackChannel {
  id: string;
  name: string;
  is_private?: boolean;
  is_member?: boolean;
  is_archived?: boolean;
}

/** The current state of a message in a channel. */
export interface SlackMessage {
  channel: string;
  ts: string;
  threadTs: string | null;
  text: string;
  blocks: { type: string; [member: string]: unknown }[];
  /** Number of updates of the message. */
  edits: number;
}

/** A shared file. */
export interface SlackFile {
  id: string;
  title: string;
  channel: string;
  threadTs: string | null;
  bytes: Buffer;
}

/** The scope and arguments of each method. */
const METHODS: Readonly<Record<string, { scope: string; required: string[]; optional: string[] }>> = {
  'conversations.list': {
    scope: 'channels:read',
    required: [],
    optional: ['types', 'exclude_archived', 'limit', 'cursor', 'team_id'],
  },
  'chat.postMessage': {
    scope: 'chat:write',
    required: ['channel'],
    optional: ['text', 'blocks', 'thread_ts', 'reply_broadcast', 'unfurl_links', 'unfurl_media', 'mrkdwn'],
  },
  'chat.update': { scope: 'chat:write', required: ['channel', 'ts'], optional: ['text', 'blocks'] },
  'files.getUploadURLExternal': {
    scope: 'files:write',
    required: ['filename', 'length'],
    optional: ['alt_text', 'snippet_type'],
  },
  'files.completeUploadExternal': {
    scope: 'files:write',
    required: ['files'],
    optional: ['channel_id', 'channels', 'thread_ts', 'initial_comment', 'blocks'],
  },
};
const ALL_SCOPES = ['channels:read', 'chat:write', 'chat:write.public', 'files:write'];
const LONGEST_TEXT = 40_000;
const FORM = /^application\/x-www-form-urlencoded(;|$)/;

/**
 * Stands in for Slack's Web API on the loopback interface, as strict as the real one: POST only, bearer token, form,
 * scopes, known arguments, blocks after the public reference, cursor pagination, uploads in three steps.
 */
export class Slack {
  /** Number of requests so far. */
  calls = 0;
  channels: SlackChannel[] = [];
  readonly messages: SlackMessage[] = [];
  readonly files: SlackFile[] = [];
  /** Scopes of the token. */
  scopes = new Set(ALL_SCOPES);
  /** Whether the workspace has removed the app. */
  isRevoked = false;
  /** Error codes with which the next calls of a method fail. */
  readonly refusals = new Map<string, string>();
  /** The answer to the next calls, instead of the regular one. */
  answer: { status: number; body: string; headers?: Record<string, string> } | undefined;
  /** When set, answers wait for this promise. */
  hold: Promise<void> | undefined;

  private readonly uploads = new Map<string, { length: number; bytes: Buffer | null }>();

  private constructor(
    private readonly server: Server,
    private readonly token: string,
    private readonly pageSize: number,
  ) {}

  /** @param pageSize maximum number of channels on a page, whatever the limit of the request */
  static async start({ token, pageSize = 1000 }: { token: string; pageSize?: number }): Promise<Slack> {
    const server = createServer();
    const slack = new Slack(server, token, pageSize);
    server.on('request', (request, response) => void slack.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return slack;
  }

  /** Settings with which the product uses this server. */
  get env(): { CHAT_API_BASE_URL: string } {
    const { port } = this.server.address() as AddressInfo;
    return { CHAT_API_BASE_URL: `http://127.0.0.1:${String(port)}/api` };
  }

  /** Restores the initial state. */
  reset(): void {
    this.calls = 0;
    this.answer = undefined;
    this.hold = undefined;
    this.isRevoked = false;
    this.scopes = new Set(ALL_SCOPES);
    for (const kept of [this.messages, this.files, this.channels]) kept.length = 0;
    this.refusals.clear();
    this.uploads.clear();
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
    if (this.answer) {
      response.writeHead(this.answer.status, this.answer.headers).end(this.answer.body);
      return;
    }
    const upload = /^\/upload\/(F[A-Z0-9]+)$/.exec(request.url ?? '')?.[1];
    if (upload !== undefined) {
      this.takeUpload(upload, body, response);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(this.reply(request, body.toString())));
  }

  private reply(request: IncomingMessage, body: string): object {
    const name = /^\/api\/([A-Za-z.]+)$/.exec(request.url ?? '')?.[1] ?? '';
    const method = METHODS[name];
    if (request.method !== 'POST' || method === undefined) return refused('unknown_method');
    if (!FORM.test(request.headers['content-type'] ?? '')) return refused('invalid_post_type');
    const sent = request.headers.authorization;
    if (sent === undefined) return refused('not_authed');
    if (sent !== `Bearer ${this.token}`) return refused('invalid_auth');
    if (this.isRevoked) return refused('token_revoked');
    if (!this.scopes.has(method.scope)) return refused('missing_scope');
    const form = new URLSearchParams(body);
    const given = [...form.keys()].filter((key) => key !== 'token');
    const isKnown = given.every((key) => method.required.includes(key) || method.optional.includes(key));
    if (!isKnown || !method.required.every((key) => given.includes(key))) return refused('invalid_arguments');
    const refusal = this.refusals.get(name);
    if (refusal !== undefined) return refused(refusal);
    switch (name) {
      case 'conversations.list':
        return this.list(form) ?? refused('invalid_arguments');
      case 'chat.postMessage':
        return this.post(form);
      case 'chat.update':
        return this.update(form);
      case 'files.getUploadURLExternal':
        return this.openUpload(form);
      default:
        return this.completeUpload(form);
    }
  }

  private post(form: URLSearchParams): object {
    const named = form.get('channel')!;
    const channel = this.channels.find(({ id, name }) => id === named || name === named.replace(/^#/, ''));
    if (channel === undefined) return refused('channel_not_found');
    if (channel.is_archived) return refused('is_archived');
    if (!channel.is_member && channel.is_private) return refused('channel_not_found');
    if (!channel.is_member && !this.scopes.has('chat:write.public')) return refused('not_in_channel');
    const threadTs = form.get('thread_ts');
    const hasThread = this.messages.some(({ channel: id, ts }) => id === channel.id && ts === threadTs);
    if (threadTs !== null && !hasThread) return refused('thread_not_found');
    const content = contentOf(form);
    if ('error' in content) return content;
    const ts = `1760000000.${String(this.messages.length + 1).padStart(6, '0')}`;
    this.messages.push({ channel: channel.id, ts, threadTs, ...content, edits: 0 });
    return { ok: true, channel: channel.id, ts, message: { ts, text: content.text, type: 'message' } };
  }

  private update(form: URLSearchParams): object {
    const [id, ts] = [form.get('channel'), form.get('ts')];
    // Unlike posts, updates identify their channel by its id.
    if (!this.channels.some((channel) => channel.id === id)) return refused('channel_not_found');
    const message = this.messages.find((one) => one.channel === id && one.ts === ts);
    if (message === undefined) return refused('message_not_found');
    const content = contentOf(form);
    if ('error' in content) return content;
    Object.assign(message, content, { edits: message.edits + 1 });
    return { ok: true, channel: id, ts, text: content.text };
  }

  private openUpload(form: URLSearchParams): object {
    const length = Number(form.get('length'));
    if (!Number.isInteger(length) || length < 1 || form.get('filename') === '') return refused('invalid_arguments');
    const id = `F${String(this.uploads.size + 1).padStart(9, '0')}`;
    this.uploads.set(id, { length, bytes: null });
    const { port } = this.server.address() as AddressInfo;
    return { ok: true, upload_url: `http://127.0.0.1:${String(port)}/upload/${id}`, file_id: id };
  }

  private takeUpload(id: string, bytes: Buffer, response: ServerResponse): void {
    const upload = this.uploads.get(id);
    const isRight = upload?.bytes === null && upload.length === bytes.length;
    if (isRight) upload.bytes = bytes;
    response.writeHead(isRight ? 200 : 400).end(isRight ? `OK - ${String(bytes.length)}` : 'refused');
  }

  private completeUpload(form: URLSearchParams): object {
    const files = JSON.parse(form.get('files')!) as { id: string; title?: string }[];
    const channel = form.get('channel_id');
    const threadTs = form.get('thread_ts');
    if (channel !== null && !this.channels.some(({ id }) => id === channel)) return refused('channel_not_found');
    if (threadTs !== null && !this.messages.some(({ ts }) => ts === threadTs)) return refused('invalid_thread_ts');
    for (const { id, title = '' } of files) {
      const bytes = this.uploads.get(id)?.bytes;
      if (bytes === undefined || bytes === null) return refused('file_not_found');
      this.files.push({ id, title, channel: channel ?? '', threadTs, bytes });
    }
    return { ok: true, files };
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

const refused = (error: string) => ({ ok: false, error });

/** Text and blocks of a message, or the error that rejects them. */
function contentOf(form: URLSearchParams): Pick<SlackMessage, 'text' | 'blocks'> | ReturnType<typeof refused> {
  const text = form.get('text') ?? '';
  const blocks = JSON.parse(form.get('blocks') ?? '[]') as SlackMessage['blocks'];
  if (text === '' && blocks.length === 0) return refused('no_text');
  if (text.length > LONGEST_TEXT) return refused('msg_too_long');
  return blockProblems(blocks).length === 0 ? { text, blocks } : refused('invalid_blocks');
}
