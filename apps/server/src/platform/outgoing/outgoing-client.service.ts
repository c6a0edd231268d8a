import { Injectable } from '@nestjs/common';
import { type ClientRequest, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { inSpan, traceHeaders } from '../../common/telemetry/tracing.js';
import { OutgoingConfig } from './outgoing.config.js';
import { addressNotAllowed, OutgoingError } from './outgoing.errors.js';
import { type OutgoingAnswer, type OutgoingRequest } from './outgoing.types.js';
import { bare, OutgoingRulesService } from './outgoing-rules.service.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 65_536;

/** The time limit of a request, and the signal that aborts it earlier. */
type Limits = Pick<OutgoingRequest, 'signal' | 'timeoutMs'>;

/**
 * The only client for addresses that people of organisations enter. DNS is queried once, and the connection uses an
 * address of that answer which the rules allow; redirects are not followed; time and size are limited; no connection is
 * reused.
 */
@Injectable()
export class OutgoingClientService {
  /** Certificate authorities that are trusted for outgoing connections; undefined: those of Node. */
  readonly authorities: string[] | undefined;

  constructor(
    private readonly rules: OutgoingRulesService,
    config: OutgoingConfig,
  ) {
    const own = config.authorities;
    this.authorities = own === undefined ? undefined : [...rootCertificates, own];
  }

  /** Every answer counts as success, whatever its status. @throws OutgoingError */
  async send(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const url = targetOf(request.url);
    const method = request.method ?? 'POST';
    const attributes = { 'http.request.method': method, 'server.address': url.hostname };
    return inSpan(
      method,
      () => ({ kind: 'client', attributes }),
      async (span) => {
        const answer = await this.sendOnce(url, request);
        span?.set({ 'http.response.status_code': answer.status });
        if (answer.status >= 400) span?.fail(undefined);
        return answer;
      },
    );
  }

  private sendOnce(url: URL, request: OutgoingRequest): Promise<OutgoingAnswer> {
    return withinLimits(request, async (ended) => {
      const addresses = await this.rules.reachable(bare(url.hostname), { encrypted: url.protocol === 'https:' });
      ended.throwIfAborted();
      return this.exchange(url, addresses, request, ended);
    });
  }

  /**
   * Opens a connection for another protocol, such as SMTP, to a host that an organisation has configured. `encrypted`:
   * the caller requires TLS on it, from the first byte or by a command.
   * @throws OutgoingError
   */
  async connect(
    { host, port, encrypted }: { host: string; port: number; encrypted: boolean },
    limits: Limits = {},
  ): Promise<Socket> {
    return withinLimits(limits, async (ended) => {
      const addresses = await this.rules.reachable(bare(host), { encrypted });
      ended.throwIfAborted();
      return connected(bare(host), port, addresses, ended);
    });
  }

  private exchange(
    url: URL,
    addresses: readonly string[],
    { method = 'POST', headers = {}, body, maxBytes = MAX_BYTES }: OutgoingRequest,
    signal: AbortSignal,
  ): Promise<OutgoingAnswer> {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const own = { Host: url.host, 'Accept-Encoding': 'identity', 'User-Agent': 'Plumbline' };
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        request.destroy();
        reject(error instanceof OutgoingError ? error : unreachable(error));
      };
      const request = this.open(url, {
        method,
        host: bare(url.hostname),
        ...(url.port === '' ? {} : { port: Number(url.port) }),
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, ...traceHeaders(), ...own, ...length },
        lookup: lookupOf(addresses),
        agent: false,
        signal,
      });
      request.on('error', fail);
      request.once('response', (response) => {
        readAnswer(response, maxBytes).then(resolve, fail);
      });
      request.end(body);
    });
  }

  private open(url: URL, options: RequestOptions): ClientRequest {
    if (url.protocol === 'http:') return httpRequest(options);
    return httpsRequest({
      ...options,
      minVersion: 'TLSv1.2',
      ...(this.authorities === undefined ? {} : { ca: this.authorities }),
    });
  }
}

/** @throws OutgoingError */
function targetOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw addressNotAllowed('the address is not a web address');
  }
  if (url.username !== '' || url.password !== '') throw addressNotAllowed('the address must not contain a login');
  return url;
}

/** Rejects if the time limit of `work` is reached or its caller aborts it, whatever it waits for. */
async function withinLimits<T>(
  { timeoutMs = TIMEOUT_MS, signal }: Limits,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const giveUp = (): void => {
    ending.abort(new OutgoingError('aborted', 'the request was aborted'));
  };
  const timer = setTimeout(() => {
    ending.abort(new OutgoingError('timeout', `no complete answer within ${String(timeoutMs / 1000)} s`));
  }, timeoutMs);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    if (signal?.aborted === true) giveUp();
    // A name lookup cannot be cancelled: its later result is ignored.
    return await Promise.race([rejectionOf(ending.signal), work(ending.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => {
      reject(signal.reason as OutgoingError);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** Returns only the allowed addresses, so that a connection cannot use a later result of DNS. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all === true) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  };

function connected(host: string, port: number, addresses: readonly string[], signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: lookupOf(addresses) });
    const end = (): void => {
      socket.destroy();
    };
    signal.addEventListener('abort', end, { once: true });
    const fail = (error: Error): void => {
      reject(unreachable(error));
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      signal.removeEventListener('abort', end);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<OutgoingAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new OutgoingError('too_large', `the answer is longer than ${String(maxBytes)} bytes`);
    chunks.push(chunk);
  }
  return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) };
}

/** Codes of the system and of TLS suffice; their messages repeat addresses. */
function unreachable(error: unknown): OutgoingError {
  const { code } = (error ?? {}) as { code?: unknown };
  return new OutgoingError('unreachable', `the connection failed${typeof code === 'string' ? ` (${code})` : ''}`);
}
