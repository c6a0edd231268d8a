import { Injectable } from '@nestjs/common';
import { type Logger, type WebClient, type WebClientOptions } from '@slack/web-api';
import { ChatConfig } from './chat.config.js';

const REQUEST_TIMEOUT_MS = 10_000;
/** The provider's own hosts, one of which accepts uploads. */
const PROVIDER = /(?:^|\.)slack\.com$/;

/** Loaded by the first message: the process starts faster without it. */
const loadSdk = () => import('@slack/web-api');

type Fetch = NonNullable<WebClientOptions['fetch']>;

/** An error of the chat provider. */
export interface ChatProblem {
  /** Its error code for a refusal, such as `token_revoked`; null if it did not answer with one. */
  code: string | null;
  /** HTTP status; null if there was none, or it was a success. */
  status: number | null;
  /** As requested by the provider. */
  retryAfterSeconds: number | null;
  /** The error of the provider, or of the connection; never the sent content. */
  reason: string;
}

/**
 * The client of the chat provider. Callers retry by themselves: nothing is retried here, and no redirect is followed.
 */
@Injectable()
export class ChatApiService {
  constructor(private readonly config: ChatConfig) {}

  async client(token: string, signal?: AbortSignal): Promise<WebClient> {
    const { LogLevel, WebClient } = await loadSdk();
    const ended: Fetch = (url, init) => fetch(url, withSignal(init, signal));
    return new WebClient(token, {
      slackApiUrl: `${this.config.apiBase.replace(/\/$/, '')}/`,
      allowAbsoluteUrls: false,
      timeout: REQUEST_TIMEOUT_MS,
      rejectRateLimitedCalls: true,
      retryConfig: { retries: 0 },
      logger: { ...SILENT, getLevel: () => LogLevel.ERROR },
      fetch: ended,
    });
  }

  /**
   * True if the provider may have returned this address for an upload: an address of the provider, or one on the host
   * of its API.
   */
  isUploadAddress(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const { origin, protocol, hostname } = new URL(address);
    return origin === new URL(this.config.apiBase).origin || (protocol === 'https:' && PROVIDER.test(hostname));
  }
}

function withSignal(init: Parameters<Fetch>[1], signal: AbortSignal | undefined): RequestInit {
  const signals = [init?.signal, signal].filter((given) => given !== undefined);
  return { ...init, redirect: 'error', signal: signals.length === 0 ? null : AbortSignal.any(signals) };
}

export async function chatProblem(error: unknown): Promise<ChatProblem> {
  const { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } = await loadSdk();
  const nothing = { code: null, status: null, retryAfterSeconds: null };
  if (error instanceof WebAPIPlatformError) {
    const code = /^\w{1,60}$/.test(error.data.error) ? error.data.error : 'refused';
    return { ...nothing, code, reason: code };
  }
  if (error instanceof WebAPIRateLimitedError) {
    const { retryAfter } = error;
    const reason = `too many requests, try again in ${String(retryAfter)} s`;
    return { ...nothing, status: 429, retryAfterSeconds: retryAfter, reason };
  }
  if (error instanceof WebAPIHTTPError) {
    return { ...nothing, status: error.statusCode, reason: `HTTP status ${String(error.statusCode)}` };
  }
  return { ...nothing, reason: 'no answer' };
}

/** The log messages of the package contain addresses and, at the lowest level, headers. */
const SILENT: Omit<Logger, 'getLevel'> = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  setName: () => undefined,
};
