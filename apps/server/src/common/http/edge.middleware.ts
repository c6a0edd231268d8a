import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { isAllowedOrigin } from '../auth/access.guard.js';
import { type ServerConfig } from '../config/server.config.js';
import { NotFoundError } from '../errors/app-error.js';
import { beginRequestSpan, within } from '../telemetry/tracing.js';
import { isIngestPath } from './api-paths.js';
import { plainAddress } from './client-address.js';
import { API_PREFIX } from './links.js';
import { MethodNotAllowedError, TooLargeError } from './http.errors.js';
import { contextOf, currentRequest } from './request-context.js';
import { allowedMethods, type RouteTable } from './route-table.js';

const CORS_MAX_AGE_SECONDS = 600;
const CORS_REQUEST_HEADERS =
  'Content-Type, X-Session-Id, X-Client-Id, X-Auth-Token, Authorization, X-Test-Only, X-Backfill, Last-Event-ID';
const CORS_EXPOSED_HEADERS = 'X-Request-Id, Retry-After, Deprecation, Link';
/** Scripts of any site report events here, by token; no credentials of the visitor are involved. */
const OPEN_TO_ALL_ORIGINS = `${API_PREFIX}/js/eventsender`;

/** First middleware: starts the clock of the request and sets the headers of every answer. */
export function beginRequest(request: Request, response: Response, next: NextFunction): void {
  const context = contextOf(request);
  context.address = request.ip === undefined ? undefined : plainAddress(request.ip);
  const span = beginRequestSpan(request.method, request.headers);
  context.trace = span?.ids;
  response.setHeader('X-Request-Id', context.requestId);
  response.setHeader('X-Api-Version', '1');
  response.setHeader('Cache-Control', 'no-store');
  response.once('close', () => {
    if (!response.writableFinished) context.recordGone();
    span?.endRequest(context.route?.path, response.statusCode);
  });
  within(span, () => currentRequest.run(context, next));
}

/**
 * Headers for browsers. Answers are data, so nothing may be loaded or framed; pages and graphs set their own policies.
 */
export function securityHeaders(config: ServerConfig): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // The same as frame-ancestors: some browsers know only the older header.
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: config.publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    xPoweredBy: true,
  });
}

/** Which other origins may read answers: that of the console and the configured ones, with credentials. */
export function crossOrigin(config: ServerConfig): RequestHandler {
  return (request, response, next) => {
    const origin = request.get('origin');
    if (request.path === OPEN_TO_ALL_ORIGINS) {
      response.setHeader('Access-Control-Allow-Origin', '*');
    } else {
      response.vary('Origin');
      if (origin !== undefined && isAllowedOrigin(config, origin)) {
        response.setHeader('Access-Control-Allow-Origin', origin);
        response.setHeader('Access-Control-Allow-Credentials', 'true');
      }
    }
    if (response.hasHeader('Access-Control-Allow-Origin')) {
      response.setHeader('Access-Control-Expose-Headers', CORS_EXPOSED_HEADERS);
    }
    next();
  };
}

/** Validates path, method and length of the address before anything is read or looked up. Answers OPTIONS itself. */
export function routeGate(table: RouteTable, config: ServerConfig): RequestHandler {
  return (request, response, next) => {
    // The ingest paths are served below the API base too.
    if (request.path.startsWith(`${API_PREFIX}/ingest/`)) request.url = request.url.slice(API_PREFIX.length);
    const { path, method } = request;
    // Processes load whole modules of areas; only the role `api` serves the API.
    const isServed = config.roles.includes('api') || isIngestPath(path);
    const routes = isServed ? table.findAt(path) : [];
    if (method === 'OPTIONS') {
      answerOptions(response, allowedMethods(routes));
      return;
    }
    if (routes.length === 0 || !isDecodable(path)) throw new NotFoundError();
    const route = routes.find((candidate) => candidate.method === (method === 'HEAD' ? 'GET' : method));
    if (!route || (method === 'HEAD' && route.isUnsafeGet)) {
      throw new MethodNotAllowedError(method, allowedMethods(routes));
    }
    contextOf(request).route = route;
    const queryStart = request.url.indexOf('?');
    const queryBytes = queryStart < 0 ? 0 : request.url.length - queryStart - 1;
    if (queryBytes > config.maxQueryBytes) throw new TooLargeError('The query string', config.maxQueryBytes);
    if (path.split('/').some((segment) => segment.length > config.maxPathSegmentBytes)) {
      throw new TooLargeError('A segment of the path', config.maxPathSegmentBytes);
    }
    next();
  };
}

function answerOptions(response: Response, allow: string): void {
  response.setHeader('Allow', allow);
  if (response.hasHeader('Access-Control-Allow-Origin')) {
    response.setHeader('Access-Control-Allow-Methods', allow);
    response.setHeader('Access-Control-Allow-Headers', CORS_REQUEST_HEADERS);
    response.setHeader('Access-Control-Max-Age', String(CORS_MAX_AGE_SECONDS));
  }
  response.status(204).end();
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
