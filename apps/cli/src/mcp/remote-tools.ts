import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { unreachable } from '../server-token.js';
import { productVersion } from '../../../server/src/common/product-version.js';

/** The revision without sessions: a request contains everything that the server needs to answer. */
const REVISION = '2026-07-28';
/** A series or a picture from a busy server can take a while. */
const TIMEOUT_MS = 120_000;

type Params = Readonly<Record<string, unknown>>;

interface JsonRpcAnswer {
  result?: unknown;
  error?: { code?: unknown; message?: unknown; data?: unknown };
}

/** The tools of a running server, called through its endpoint of the Model Context Protocol. */
export class RemoteTools {
  private count = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /**
   * Sends a request to the server, and returns its answer.
   * @throws ProtocolError with the code and message of the server, also if it cannot be reached
   */
  async request(method: string, params: Params = {}, cancelled?: AbortSignal): Promise<Record<string, unknown>> {
    const answer = await this.send(method, params, cancelled);
    const { result, error } = (await answer.json().catch(() => ({}))) as JsonRpcAnswer;
    if (typeof result === 'object' && result !== null) return result as Record<string, unknown>;
    const { code, message, data } = error ?? {};
    throw new ProtocolError(
      typeof code === 'number' ? code : ProtocolErrorCode.InternalError,
      typeof message === 'string' ? message : `${this.url} answers ${String(answer.status)}: is this Plumbline?`,
      data,
    );
  }

  private async send(method: string, params: Params, cancelled: AbortSignal | undefined): Promise<Response> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const name = params.name ?? params.uri;
    const envelope = {
      [PROTOCOL_VERSION_META_KEY]: REVISION,
      [CLIENT_INFO_META_KEY]: { name: 'plumbline mcp', version: productVersion() },
      [CLIENT_CAPABILITIES_META_KEY]: {},
    };
    const body = { jsonrpc: '2.0', id: ++this.count, method, params: { ...params, _meta: envelope } };
    try {
      return await fetch(new URL('/mcp', this.url), {
        method: 'POST',
        headers: {
          Accept: 'application/json, text/event-stream',
          Authorization: `Bearer ${this.token}`,
          'Content-Type': 'application/json',
          'Mcp-Protocol-Version': REVISION,
          'Mcp-Method': method,
          ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
        },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: cancelled === undefined ? timeout : AbortSignal.any([timeout, cancelled]),
      });
    } catch (error) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, unreachable(this.url, error));
    }
  }
}
