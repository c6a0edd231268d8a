import { type Server, type ServerResponse } from 'node:http';
import { type INestApplication, type NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import express, { type Response } from 'express';
import { type Socket } from 'node:net';
import { ServerConfig } from '../config/server.config.js';
import { StatusBlocks } from '../envelope/status-blocks.js';
import { AccessLog } from '../telemetry/access-log.js';
import { SECURE_COOKIES } from './answer.js';
import { FOREIGN_PATHS, INGEST_PATHS, WHOLE_API_PATHS } from './api-paths.js';
import { bodyHead } from './body-head.middleware.js';
import { answerBrokenRequests, refuseWithoutHost, overrideNodeAnswers } from './broken-request.js';
import { compressAnswers } from './compression.js';
import { beginRequest, crossOrigin, routeGate, securityHeaders } from './edge.middleware.js';
import { ForeignAnswer } from './foreign-answer.js';
import { ForeignPaths } from './foreign-paths.js';
import { API_PREFIX } from './links.js';
import { PageAnswers } from './page-answers.js';
import { RequestGate } from './request-gate.js';
import { SeeOther } from './see-other.js';
import { RouteTable } from './route-table.js';

/**
 * The connections of a server, for its shutdown. When a server closes, Node ends idle connections that have had an
 * answer. It continues to serve the others for as long as their clients like: a connection with an open request (a
 * sender that always has data to send), and one on which nothing has been sent yet (Go and browsers open some in
 * advance).
 */
class OpenConnections {
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

/** A client that reads nothing of a ready answer for this time has disconnected, or holds memory intentionally. */
const UNREAD_TIMEOUT_MS = 60_000;

/**
 * Success is 200 in this API; Nest would answer 201 to every POST. Buffers (pictures) are sent unchanged; Nest would
 * write them as JSON.
 */
class ApiExpressAdapter extends ExpressAdapter {
  private connections: OpenConnections | undefined;

  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    this.connections = new OpenConnections(this.getHttpServer());
  }

  override close(): ReturnType<ExpressAdapter['close']> {
    const closed = super.close();
    this.connections?.end();
    return closed;
  }

  override status(response: Response, statusCode: number): unknown {
    return super.status(response, successCode(statusCode)) as unknown;
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const code = statusCode === undefined ? undefined : successCode(statusCode);
    if (body instanceof SeeOther) {
      return response.status(303).location(body.location).end();
    }
    if (body instanceof ForeignAnswer) {
      return response.status(body.status).set(body.headers).send(body.body);
    }
    if (!Buffer.isBuffer(body)) return super.reply(response, body, code) as unknown;
    if (code !== undefined) response.status(code);
    return response.send(body);
  }
}

function successCode(statusCode: number): number {
  return statusCode === 201 ? 200 : statusCode;
}

/** The adapter for `NestFactory.create`. Express accepts settings for comparing paths only before its router exists. */
export function createHttpAdapter(): ExpressAdapter {
  const server = express();
  server.set('case sensitive routing', true);
  server.set('query parser', 'simple');
  server.set('etag', false);
  server.disable('x-powered-by');
  return new ApiExpressAdapter(server);
}

/** Options for `NestFactory.create`: static paths win over parameters, and the body is read by `configureHttp`. */
export const HTTP_OPTIONS = {
  bodyParser: false,
  routeResolutionStrategy: 'specificity',
} as const;

/**
 * Places API paths below their base, and ingest paths and those of other products at the root. Part of `configureHttp`.
 */
export function prefixApiPaths(app: INestApplication): void {
  app.setGlobalPrefix(API_PREFIX, { exclude: [...INGEST_PATHS, ...FOREIGN_PATHS, ...WHOLE_API_PATHS] });
}

/** A request line with its headers is a few kilobytes: a client that takes longer only holds the connection. */
const HEADERS_MS = 15_000;
/** Agents send once a minute over one connection; longer than the minute of usual balancers, so that they close first. */
const KEEP_ALIVE_MS = 75_000;

/** Everything before the controllers. Call it before `app.init()`, in the server and in tests. */
export function configureHttp(app: NestExpressApplication): void {
  const config = app.get(ServerConfig);
  app.set('trust proxy', config.trustedProxies.length > 0 ? [...config.trustedProxies] : false);
  app.set(SECURE_COOKIES, config.publicUrl.startsWith('https:'));
  prefixApiPaths(app);
  const server: Server = app.getHttpServer();
  server.headersTimeout = HEADERS_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerBrokenRequests(server, app.get(StatusBlocks));
  overrideNodeAnswers(server);
  dropUnreadAnswers(server);
  app.use(beginRequest);
  app.use(app.get(ForeignPaths).middleware());
  app.use(app.get(RequestGate).middleware());
  app.use(app.get(AccessLog).middleware());
  app.use(securityHeaders(config));
  app.use(crossOrigin(config));
  app.use(refuseWithoutHost);
  app.use(compressAnswers(config));
  app.use(app.get(PageAnswers).middleware());
  app.use(routeGate(app.get(RouteTable), config));
  app.use(bodyHead(config));
}

/**
 * Closes connections whose client does not read: a ready answer stays in memory until it is read, and Node would keep
 * it for ever. Any progress counts, so slow lines are not affected. Answers that are still being produced, including
 * event streams, are not checked here.
 */
export function dropUnreadAnswers(server: Server, timeoutMs = UNREAD_TIMEOUT_MS): void {
  // Before all others: an answer may be ready immediately.
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    // Once the answer is sent, Node sets the time limit of an idle connection instead.
    response.once('prefinish', () => socket.setTimeout(timeoutMs));
  });
}
