import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import { type Request } from 'express';
import { type Caller } from '../auth/caller.js';
import { type AppError } from '../errors/app-error.js';
import { type TraceIds } from '../telemetry/tracing.types.js';
import { type LimitDefinition } from './rate-limits.js';
import { type Route } from './route-table.js';

/** A request as prepared by the edge: `caller` is set by the credential guard, absent before. */
export type EdgeRequest = Request & { caller?: Caller };

/** An error in the format of a foreign protocol; an object is sent as JSON, bytes as `contentType`. */
export interface ForeignError {
  contentType: string;
  body: object;
  /** Default: the one of the error. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

/** The error format of a foreign protocol. */
export type ErrorBody = (error: AppError) => ForeignError;

/** How the session was sent, if there is one. */
export type SessionSource = 'header' | 'parameter' | 'cookie';

/** Findings about the credentials; the access guard converts a fault to the right 401. */
export interface CredentialFindings {
  /** Set if the caller is a user. */
  sessionSource?: SessionSource;
  /** Why a credential gave no caller. */
  fault?: 'session_expired' | 'token_expired' | 'not_authenticated' | 'signature_invalid' | 'signature_expired';
  /** The request has a signed address. */
  isSigned: boolean;
}

/** A body that has not been read yet, as described by the headers of its request. */
export interface ExpectedBody {
  kind: 'json' | 'form' | 'multipart' | 'raw';
  /** Of the size of a file. */
  isUpload: boolean;
  /** Maximum number of bytes that the route accepts. */
  maxBytes: number;
}

/** A count of a limit that the request has increased. */
export interface CountedRequest {
  limit: LimitDefinition;
  key: string;
  /** A moment before the end of the window, in milliseconds of the process clock (`performance.now`). */
  windowEnd: number;
}

const VALID_REQUEST_ID = /^[A-Za-z0-9._:+/=-]{1,128}$/;
const contexts = new WeakMap<object, RequestContext>();

/** The state of one request apart from its parameters, from the first middleware to the last byte. */
export class RequestContext {
  readonly requestId: string;
  /** The address of the sender, as far as proxies are trusted; IPv4 in its plain form. */
  address: string | undefined;
  /** The route of the path and method; absent for unknown ones. */
  route: Route | undefined;
  /** Organisation of a sender: ingest paths find their credential themselves, and have no `caller`. */
  orgId: number | undefined;
  credential: CredentialFindings = { isSigned: false };
  /** Age of the oldest cached part of the answer, in seconds. */
  oldestCachedAgeSeconds = 0;
  /** Set by routes whose errors are not written in the form of this API. */
  errorBody: ErrorBody | undefined;
  /** Absent: the request has no body, or one that is not read. */
  expectedBody: ExpectedBody | undefined;
  /** The limits for which this request was counted. */
  counted: readonly CountedRequest[] = [];
  /** The party with which it shares the database; absent while unknown, and for requests outside the API. */
  party: string | undefined;
  /** The body as sent, on routes that accept it raw. */
  rawBody: Buffer | undefined;
  /** Why the body could not be parsed; reported after the permission is checked. */
  bodyFault: Error | undefined;
  /** The position of the request in a trace; absent while traces are off. */
  trace: TraceIds | undefined;
  /** Session that this answer starts: it appears in the status block. */
  startedSessionId: string | undefined;
  private readonly closing = new AbortController();
  private readonly startedMilliseconds = performance.now();
  private unstoredSessionId: string | undefined;

  constructor(requestId: string | undefined) {
    this.requestId = requestId !== undefined && VALID_REQUEST_ID.test(requestId) ? requestId : randomUUID();
  }

  /** Seconds since the first byte of the request was handled. */
  elapsedSeconds(): number {
    return (performance.now() - this.startedMilliseconds) / 1000;
  }

  /** Aborted when the client closes its connection before it has the answer. */
  get gone(): AbortSignal {
    return this.closing.signal;
  }

  /** The client has closed its connection. */
  recordGone(): void {
    this.closing.abort();
  }

  /** The id for a caller without session: random, never stored. */
  temporarySessionId(): string {
    this.unstoredSessionId ??= randomBytes(16).toString('hex');
    return this.unstoredSessionId;
  }
}

/** The context of a request; created on first use, so that it exists for requests of every kind. */
export function contextOf(request: Request): RequestContext {
  const known = contexts.get(request);
  if (known) return known;
  const created = new RequestContext(request.get('x-request-id'));
  contexts.set(request, created);
  return created;
}

/**
 * The request of the running code. For log lines, the audit trail and dropping work that no client waits for; data for
 * decisions is passed explicitly.
 */
export const currentRequest = new AsyncLocalStorage<RequestContext>();
